"""Tables over the ranks of MPI jobs, through mpi4py, with each MPI that is installed: any number of ranks gives the same bits."""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

JOB = Path(__file__).parent / "ranks_job.py"
# Launcher, its arguments, and its library. mpi4py's wheel works with either, and asks for them by the names of their ABIs.
LAUNCHERS = {"openmpi": ("mpirun.openmpi", ["--oversubscribe", "--allow-run-as-root"], "libmpi.so.40", "libmpi.so.40"),
             "mpich": ("mpirun.mpich", [], "libmpich.so.12", "libmpi.so.12")}
FOUND = [name for name, (launcher, *_) in LAUNCHERS.items() if shutil.which(launcher)]


def library_folder(tmp_path, name):
    """A folder in which the MPI's library has the name of its ABI, which Debian's MPICH lacks."""
    _, _, file, abi_name = LAUNCHERS[name]
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    path = next(line.split("=> ")[1] for line in known.splitlines() if line.strip().startswith(f"{file} "))
    (tmp_path / abi_name).symlink_to(path)
    return tmp_path / abi_name


def run(name, ranks, library, job=JOB):
    launcher, arguments, *_ = LAUNCHERS[name]
    environment = os.environ | {"LD_LIBRARY_PATH": str(library.parent), "MPI4PY_LIBMPI": str(library)}
    done = subprocess.run([launcher, *arguments, "-n", str(ranks), sys.executable, job], capture_output=True, text=True, timeout=120,
                          env=environment)
    return done


def test_an_mpi_is_here():
    assert FOUND, "scripts/setup test installs Open MPI and MPICH"


@pytest.mark.parametrize("name", FOUND)
def test_any_number_of_ranks(name, tmp_path):
    library = library_folder(tmp_path, name)
    def outcome(ranks):
        done = run(name, ranks, library)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    alone = outcome(1)
    first = alone["block"]
    assert alone["given"] and all(alone[shards] == first for shards in ("cyclic", "hashed"))
    assert first["place"] == "ranks" and first["refused"]
    assert alone["no communicator"] == "RK7 share: comm is of type str, allowed mpi4py.MPI.Intracomm"
    for ranks in (2, 3, 5):
        assert outcome(ranks) == alone


def test_a_rank_that_does_not_answer(tmp_path):
    done = run("openmpi", 3, library_folder(tmp_path, "openmpi"), JOB.with_name("ranks_gone_job.py"))
    assert done.stdout.count("RK6: ranks: rank 2 did not answer within 1 s") == 2, done.stdout + done.stderr
