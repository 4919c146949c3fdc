"""Proves that the check of the types can fail, and that it tells what files share from what they hide."""

import unittest

import check_types

HEADER = "namespace memo::planner {\nstruct Part {\n  int a;\n};\n}  // namespace memo::planner\n"


class Types(unittest.TestCase):
    def complaints(self, second):
        return check_types.twice_defined([("a.h", HEADER), ("b.h", second)])

    def test_one_name_twice_in_a_namespace(self):
        self.assertEqual(self.complaints("namespace memo::planner {\nclass Part : public Whole {\n"),
                         ["memo::planner::Part is defined in a.h and in b.h"])

    def test_another_namespace(self):
        self.assertEqual(self.complaints("namespace memo::learn {\nstruct Part {\n"), [])

    def test_a_declaration(self):
        self.assertEqual(self.complaints("namespace memo::planner {\nstruct Part;\n"), [])

    def test_a_type_that_its_file_hides(self):
        hidden = "namespace memo::planner {\nnamespace {\nstruct Part {\n};\n}  // namespace\n"
        self.assertEqual(self.complaints(hidden), [])
        self.assertEqual(len(self.complaints(hidden + "struct Part {\n")), 1)

    def test_a_type_in_another_type(self):
        self.assertEqual(self.complaints("namespace memo::planner {\nstruct Whole {\n  struct Part {\n"), [])


if __name__ == "__main__":
    unittest.main()
