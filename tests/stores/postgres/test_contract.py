"""The log in PostgreSQL keeps every promise of the contract."""

from __future__ import annotations

import pytest

from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract import LogContract, OpenLog, closing


class TestPostgresLog(LogContract):
    """Every promise."""

    url: str
    name: str

    @pytest.fixture(autouse=True)
    def fresh(self, server: str, schema: str) -> None:
        """Empty tables for every test."""
        self.url, self.name = server, schema

    def open_log(self, tenant: str = "default") -> OpenLog:
        """The test's tables."""
        return closing(PostgresLog(self.url, tenant, schema=self.name))
