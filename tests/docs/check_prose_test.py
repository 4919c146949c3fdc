"""Proves that the check of the prose can fail: a page that reads worse than before, a paragraph or a document that is too long,
and too many documents are each planted beside what is right."""

import pathlib
import tempfile
import unittest

import check_prose

AT_MOST = {**check_prose.MOST_WORDS_OF_A_PAGE}
REST = check_prose.MOST_WORDS_OF_ALL - sum(AT_MOST.values())


class ThePages(unittest.TestCase):
    def test_a_page_that_reads_as_before(self):
        self.assertEqual([*check_prose.complaints("page", (10.0, 90, 500), (10.0, 80))], [])

    def test_longer_sentences_than_before(self):
        self.assertEqual([*check_prose.complaints("page", (10.6, 80, 500), (10.0, 80))],
                         ["page: 10.6 words in a sentence, 10.0 before: shorten it"])

    def test_a_new_page_with_long_sentences(self):
        mean = check_prose.MOST_WORDS_OF_A_MEAN + 1.0
        self.assertEqual(len([*check_prose.complaints("page", (mean, 80, 500), None)]), 1)

    def test_a_paragraph_that_is_too_long(self):
        most = check_prose.MOST_WORDS_OF_A_PARAGRAPH
        self.assertEqual([*check_prose.complaints("page", (10.0, most + 1, 500), (10.0, 80))],
                         [f"page: a paragraph of {most + 1} words, 80 before: split it"])


class TheLength(unittest.TestCase):
    def complaints(self, **words):
        return [*check_prose.complaints_of_length({**AT_MOST, "docs/rest.md": REST, **words})]

    def test_documents_at_their_limits(self):
        self.assertEqual(self.complaints(), [])

    def test_a_word_too_many_in_all_documents(self):
        self.assertEqual(self.complaints(**{"README.md": 1}),
                         ["all documents: 45001 words, 45000 at most: say less, or say it once"])

    def test_a_word_too_many_on_a_page(self):
        for page, most in AT_MOST.items():
            found = self.complaints(**{page: most + 1, "docs/rest.md": REST - 1})
            self.assertEqual(len(found), 1)
            self.assertTrue(found[0].startswith(f"{page}: {most + 1} words, {most} at most"), found)

    def test_a_page_that_went_away(self):
        for page in AT_MOST:
            words = {name: most for name, most in AT_MOST.items() if name != page}
            self.assertEqual([*check_prose.complaints_of_length(words)],
                             [f"{page}: there is no such page, and its readers look for it"])


class TheDocuments(unittest.TestCase):
    def test_what_others_made_is_none(self):
        ours = ("README.md", "docs/lab/heap.md", "tests/new.md")
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in (*ours, "build/engines/README.md", "examples/node/node_modules/a/README.md", ".git/a.md", "docs/a.csv"):
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("words\n")
            self.assertEqual(sorted(document.relative_to(root).as_posix() for document in check_prose.documents_of(root)),
                             sorted(ours))


if __name__ == "__main__":
    unittest.main()
