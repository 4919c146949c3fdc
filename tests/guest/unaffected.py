"""What the checks share of programs that the library keeps out of."""

import unittest

from guest import lines_of_ours


class Unaffected(unittest.TestCase):
    def assert_unaffected(self, result):
        self.assertEqual((result.returncode, result.stdout), (0, "42\n"), result.stderr)

    def assert_one_line(self, result, *parts):
        lines = lines_of_ours(result.stderr)
        self.assertEqual(len(lines), 1, result.stderr)
        for part in ("keeping out of", *parts):
            self.assertIn(part, lines[0])
