"""Proves that each word of docs/glossary.md names one thing that the code has. Fails with each row that does not.

A row of the table is: name, where it is in the code, meaning. The second cell is one of these:
  `struct NAME` in `FOLDER`, or class, enum class       a source right in that folder defines the type, and no other folder does
  `ENUM::NAME` in `FOLDER`                              a source right in that folder has this enumerator
  folder `FOLDER`                                       the folder has sources
  interface                                             a string of the code has the word: an option, a message, a figure
What a word names bears the word, but for blanks and hyphens.

A word that could have two senses has a row in one_sense.csv: the word, and the folders whose names bear it. Names are those of files,
types, functions and variables. A name elsewhere is either of the same sense, and its folder joins the row, or it takes another word.
"""

import collections
import csv
import pathlib
import re
import sys

PAGE = "docs/glossary.md"
ONE_SENSE = pathlib.Path(__file__).with_name("one_sense.csv")
LAYERS = ("runtime", "preload", "planner")
HEADER = ["name", "in the code", "meaning"]
TYPE = re.compile(r"^ *(struct|class|enum class|enum) (?:alignas\(\d+\) )?(\w+)(?: final)?(?: : [^;{]*)?\s*\{", re.MULTILINE)
ENUM = re.compile(r"^ *enum(?: class)? (\w+)[^;{]*\{(.*?)\}", re.MULTILINE | re.DOTALL)
NO_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|^\s*#\s*include[^\n]*", re.DOTALL | re.MULTILINE)
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
NAMED = re.compile(r"`(struct|class|enum class|enum) (\w+)` in `([\w/]+)`")
ENUMERATOR = re.compile(r"`(\w+::\w+)` in `([\w/]+)`")
FOLDER = re.compile(r"folder `([\w/]+)`")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class Code:
    """The types, enumerators, strings and names of the tree at `root`, with the folders that have them."""

    def __init__(self, root):
        self.types, self.enumerators = collections.defaultdict(set), collections.defaultdict(set)
        self.folders, self.names, strings = set(), collections.defaultdict(set), []
        for path in (path for layer in LAYERS for path in (root / layer).rglob("*") if path.suffix in (".h", ".cpp")):
            folder = path.parent.relative_to(root).as_posix()
            self.folders.update([folder, *(part.as_posix() for part in pathlib.PurePosixPath(folder).parents)])
            text = NO_CODE.sub("", path.read_text())
            for kind, name in TYPE.findall(text):
                self.types[name].add((kind, folder))
            for name, body in ENUM.findall(text):
                self.enumerators[folder].update(f"{name}::{one}" for one in re.findall(r"\bk\w+", body))
            strings += STRING.findall(text)
            self.names[folder].update([path.stem, *IDENTIFIER.findall(STRING.sub("", text))])
        self.strings = "\n".join(strings).lower()


def plain(word):
    return re.sub(r"[ _-]", "", word).lower()


def rows_of(text):
    """The cells of each row of the page's tables."""
    cells = ([cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if line.startswith("|"))
    return [row for row in cells if row != HEADER and not set(row[0]) <= set("-: ")]


def fault_of_type(code, kind, name, folder):
    if (kind, folder) not in code.types[name]:
        return f"{folder} defines no {kind} {name}"
    others = sorted({other for _, other in code.types[name]} - {folder})
    return f"{name} is another thing in {', '.join(others)}" if others else None


def fault_of(code, word, place):
    """(what bears the word, what is wrong with it or None)"""
    if match := NAMED.fullmatch(place):
        return match[2], fault_of_type(code, *match.groups())
    if match := ENUMERATOR.fullmatch(place):
        return match[1].split("::")[1], None if match[1] in code.enumerators[match[2]] else f"{match[2]} has no {match[1]}"
    if match := FOLDER.fullmatch(place):
        return match[1].rsplit("/", 1)[-1], None if match[1] in code.folders else f"there is no folder {match[1]} with sources"
    if place == "interface":
        found = re.search(rf"\b{re.escape(word.lower())}\b", code.strings)
        return word, None if found else "no string of the code has it: users do not meet it"
    return word, f"{place} is neither a type, an enumerator, a folder nor interface"


def bears(name, word):
    """Whether one of the words that the name is made of is this one, or its plural."""
    return any(part.lower() in (word, f"{word}s", f"{word[:-1]}ies") for part in WORD.findall(name))


def faults_of_sense(code, word, folders):
    """Names with the word elsewhere, and folders that have none."""
    bearing = {folder: name for folder, names in sorted(code.names.items()) if (name := min(filter(lambda one: bears(one, word), names), default=""))}
    inside = {folder: [part for part in folders if f"{folder}/".startswith(f"{part}/")] for folder in bearing}
    for folder, parts in inside.items():
        if not parts:
            yield f"{word}: {bearing[folder]} in {folder} is of another sense, or its folder is missing in {ONE_SENSE.name}"
    for part in folders:
        if not any(part in parts for parts in inside.values()):
            yield f"{word}: no name in {part} bears it"


def faults_of_senses(code, text):
    for row in csv.DictReader(text.splitlines()):
        yield from faults_of_sense(code, row["word"], row["folders"].split())


def faults(code, text):
    rows = rows_of(text)
    for word, count in collections.Counter(plain(row[0]) for row in rows).items():
        if count > 1:
            yield f"{word}: {count} rows"
    for row in rows:
        named, fault = fault_of(code, *row[:2]) if len(row) == len(HEADER) else (row[0], f"a row has {len(HEADER)} cells")
        if fault:
            yield f"{row[0]}: {fault}"
        elif plain(row[0]) not in plain(named):
            yield f"{row[0]}: {named} does not bear its name"


def main():
    root = pathlib.Path(sys.argv[1])
    text = (root / PAGE).read_text()
    code = Code(root)
    found = [*faults(code, text), *faults_of_senses(code, ONE_SENSE.read_text())] if rows_of(text) else [f"{PAGE} has no table"]
    print("\n".join(found) or f"{PAGE}: each of {len(rows_of(text))} words names one thing")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
