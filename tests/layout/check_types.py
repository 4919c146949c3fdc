"""Proves that no two files define a type of the same name in the same namespace. The linker would take the functions of one of
them for both, and a program of many files may then destroy an object as if it were the other one. Types without a name outside
of their file, in an anonymous namespace, may have any name. Fails with the names and their files."""

import collections
import pathlib
import re
import sys

LAYERS = ("runtime", "preload", "planner")
OPENS = re.compile(r"^namespace ([\w:]+) \{")
OPENS_ANONYMOUS = re.compile(r"^namespace \{")
CLOSES_ANONYMOUS = re.compile(r"^\}  // namespace$")
DEFINES = re.compile(r"^(?:struct|class|enum class|enum|union) (?:alignas\(\d+\) )?(\w+)(?: final)?(?: : [^;{]*)?\s*\{")


def types_in(text):
    """(namespace, name) of each type that other files can see."""
    namespace, hidden = "", False
    for line in text.splitlines():
        if opened := OPENS.match(line):
            namespace = opened[1]
        elif OPENS_ANONYMOUS.match(line):
            hidden = True
        elif CLOSES_ANONYMOUS.match(line):
            hidden = False
        elif not hidden and (defined := DEFINES.match(line)):
            yield namespace, defined[1]


def sources(root):
    return sorted(path for layer in LAYERS for path in (root / layer).rglob("*") if path.suffix in (".h", ".cpp"))


def twice_defined(files):
    """The complaints about files, given as pairs of a name and a text."""
    found = collections.defaultdict(set)
    for name, text in files:
        for one in types_in(text):
            found[one].add(name)
    return [f"{'::'.join(filter(None, one))} is defined in {' and in '.join(sorted(names))}"
            for one, names in sorted(found.items()) if len(names) > 1]


def main():
    root = pathlib.Path(sys.argv[1])
    files = [(str(path.relative_to(root)), path.read_text()) for path in sources(root)]
    if len(files) < 100:
        sys.exit(f"check_types: {root} has {len(files)} sources, which cannot be all")
    complaints = twice_defined(files)
    print("\n".join(complaints) or f"{len(files)} sources define each type once")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
