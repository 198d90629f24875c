# Need a CUDA device and torch, CuPy or JAX: scripts/device-test runs them on a machine that has these, by name.
collect_ignore = ["device"]
