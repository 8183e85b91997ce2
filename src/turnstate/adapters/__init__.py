"""The context planner inside other programs."""
