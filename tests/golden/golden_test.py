"""Plans the kept traces of real programs, and serves others of the same programs in a dry run. Failure: a change of the planner has
lost more than a tenth of a percent of what is served, made a slab more than half a percent higher, or lets two percent more of the
allocations be looked for. The table shows all figures,
before and now; `scripts/golden --figures` takes those of now over where a change is meant."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from golden_plans import FIGURES, figures_of, losses, row_of


class Golden(unittest.TestCase):
    def test_nothing_is_lost(self):
        lost = []
        for name, kept in json.loads(FIGURES.read_text()).items():
            with tempfile.TemporaryDirectory(prefix="memomalloc-golden.") as folder:
                found = figures_of(name, folder, kept["plan"].split())
            print(row_of(name, kept["found"], found), flush=True)
            lost += [f"{name}: {loss}" for loss in losses(kept["found"], found)]
        self.assertEqual(lost, [])


if __name__ == "__main__":
    unittest.main()
