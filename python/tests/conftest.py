# device: needs a CUDA device and torch, CuPy or JAX; scripts/device-test runs it on a machine that has these, by name.
# ranks_job.py: begins MPI when it is imported; test_ranks.py starts it under a launcher.
collect_ignore = ["device", "ranks_job.py"]
