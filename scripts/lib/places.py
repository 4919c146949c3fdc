"""Where things are."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
BIN = BUILD / "bin"
INSTALLED_COMMAND = os.environ.get("MEMOMALLOC_COMMAND")  # one that is there, and so nothing is built (scripts/setup-trixie)
COMMAND = pathlib.Path(INSTALLED_COMMAND or BIN / "memomalloc")
LIBRARY = pathlib.Path(os.environ.get("MEMOMALLOC_LIBRARY", BUILD / "lib" / "libmemomalloc.so"))
PYTHON = "/usr/bin/python3"  # the one that has the distribution's packages
ENGINES = pathlib.Path(os.environ.get("MEMOMALLOC_ENGINES") or ROOT / "build" / "engines")  # what scripts/setup-engines makes
ENGINES_PYTHON = ENGINES / "bin" / "python"
