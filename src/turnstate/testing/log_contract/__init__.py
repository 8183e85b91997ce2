"""What every store of conversations promises, as tests that a subclass runs against its own.

```python
class TestMyLog(LogContract):
    @pytest.fixture(autouse=True)
    def fresh(self, tmp_path: Path) -> None:
        self.path = tmp_path / "chat.db"

    def open_log(self, tenant: str = "default") -> OpenLog:
        return closing(MyLog(self.path, tenant))
```
"""

from __future__ import annotations

from turnstate.testing.log_contract.facts import FactRules
from turnstate.testing.log_contract.forgetting import ForgettingRules
from turnstate.testing.log_contract.leases import LeaseRules
from turnstate.testing.log_contract.reading import ReadingRules
from turnstate.testing.log_contract.search import SearchRules
from turnstate.testing.log_contract.story import OpenLog, closing
from turnstate.testing.log_contract.tenants import TenantRules
from turnstate.testing.log_contract.texts import TextRules
from turnstate.testing.log_contract.turns import TurnRules

__all__ = ["LogContract", "OpenLog", "closing"]


class LogContract(
    TurnRules, LeaseRules, ForgettingRules, ReadingRules, SearchRules, FactRules, TextRules, TenantRules
):
    """The contract of `Log`: subclass it in a test module, and say how a log of the test's fresh store is opened."""
