"""Whether a summary may stand for its source, what can be repaired of it, and what must stand beside it."""

from turnstate.core.context.extractive import source_text
from turnstate.core.fidelity.kept import ledger
from turnstate.core.fidelity.order import inverted
from turnstate.core.fidelity.promises import hardened
from turnstate.core.fidelity.repair import repair
from turnstate.core.fidelity.verify import verify

__all__ = ["hardened", "inverted", "ledger", "repair", "source_text", "verify"]
