"""How easily the documents read: words in a sentence and in a paragraph, page by page.

check_prose.py ROOT           prints the figures, and fails where a page reads worse than tests/docs/prose.csv says it did, or a
                              paragraph is longer than anybody reads
check_prose.py ROOT --write   writes tests/docs/prose.csv anew

Prose is what stands in paragraphs and in list items. Code, tables, headings and link targets are left out.
"""

import csv
import pathlib
import re
import sys

MOST_WORDS_OF_A_MEAN = 22  # in a sentence, over a page
MOST_WORDS_OF_A_PARAGRAPH = 90
SLACK = 0.5  # words by which a mean may grow, so that one longer sentence is no failure
ITEM = re.compile(r"^\s*([-*+]|\d+\.)\s+")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(\[*_`]*[A-Z0-9`])")
NO_END = re.compile(r"\b(e\.g|i\.e|vs|cf|etc|No|Fig)\.$")


def pages_of(root):
    pages = [root / "README.md", root / "CONTRIBUTING.md", root / "examples" / "README.md", *sorted((root / "docs").glob("*.md"))]
    return [page for page in pages if page.exists()]


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
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
