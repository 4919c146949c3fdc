"""Tries packages where nothing else of the project is: on this system, or in a bare Debian. A trial installs packages, runs a
program twice under `memomalloc run`, and removes the packages again. It is judged by what the second start was served, by the
program's answers, and by what stayed behind."""

import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import tempfile

from bare_roots import PATH_OF_ROOT, into_root, made_root
from commands import run
from places import ROOT

LEAST_SERVED = 0.97
PROGRAM = ROOT / "examples" / "container" / "program.py"  # knows the marks of the package, and nothing of how it is started


@dataclasses.dataclass
class Place:
    """A folder to try packages in, as it is named here and there."""
    name: str
    folder: pathlib.Path
    home: str
    prefix: tuple
    path: str

    def run(self, script):
        run([*self.prefix, "sh", "-c", f"cd {self.home} && sh {script}"], env={"HOME": self.home, "PATH": self.path})


@contextlib.contextmanager
def this_system():
    with tempfile.TemporaryDirectory(prefix="memomalloc-trial.") as folder:
        yield Place("this system", pathlib.Path(folder), folder, (), os.environ["PATH"])


@contextlib.contextmanager
def bare_debian(suite):
    root = made_root(suite)
    with tempfile.TemporaryDirectory(prefix="memomalloc-trial.", dir=root / "tmp") as folder:
        inside = "/" + str(pathlib.Path(folder).relative_to(root))
        yield Place(f"a bare {suite}", pathlib.Path(folder), inside, into_root(root), PATH_OF_ROOT)


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


def passes_in(place, packages, script):
    """Runs a script in a folder with the packages, the program and nothing else. It leaves `before` and `after`, lists of the files
    that are there; `2.json`, the statistics of the second start; `alone.out`, `1.out` and `2.out`, the program's answers."""
    for file in (*packages, PROGRAM):
        shutil.copy(file, place.folder)
    (place.folder / "try.sh").write_text(script)
    place.run("try.sh")
    return judge(place.name, place.folder)


def pass_everywhere(suites, packages, script):
    """Tries the packages in every suite, however the others went; on this system where none is named."""
    outcomes = []
    for place in map(bare_debian, suites) if suites else [this_system()]:
        with place as entered:
            outcomes.append(passes_in(entered, packages, script))
    return all(outcomes)


def suites_in(words, usage):
    """The suites that are named. Ends the script where there are options, or help is wanted."""
    if any(word.startswith("-") for word in words):
        print(usage)
        raise SystemExit(0 if words[0] in ("-h", "--help") else 2)
    return words
