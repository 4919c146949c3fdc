"""How the programs of this folder make their passes: a number of them in a row, with one digest of all answers at the end as JSON;
or, with the word "asked" in the number's place, one for each line of their input, each answered with its digest."""
import hashlib
import json
import sys

from reporting import Report


def make_passes(forward):
    """`forward` makes a pass, and returns the parts of its answer as objects with a buffer."""
    if sys.argv[1] == "asked":
        for _ in sys.stdin:
            print(_digest_of(forward()), flush=True)
        return
    digest = hashlib.sha256()
    report = Report()
    for _ in range(int(sys.argv[1])):
        for part in forward():
            digest.update(part)
        report.note_answer()
    report.write()
    print(json.dumps({"answer": digest.hexdigest()}))


def _digest_of(parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
