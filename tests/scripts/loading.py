"""Loads a script that has no ending, as a module. Its own folder of helpers has to be on the path before."""

import importlib.machinery
import importlib.util
import pathlib

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def load_script(path):
    """`path` begins in scripts/."""
    loader = importlib.machinery.SourceFileLoader(pathlib.Path(path).name, str(SCRIPTS / path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
