"""Benchmarks: engines, a hand-written yardstick and packages that people would use instead, measured side by side."""
