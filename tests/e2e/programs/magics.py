"""Runs the magics of a notebook in an IPython of its own, after a few passes. Writes what they show as JSON."""
import json
import sys

from IPython.core.interactiveshell import InteractiveShell

PASSES = """
import memomalloc
for _ in range({}):
    with memomalloc.forward(key="magics"):
        blocks = [bytearray(1 << power) for power in range(10, 17)]
        del blocks
kept = 5
"""


def main():
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "memomalloc")
    shell.run_cell(PASSES.format(20))
    of_cell = shell.run_cell_magic("memomalloc", "", PASSES.format(3))
    of_process = shell.run_line_magic("memomalloc", "")
    page = shell.run_line_magic("memomalloc", "report")
    shown = {"cell": repr(of_cell), "kept": shell.user_ns["kept"], "process": repr(of_process), "html": of_process._repr_html_(),
             "report": getattr(page, "data", repr(page)), "unknown": repr(shell.run_line_magic("memomalloc", "rubbish")),
             "no file": repr(shell.run_line_magic("memomalloc", "report nowhere.plan")),
             "failed": repr(shell.run_cell_magic("memomalloc", "", "raise SystemExit"))}
    with open(sys.argv[1], "w") as file:
        json.dump(shown, file)


main()
