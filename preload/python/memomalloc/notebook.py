"""Magics for notebooks, after `%load_ext memomalloc`: what this process, or one cell, was served, and the report in the page.

    %memomalloc                       # this process
    %%memomalloc                      # the passes of the cell below
    %memomalloc report [FILE...]      # its report, with these files beside its own figures
"""
import html
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile

from . import questions

NOT_LOADED = ("MemoMalloc is not in this process, so nothing is counted. Start the notebook under it: "
              "memomalloc run -- jupyter lab")
FRAME = '<iframe srcdoc="{}" sandbox="allow-scripts" style="width: 100%; height: 720px; border: 0"></iframe>'
COMMAND_SECONDS = 120
# Words that stand alone in the table, before the reasons.
FACTS = ("mode", "state", "plan", "passes")


class Shown:
    """What a cell shows: a sentence and a table, as text in a terminal and as HTML in a page."""

    def __init__(self, sentence, rows=()):
        self.sentence = sentence
        self.rows = list(rows)

    def __repr__(self):
        width = max((len(name) for name, _ in self.rows), default=0)
        return "\n".join([self.sentence, *(f"  {name:<{width}}  {value}" for name, value in self.rows)])

    def _repr_html_(self):
        rows = "".join(f"<tr><th style='text-align: left'>{html.escape(name)}</th><td style='text-align: left'>{html.escape(value)}"
                       "</td></tr>" for name, value in self.rows)
        return f"<p>{html.escape(self.sentence)}</p><table>{rows}</table>"


def load(ipython):
    """Makes the magics known to the shell of the notebook."""
    ipython.register_magic_function(_magic, "line_cell", "memomalloc")


def _magic(line, cell=None):
    """%memomalloc: what this process was served. %%memomalloc: what the cell was. %memomalloc report [FILE...]: its report."""
    words = shlex.split(line)
    if cell is not None:
        return _of_cell(cell)
    if words and words[0] == "report":
        return _report(words[1:])
    if words:
        return Shown(f'There is no "{words[0]}" of %memomalloc; there is report, with files after it or without.')
    return _of_process()


def _of_process():
    stats = questions.stats()
    if not stats:
        return Shown(NOT_LOADED)
    counts = stats["steady"] if stats["steady"]["passes"] else _counts(stats)
    return Shown(_sentence(counts), [*_facts(stats), *_reasons(stats)])


def _of_cell(cell):
    """Runs the cell in the notebook's own names, so that what it makes stays, and judges the passes it ran."""
    from IPython import get_ipython

    before = questions.stats()
    outcome = get_ipython().run_cell(cell)
    if not outcome.success:
        return None
    after = questions.stats()
    if not before or not after:
        return Shown(NOT_LOADED)
    since = _since(after, before)
    return Shown(_sentence(_counts(since)), [("passes", f"{since['passes']:,}"), *_reasons(since)])


def _since(after, before):
    counted = ("passes", "served", "served_bytes", "fallback_bytes")
    return {**{key: after[key] - before[key] for key in counted},
            "fallback": {reason: count - before["fallback"][reason] for reason, count in after["fallback"].items()}}


def _counts(stats):
    return {"served": stats["served"], "served_bytes": stats["served_bytes"], "missed": sum(stats["fallback"].values()),
            "missed_bytes": stats["fallback_bytes"]}


def _sentence(counts):
    if counts["served"] + counts["missed"] == 0:
        return "No pass has allocated anything."
    return (f"Served: {_share(counts['served'], counts['missed'])} of the allocations in passes, and "
            f"{_share(counts['served_bytes'], counts['missed_bytes'])} of their bytes.")


def _share(part, rest):
    return f"{100 * part / max(part + rest, 1):.2f} %"


def _facts(stats):
    words = {**stats, "passes": f"{stats['passes']:,}"}
    return [(key, str(words[key])) for key in FACTS if words.get(key)]


def _reasons(stats):
    missed = sorted(stats["fallback"].items(), key=lambda each: -each[1])
    return [(f"to the heap: {reason}", f"{count:,}") for reason, count in missed if count]


def _report(files):
    stats = questions.stats()
    if not stats and not files:
        return Shown(NOT_LOADED)
    command = _command()
    if command is None:
        return Shown("There is no command memomalloc, which draws the report: put its folder on PATH.")
    with tempfile.TemporaryDirectory(prefix="memomalloc-notebook.") as folder:
        return _drawn(command, pathlib.Path(folder), stats, files)


def _drawn(command, folder, stats, files):
    page = folder / "report.html"
    if stats:
        own = folder / "this process.json"
        own.write_text(json.dumps(stats))
        files = [*files, str(own)]
    done = subprocess.run([command, "report", "-q", "-o", str(page), "--", *files], capture_output=True, text=True, check=False,
                          env=_environment(), timeout=COMMAND_SECONDS)
    if done.returncode != 0:
        return Shown(done.stderr.strip() or f"{command} report ended with status {done.returncode}")
    return _frame(page.read_text())


def _frame(page):
    from IPython.display import HTML

    return HTML(FRAME.format(html.escape(page, quote=True)))


def _command():
    """The command that came with this package, or else the first on PATH."""
    own = pathlib.Path(__file__).parents[4] / "bin" / "memomalloc"
    return str(own) if os.access(own, os.X_OK) else shutil.which("memomalloc")


def _environment():
    """Leaves out what puts the library into this process: the command is none of its programs."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD" and not name.startswith("MEMOMALLOC_")}
