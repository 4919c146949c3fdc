"""Proves that the walks of docs/architecture-guest.md are the code's: each function lies in the file that the page names, and
calls what the page says it calls. Fails with each step that the code does not take.

A walk is a numbered list in a section "The way of …". In a step, what stands between backticks is a function or a file. A file
is that of the function before it. A function without one lies where it was last said to lie, or else beside its caller. The
function with which a sentence begins calls the others of the sentence; a sentence that begins with a word goes on with the
caller before it. So the name of each must occur in the caller's body. A caller has been named before; only a table of
functions, kName, comes from elsewhere. Everywhere on the page, a function with a file in brackets behind it lies there.

Calls through pointers, macros and functions between the two cannot be told from the text: the page names what stands in the
body.
"""

import pathlib
import re
import sys

PAGE = "docs/architecture-guest.md"
SECTION = re.compile(r"^## (The way of .*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\d+\. (.*(?:\n {2,}\S.*)*)", re.MULTILINE)
TOKEN = re.compile(r"`([^`]+)`")
NAME = re.compile(r"~?\w+(?:::~?\w+)*")
SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z`])")
LOCATED = re.compile(r"`(\w+(?:::\w+)*)` \(`([\w./]+/[\w.]+)`")
TABLE = re.compile(r"k[A-Z]\w*")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
STATEMENT = re.compile(r"\s*(?:if|for|while|switch|return|else|case)\b")


def last_part(name):
    return name.rsplit("::", 1)[-1]


def is_file(token):
    return "/" in token


def resolve(root, name):
    """The file of this name below preload/, where most of the page's files lie, or below the root."""
    return next((path for path in (root / "preload" / name, root / name) if path.is_file()), None)


class Code:
    """What can be told of a source by its text alone."""

    def __init__(self, path):
        self.assembly = path.suffix == ".S"
        self.text = COMMENT.sub("", path.read_text())

    def has(self, name):
        """True for what the file defines, declares or, as a table does, has room for."""
        part = re.escape(last_part(name))
        if self.assembly:
            return re.search(rf"\b{part}\b", self.text) is not None
        owner = name.rsplit("::", 1)[0] if "::" in name else ""
        return owner in self.text and re.search(rf"\b{part}(?:\)?\s*\(|\s*\{{)", self.text) is not None

    def body(self, name):
        """What stands in each definition of this name."""
        if self.assembly:
            return self.text
        begins = re.compile(rf"^( {{0,2}})(?=\S)[^;={{}}]*?\b{re.escape(last_part(name))}(?:\(|\{{)")
        found, lines = [], self.text.splitlines()
        for number, line in enumerate(lines):
            begin = begins.match(line)
            if begin is None or STATEMENT.match(line):
                continue
            found += self.definition(lines[number:], begin)
        return "\n".join(found)

    @staticmethod
    def definition(lines, begin):
        """The rest of its first line, or all up to a bracket that is indented as that line is; nothing for a declaration."""
        opened = re.match(r"[^;{]*\{([^\n]*)", "\n".join([lines[0][begin.end() - 1:], *lines[1:]]))
        if opened is None:
            return []
        if "}" in opened.group(1):
            return [opened.group(1)]
        body = "\n".join(lines)
        closes = re.search(rf"^{begin.group(1)}\}}", body, re.MULTILINE)
        return [body[begin.end():closes.start() if closes else None]]


class Walks:
    """Follows the walks of one page through the tree at `root`."""

    def __init__(self, root, text):
        self.root = root
        self.text = text
        self.files = {}  # of each function that was named
        self.codes = {}
        self.steps = 0

    def code(self, name):
        if name not in self.codes:
            self.codes[name] = Code(resolve(self.root, name))
        return self.codes[name]

    def faults(self):
        for name, file in LOCATED.findall(self.text):
            yield from self.misplaced(name, file)
        for title, section in SECTION.findall(self.text):
            for step in STEP.findall(section):
                for fault in self.faults_of_step(" ".join(step.split())):
                    yield f"{title}: {fault}"

    def misplaced(self, name, file):
        if resolve(self.root, file) is None:
            yield f"there is no {file}" if file else f"no file is named for {name}"
        elif not self.code(file).has(name):
            yield f"{file} has no {name}"

    def faults_of_step(self, step):
        caller = None
        for sentence in SENTENCE_END.split(step):
            tokens = TOKEN.findall(sentence)
            if sentence.startswith("`"):
                caller = tokens[0]
                if not TABLE.fullmatch(caller) and self.files and caller not in self.files:
                    yield f"nothing before calls {caller}"
            yield from self.faults_of_sentence(caller, tokens)

    def faults_of_sentence(self, caller, tokens):
        for token, after in zip(tokens, [*tokens, ""][1:], strict=True):
            if is_file(token):
                continue
            if NAME.fullmatch(token) is None:
                yield f"`{token}` is neither a function nor a file"
                continue
            if caller is None:
                yield f"no function stands before {token} that could call it"
                continue
            file = after if is_file(after) else self.files.get(token) or self.files.get(caller, "")
            self.files[token] = file
            misplaced = [*self.misplaced(token, file)]
            yield from misplaced
            if token != caller and not misplaced:
                yield from self.missing_call(caller, token)

    def missing_call(self, caller, called):
        self.steps += 1
        file = self.files[caller]
        if resolve(self.root, file) is None:
            return
        if re.search(rf"\b{re.escape(last_part(called))}\b", self.code(file).body(caller)) is None:
            yield f"{caller} in {file} does not call {called}"


def main():
    root = pathlib.Path(sys.argv[1])
    walks = Walks(root, (root / PAGE).read_text())
    found = [*walks.faults()]
    if walks.steps == 0:
        found.append(f"{PAGE} has no walk: a numbered list in a section that begins with \"The way of\"")
    print("\n".join(found) or f"{PAGE}: the code takes all {walks.steps} steps")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
