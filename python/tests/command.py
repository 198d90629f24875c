"""The garner command that the tests of the command line run: the built one, or the one GARNER_CLI names. It is never optional."""
import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
GARNER = Path(os.environ.get("GARNER_CLI", ROOT / "build/release/bin/garner"))
