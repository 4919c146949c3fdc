"""Proves that the check of the glossary can fail: each wrong row is planted in a small page, which is right before."""

import unittest

import check_glossary
import planted

TREE = {
    "runtime/slab/lane.h": "// struct Ghost {\nstruct Lane {\n  int id;\n};\nclass Declared;\n",
    "runtime/slab/reason.h": "enum class Reason : unsigned char {\n  kKept,  // not kGone\n};\n",
    "runtime/plan/large_slot.h": "struct alignas(16) LargeSlot final {\n};\n",
    "planner/solve/hunt.h": "class Family : public Base {\n};\n",
    "planner/tool/family.cpp": "#include \"included.h\"\nclass Family {\n};\nconst char* text = \"the height of a plan\";\n",
}
PAGE = """# Glossary

| name | in the code | meaning |
|---|---|---|
| lane | `struct Lane` in `runtime/slab` | Memory. |
| large slot | `struct LargeSlot` in `runtime/plan` | A place. |
| kept | `Reason::kKept` in `runtime/slab` | A reason. |
| slab | folder `runtime/slab` | All lanes. |
| height | interface | Bytes. |
"""


class TheGlossary(planted.Planted):
    TREE = TREE
    PAGE = PAGE

    def check(self, root, page):
        return check_glossary.faults(check_glossary.Code(root), page)

    def expect(self, fault, old, new):
        self.assertEqual(self.faults(old, new), [fault])

    def test_a_page_that_is_right(self):
        self.assertEqual(self.faults(), [])

    def test_a_type_that_is_not_there(self):
        self.expect("lane: runtime/slab defines no struct Lanes", "`struct Lane`", "`struct Lanes`")
        self.expect("lane: runtime/slab defines no class Lane", "`struct Lane`", "`class Lane`")
        self.expect("lane: runtime/plan defines no struct Lane", "`struct Lane` in `runtime/slab`",
                    "`struct Lane` in `runtime/plan`")

    def test_a_type_that_only_a_comment_or_a_declaration_has(self):
        self.expect("ghost: runtime/slab defines no struct Ghost", "| lane | `struct Lane`", "| ghost | `struct Ghost`")
        self.expect("declared: runtime/slab defines no class Declared", "| lane | `struct Lane`", "| declared | `class Declared`")

    def test_a_type_that_is_two_things(self):
        self.expect("family: Family is another thing in planner/tool", "| lane | `struct Lane` in `runtime/slab`",
                    "| family | `class Family` in `planner/solve`")

    def test_an_enumerator_that_is_not_there(self):
        self.expect("gone: runtime/slab has no Reason::kGone", "| kept | `Reason::kKept`", "| gone | `Reason::kGone`")

    def test_a_folder_that_is_not_there(self):
        self.expect("slab: there is no folder runtime/slabs with sources", "folder `runtime/slab`", "folder `runtime/slabs`")

    def test_a_word_that_no_user_meets(self):
        for word in ("turn", "included"):
            self.expect(f"{word}: no string of the code has it: users do not meet it", "| height |", f"| {word} |")

    def test_a_word_twice(self):
        self.expect("lane: 2 rows", "| height | interface", "| Lane | `struct Lane` in `runtime/slab`")
        self.expect("largeslot: 2 rows", "| height | interface", "| large-slot | `struct LargeSlot` in `runtime/plan`")

    def test_another_name_than_the_types(self):
        self.expect("strip: Lane does not bear its name", "| lane |", "| strip |")
        self.expect("reason: kKept does not bear its name", "| kept |", "| reason |")

    def test_a_cell_that_says_nothing(self):
        self.expect("height: somewhere is neither a type, an enumerator, a folder nor interface", "| interface |",
                    "| somewhere |")

    def test_a_row_without_a_meaning(self):
        self.expect("height: a row has 3 cells", "| Bytes. |", "|")


class OneSense(planted.Planted):
    TREE = TREE
    PAGE = "word,folders\nlane,runtime\nfamily,planner/solve planner/tool\nghost,\n"

    def check(self, root, page):
        return check_glossary.faults_of_senses(check_glossary.Code(root), page)

    def test_words_of_one_sense_each(self):
        self.assertEqual(self.faults(), [], "only a comment has the last one")

    def test_a_word_of_two_senses(self):
        self.assertEqual(self.faults("planner/solve planner/tool", "planner/solve"),
                         ["family: Family in planner/tool is of another sense, or its folder is missing in one_sense.csv"])
        self.assertEqual(self.faults("ghost", "slot"),
                         ["slot: LargeSlot in runtime/plan is of another sense, or its folder is missing in one_sense.csv"])

    def test_a_folder_that_lacks_the_word(self):
        self.assertEqual(self.faults("lane,runtime", "lane,runtime planner"), ["lane: no name in planner bears it"])

    def test_a_word_is_whole(self):
        self.assertEqual([check_glossary.bears(name, "family") for name in ("kFamily", "join_families", "familyOf", "familiar")],
                         [True, True, True, False])


if __name__ == "__main__":
    unittest.main()
