"""The pure core: values, events, folds and plans, without await, clock, randomness, logging or I/O."""
