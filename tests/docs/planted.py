"""A small tree of code and a page that is right, in which tests of the checks plant one fault after the other."""

import pathlib
import tempfile
import unittest


class Planted(unittest.TestCase):
    TREE = {}  # path -> text
    PAGE = ""

    def check(self, root, page):
        """Returns the faults of the page, as the check finds them."""
        raise NotImplementedError

    def faults(self, old="", new=""):
        self.assertIn(old, self.PAGE)
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in self.TREE.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return [*self.check(root, self.PAGE.replace(old, new) if old else self.PAGE)]
