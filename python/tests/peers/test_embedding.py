"""A torch module over ranks: trained by each of torch's sparse optimisers as torch's own embedding is by one process."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

JOB = Path(__file__).parent / "embedding_job.py"


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_embedding(ranks):
    command = ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks), sys.executable, JOB]
    environment = os.environ | {"MPI4PY_LIBMPI": "libmpi.so.40", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("equal") == ranks
