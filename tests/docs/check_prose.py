"""How easily the documents read: words in a sentence and in a paragraph, page by page, and in all documents together.

check_prose.py ROOT           prints the figures, and fails where a page reads worse than tests/docs/prose.csv says it did, a
                              paragraph is longer than anybody reads, or the documents take more time than a reader has
check_prose.py ROOT --write   writes tests/docs/prose.csv anew

Prose is what stands in paragraphs and in list items. Code, tables, headings and link targets are left out. The length of
documents counts all of their words, as `wc -w` does.
"""

import csv
import os
import pathlib
import re
import sys

MOST_WORDS_OF_A_MEAN = 22  # in a sentence, over a page
MOST_WORDS_OF_A_PARAGRAPH = 90
# At 250 words a minute a reader needs three hours for all documents. Who serves a program reads two pages of them before he
# begins, and has a quarter of an hour: what options do, and what is not served.
MOST_WORDS_OF_ALL = 45_000
MOST_WORDS_OF_A_PAGE = {"docs/serve.md": 2_000, "docs/limits.md": 1_200}
NOT_OURS = ("build", "node_modules")  # folders that are made
SLACK = 0.5  # words by which a mean may grow, so that one longer sentence is no failure
ITEM = re.compile(r"^\s*([-*+]|\d+\.)\s+")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(\[*_`]*[A-Z0-9`])")
NO_END = re.compile(r"\b(e\.g|i\.e|vs|cf|etc|No|Fig)\.$")


def pages_of(root):
    pages = [root / "README.md", root / "CONTRIBUTING.md", root / "examples" / "README.md", *sorted((root / "docs").glob("*.md"))]
    return [page for page in pages if page.exists()]


def documents_of(root):
    """All that lie in the tree, committed or not."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in NOT_OURS and not name.startswith(".")]
        yield from (pathlib.Path(folder, name) for name in names if name.endswith(".md"))


def without_code_and_tables(text):
    text = re.sub(r"^ *```.*?^ *```[^\n]*$", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = text.splitlines()
    return ["" if line.lstrip().startswith(("|", "#", ">", "<")) or line.startswith("    ") and not ITEM.match(line) else line
            for line in lines]


def plain(text):
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`[^`]*`", "code", text)


def paragraphs_of(text):
    """List items count as paragraphs of their own."""
    current = []
    for line in [*without_code_and_tables(text), ""]:
        if (not line.strip() or ITEM.match(line)) and current:
            yield plain(" ".join(current))
            current = []
        if line.strip():
            current.append(ITEM.sub("", line).strip())


def sentences_of(paragraph):
    begin = 0
    for match in SENTENCE_END.finditer(paragraph):
        if not NO_END.search(paragraph[begin:match.start()]):
            yield paragraph[begin:match.start()]
            begin = match.end()
    yield paragraph[begin:]


def words_in(text):
    return sum(any(character.isalnum() for character in word) for word in text.split())


def figures_of(page):
    """(words in a sentence on average, words in the longest paragraph, words)"""
    paragraphs = list(paragraphs_of(page.read_text()))
    sentences = [words for paragraph in paragraphs for sentence in sentences_of(paragraph) if (words := words_in(sentence))]
    longest = max(map(words_in, paragraphs), default=0)
    return (sum(sentences) / len(sentences) if sentences else 0.0, longest, sum(sentences))


def complaints(name, figures, recorded):
    mean, longest, _ = figures
    old_mean, old_longest = recorded if recorded else (MOST_WORDS_OF_A_MEAN, MOST_WORDS_OF_A_PARAGRAPH)
    if mean > old_mean + SLACK and (recorded or mean > MOST_WORDS_OF_A_MEAN):
        yield f"{name}: {mean:.1f} words in a sentence, {old_mean:.1f} before: shorten it"
    if longest > max(old_longest, MOST_WORDS_OF_A_PARAGRAPH):
        yield f"{name}: a paragraph of {longest} words, {old_longest} before: split it"


def complaints_of_length(words):
    """Of the words of each document, by its name."""
    total = sum(words.values())
    if total > MOST_WORDS_OF_ALL:
        yield f"all documents: {total} words, {MOST_WORDS_OF_ALL} at most: say less, or say it once"
    for name, most in MOST_WORDS_OF_A_PAGE.items():
        if name not in words:
            yield f"{name}: there is no such page, and its readers look for it"
        elif words[name] > most:
            yield f"{name}: {words[name]} words, {most} at most: what its reader does not decide by belongs on another page"


def read_recorded(path):
    with path.open() as file:
        return {row["page"]: (float(row["mean"]), int(row["longest"])) for row in csv.DictReader(file)}


def write_recorded(path, figures):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["page", "mean", "longest"])
        writer.writerows([name, f"{mean:.1f}", longest] for name, (mean, longest, _) in sorted(figures.items()))


def main():
    root = pathlib.Path(sys.argv[1])
    figures = {page.relative_to(root).as_posix(): figures_of(page) for page in pages_of(root)}
    recorded_in = root / "tests" / "docs" / "prose.csv"
    if sys.argv[2:] == ["--write"]:
        write_recorded(recorded_in, figures)
    recorded = read_recorded(recorded_in)
    found = []
    for name, of_page in figures.items():
        print(f"{of_page[0]:5.1f} words in a sentence, {of_page[1]:4} in the longest paragraph, {of_page[2]:6} in all: {name}")
        found += complaints(name, of_page, recorded.get(name))
    words = {document.relative_to(root).as_posix(): len(document.read_text().split()) for document in documents_of(root)}
    print(f"{sum(words.values())} words in all {len(words)} documents, code and tables included")
    found += complaints_of_length(words)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
