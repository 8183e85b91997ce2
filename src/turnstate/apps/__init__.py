"""The reference agents, built on the front door as any user would build them."""
