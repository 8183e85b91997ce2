"""Our counts beside those of real tokenizers: `python -m benchmarks.counting`."""
