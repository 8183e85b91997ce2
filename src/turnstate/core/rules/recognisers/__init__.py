"""How values are recognised: one file for what keys of like shapes have in common."""
