"""Tries packages where nothing else of the project is: on this system, or in a bare Debian. A trial installs packages, runs a
program twice under `memomalloc run`, and removes the packages again. It is judged by what the second start was served, by the
program's answers, and by what stayed behind."""

import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import tempfile

from bare_roots import PATH_OF_ROOT, into_root, made_root
from commands import output_of, run
from places import ENGINES_PYTHON, ROOT

LEAST_SERVED = 0.97


@dataclasses.dataclass(frozen=True)
class Trial:
    """What is run from the packages, and what a bare Debian gets for it beforehand."""
    program: pathlib.Path
    needs: tuple = ()


# Knows the marks of the package, and nothing of how it is started.
PLAIN = Trial(ROOT / "examples/container/program.py")
# Knows nothing of either, as people's programs do.
TORCH = Trial(ROOT / "scripts/lib/programs/unmarked_torch.py", ("python3-torch",))


@dataclasses.dataclass
class Place:
    """A folder to try packages in, as it is named here and there."""
    name: str
    folder: pathlib.Path
    home: str
    prefix: tuple
    path: str
    more: dict = dataclasses.field(default_factory=dict)  # variables

    def run(self, script):
        run([*self.prefix, "sh", "-c", f"cd {self.home} && sh {script}"], env={"HOME": self.home, "PATH": self.path, **self.more})


def engines_here():
    """The PATH and the variables with which a virtual environment finds the packages that scripts/setup-engines installed."""
    packages = output_of([ENGINES_PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    return os.pathsep.join((str(pathlib.Path(ENGINES_PYTHON).parent), os.environ["PATH"])), {"PYTHONPATH": packages}


@contextlib.contextmanager
def this_system(trial):
    path, more = engines_here() if trial.needs else (os.environ["PATH"], {})
    with tempfile.TemporaryDirectory(prefix="memomalloc-trial.") as folder:
        yield Place("this system", pathlib.Path(folder), folder, (), path, more)


@contextlib.contextmanager
def bare_debian(suite, trial):
    root = made_root(suite, *trial.needs)
    with tempfile.TemporaryDirectory(prefix="memomalloc-trial.", dir=root / "tmp") as folder:
        inside = "/" + str(pathlib.Path(folder).relative_to(root))
        name = " with ".join((f"a bare {suite}", *trial.needs))
        more = {"VENV_OPTIONS": "--system-site-packages"} if trial.needs else {}
        yield Place(name, pathlib.Path(folder), inside, into_root(root), PATH_OF_ROOT, more)


def differing_answers(folder):
    """The starts whose answer is another than that of the program alone."""
    alone = (folder / "alone.out").read_text()
    return [start for start in ("1", "2") if (folder / f"{start}.out").read_text() != alone]


def share_of(steady, suffix=""):
    served, missed = steady["served" + suffix], steady["missed" + suffix]
    return served / max(1, served + missed)


def served_enough(name, steady):
    shares = share_of(steady), share_of(steady, "_bytes")
    print(f"{name}: {100 * shares[0]:.2f} % of {steady['served'] + steady['missed']} allocations and {100 * shares[1]:.2f} % of the bytes "
          "served at the second start")
    return min(shares) >= LEAST_SERVED


def judge(name, folder):
    """Says how the trial went that left its files in the folder. Returns True if all is as it should be."""
    enough = served_enough(name, json.loads((folder / "2.json").read_text())["steady"])
    left = sorted(set((folder / "after").read_text().splitlines()) - set((folder / "before").read_text().splitlines()))
    differing = differing_answers(folder)
    print(f"{name}: {len(differing)} starts with another answer; {len(left)} files left after the packages were removed")
    for path in left:
        print(f"  left: {path}")
    return enough and not differing and not left


def passes_in(place, packages, trial, script):
    """Runs a script in a folder with the packages, the program and nothing else. It leaves `before` and `after`, lists of the files
    that are there; `2.json`, the statistics of the second start; `alone.out`, `1.out` and `2.out`, the program's answers."""
    for file in packages:
        shutil.copy(file, place.folder)
    shutil.copy(trial.program, place.folder / "program.py")
    (place.folder / "try.sh").write_text(script)
    place.run("try.sh")
    return judge(place.name, place.folder)


def pass_everywhere(suites, packages, trial, script):
    """Tries the packages in every suite, however the others went; on this system where none is named."""
    outcomes = []
    for place in [bare_debian(suite, trial) for suite in suites] or [this_system(trial)]:
        with place as entered:
            outcomes.append(passes_in(entered, packages, trial, script))
    return all(outcomes)


def read_wishes(usage, words=None):
    """The suites that are named, and the trial."""
    parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="bookworm or trixie")
    parser.add_argument("--torch", action="store_true", help="run a program of PyTorch, which knows nothing of memomalloc")
    options = parser.parse_args(words)
    return options.suites, TORCH if options.torch else PLAIN
