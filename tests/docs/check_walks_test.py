"""Proves that the check of the walks can fail: each wrong step is planted in a small page, which is right before."""

import pathlib
import tempfile
import unittest

import check_walks
import planted

TREE = {
    "preload/symbols/entries.S": "/* first() is not called here */\nexport malloc\n  jmp routed\n",
    "preload/symbols/family.cpp": "void* routed(int size) {\n  return first(size);\n}\n\nvoid* other() {\n  return last();\n}\n",
    "preload/route/first.h": "// Not last().\ninline void* first(int size,\n                   int kind) {\n  if (missed(size)) {\n"
                             "    return backend().allocate(size);\n  }\n  return kind;\n}\n",
    "runtime/table.h": "struct Table {\n  void* (*allocate)(int size);\n  void keep() { last(); }\n};\n",
    "runtime/mode.cpp": "constexpr Table kTable{\n    .allocate = last,\n};\n",
    "runtime/last.cpp": "int helper();\nvoid* last(int size) { return nullptr; }\nvoid* next() {\n  return helper();\n}\n",
}
PAGE = """# Page

## The way of a call

1. `malloc` (`symbols/entries.S`) jumps to `routed` (`symbols/family.cpp`). It reads the place.
2. `routed` calls `first` (`route/first.h`, inlined).
3. `first` looks. Then it calls the mode's
   `allocate` (`runtime/table.h`).
4. `kTable` (`runtime/mode.cpp`) has `last` (`runtime/last.cpp`) there.

Elsewhere:

## Another section

`next` (`runtime/last.cpp`) is no step, and `nothing` neither.
"""


class TheWalks(planted.Planted):
    TREE = TREE
    PAGE = PAGE

    def check(self, root, page):
        return check_walks.Walks(root, page).faults()

    def expect(self, fault, old, new):
        self.assertIn(fault, "\n".join(self.faults(old, new)))

    def test_a_page_that_is_right(self):
        self.assertEqual(self.faults(), [])

    def test_a_function_that_is_not_there(self):
        self.expect("symbols/family.cpp has no second", "`routed` (`symbols/family.cpp`)", "`second` (`symbols/family.cpp`)")
        self.expect("runtime/last.cpp has no absent", "`next` (", "`absent` (")

    def test_a_file_that_is_not_there(self):
        self.expect("there is no route/gone.h", "route/first.h", "route/gone.h")

    def test_a_step_that_the_code_does_not_take(self):
        self.expect("routed in symbols/family.cpp does not call last", "calls `first` (`route/first.h`, inlined)",
                    "calls `last` (`runtime/last.cpp`)")

    def test_a_step_that_only_a_comment_takes(self):
        self.expect("first in route/first.h does not call last", "`allocate` (`runtime/table.h`).\n4.",
                    "`last` (`runtime/last.cpp`).\n4.")

    def test_a_table_without_the_function(self):
        self.expect("kTable in runtime/mode.cpp does not call next", "has `last` (", "has `next` (")

    def test_a_step_that_nothing_leads_to(self):
        self.expect("nothing before calls keep", "3. `first` looks.", "3. `keep` (`runtime/table.h`) looks.")

    def test_a_step_without_a_caller(self):
        self.expect("no function stands before routed", "2. `routed` calls", "2. Then `routed` calls")

    def test_bodies_of_several_lines_and_of_one(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "code.h"
            path.write_text(TREE["runtime/table.h"] + TREE["preload/route/first.h"])
            code = check_walks.Code(path)
            self.assertIn("last", code.body("keep"))
            self.assertIn("missed", code.body("first"))
            self.assertNotIn("last", code.body("first"))
            self.assertEqual(code.body("allocate"), "")


if __name__ == "__main__":
    unittest.main()
