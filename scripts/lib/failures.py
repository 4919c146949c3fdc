"""python3 scripts/lib/failures.py FILE: why tests failed, from ctest's JUnit file: the last lines of each."""

import pathlib
import sys
import xml.etree.ElementTree

LINES = 12

for case in xml.etree.ElementTree.parse(pathlib.Path(sys.argv[1])).iter("testcase"):
    if case.get("status") == "fail":
        print(f"{case.get('name')} failed:", *(case.findtext("system-out") or "").strip().splitlines()[-LINES:], sep="\n  ")
