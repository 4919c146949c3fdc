"""Proves that the documents lead where they say: every relative link is a file of the project, and where it names a
heading, that file has it. Fails with each link that does not."""

import pathlib
import re
import subprocess
import sys

LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(path):
    """Of its headings, as GitHub makes them."""
    for heading in re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def broken(document):
    for name, anchor in LINK.findall(document.read_text()):
        target = (document.parent / name).resolve() if name else document
        if not target.exists():
            yield f"{document}: there is no {name}"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{document}: {target.name} has no heading #{anchor}"


def main():
    root = pathlib.Path(sys.argv[1])
    listed = subprocess.run(["git", "-C", root, "ls-files", "*.md"], capture_output=True, text=True, check=False).stdout.split()
    documents = [root / name for name in listed] or [root / "README.md", *(root / "docs").glob("*.md")]
    faults = [fault for document in documents for fault in broken(document)]
    print("\n".join(faults) or f"{len(documents)} documents, every link leads somewhere")
    return 1 if faults else 0


sys.exit(main())
