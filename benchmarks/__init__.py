"""Scripts that measure the engines; each is run as `python -m benchmarks.NAME`."""
