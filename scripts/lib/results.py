"""The file in which a script keeps what it found, so that a run that was ended goes on where it was."""

import json
import os


class Results:
    """A file with what was found of each case. Written whole after each step."""

    def __init__(self, path):
        self.path = path
        self.cases = json.loads(path.read_text())["cases"] if path.exists() else {}

    def case(self, name):
        return self.cases.setdefault(name, {})

    def found(self, name, find):
        """Returns what there is of a case, which is found first where there is nothing."""
        if name not in self.cases:
            self.cases[name] = find()
            self.save()
        return self.cases[name]

    def rounds_of(self, name, versions):
        """Returns the rounds of a case that were taken with these versions of the engine and of the library. Forgets others."""
        case = self.case(name)
        if case.get("versions") != versions:
            case.update(versions=versions, rounds=[])
        return case["rounds"]

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_name(f"{self.path.name}.new")
        unfinished.write_text(json.dumps({"cases": self.cases}, indent=1) + "\n")
        os.replace(unfinished, self.path)
