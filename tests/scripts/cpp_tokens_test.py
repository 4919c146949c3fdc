"""A mutation finds its place whatever the source's layout. Failure: a comment or a line break that hides the place, or a text
that is found inside of another word."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from cpp_tokens import places_of, tokens_of


def found(pattern, source):
    return [source[begin:end] for begin, end in places_of(pattern, tokens_of(source))]


class Tokens(unittest.TestCase):
    def test_layout_and_comments_do_not_count(self):
        source = "if (a->size\n      > most) {  // of a cell: return 1;\n  return /* nothing */ 0; }"
        self.assertEqual(found("if (a->size > most) { return 0;", source), [source[:-2]])

    def test_words_are_whole(self):
        self.assertEqual(found("if (free) return", "if (free) returned();"), [])
        self.assertEqual(len(found("free", "free(freed); x = free;")), 2)

    def test_what_is_commented_out_is_not_there(self):
        self.assertEqual(found("mark(slot);", "// mark(slot);\n/* mark(slot); */"), [])

    def test_strings_and_numbers_are_tokens(self):
        source = "asm(\"andq // %1\" : \"+m\"(word)); x = 1'000 + '\\'';"
        self.assertEqual(len(found("asm(\"andq // %1\" :", source)), 1)
        self.assertEqual(found("1'000 + '\\''", source), ["1'000 + '\\''"])


if __name__ == "__main__":
    unittest.main()
