"""What the tests of the stores share."""

from __future__ import annotations

import sys

import pytest

# The contract's asserts explain themselves like those of a test file, unless somebody has imported it already.
if "turnstate.testing.log_contract" not in sys.modules:
    pytest.register_assert_rewrite("turnstate.testing.log_contract")
