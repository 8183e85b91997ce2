"""Measurements: ratios, counts and bytes first, seconds only beside what they are compared with."""
