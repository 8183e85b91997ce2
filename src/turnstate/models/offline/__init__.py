"""The model `offline`: a support agent of deterministic rules that sees what any model would see, and calls none."""

from turnstate.models.offline.model import offline_model

__all__ = ["offline_model"]
