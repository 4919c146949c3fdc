"""Programs that are asked in turn are asked the same, and one that ends too early, or badly, is not taken for a measurement."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts" / "lib"))

from dialogues import ask_in_turn, same_answers

ANSWERING = """
import json, sys
for number, line in enumerate(sys.stdin):
    print(json.dumps({"answer": str(number), "seconds": 1, "faults": number}), flush=True)
"""


def program(text):
    return [sys.executable, "-c", text], {}


class Asked(unittest.TestCase):
    def ask(self, texts, requests):
        with tempfile.TemporaryDirectory() as folder:
            return ask_in_turn({str(number): program(text) for number, text in enumerate(texts)}, requests, pathlib.Path(folder))

    def assert_refused(self, text, message):
        with self.assertRaisesRegex(SystemExit, message):
            self.ask([ANSWERING, text], 25)

    def test_each_is_asked_every_request(self):
        dialogues = self.ask([ANSWERING, ANSWERING], 25)
        self.assertEqual([len(dialogue.requests) for dialogue in dialogues.values()], [25, 25])
        self.assertTrue(same_answers(dialogues))

    def test_totals_are_those_behind_the_first_requests(self):
        dialogue = self.ask([ANSWERING], 12)["0"]
        self.assertEqual(dialogue.total("faults", 10), 10 + 11)
        self.assertEqual(dialogue.total("seconds"), 12)

    def test_another_answer_is_noticed(self):
        self.assertFalse(same_answers(self.ask([ANSWERING, ANSWERING.replace("str(number)", "str(number % 24)")], 25)))

    def test_a_program_that_ends_too_early_is_refused_with_its_words(self):
        self.assert_refused(ANSWERING + "    if number == 12: sys.exit('enough')\n", "after 13 requests: enough")

    def test_a_program_that_ends_badly_is_refused(self):
        self.assert_refused(ANSWERING + "sys.exit(3)\n", "status 3")


unittest.main()
