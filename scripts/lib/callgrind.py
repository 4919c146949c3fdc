"""Instructions of single calls, as callgrind counts them: the same for the same binary and input, whatever else the machine
does."""

import re

from peers import printed_under


def counts_of_calls(command, environment, folder, parts_of_callers):
    """For each part: (calls, instructions) of all calls that functions whose name has this part make."""
    out = folder / "callgrind.out"
    printed_under(environment, ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command])
    text = out.read_text()
    return [_count(text, part) for part in parts_of_callers]


def _count(text, part_of_caller):
    """The loader's work at the first call is left out."""
    names, caller, callee, calls = {}, "", "", None
    all_calls = all_instructions = 0
    for line in text.splitlines():
        if found := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line):
            is_callee, number, name = found.groups()
            name = names.setdefault(number, name)
            caller, callee = (caller, name) if is_callee else (name, callee)
        elif line.startswith("calls="):
            calls = int(line[6:].split()[0])
        elif calls is not None:
            if part_of_caller in caller and not callee.startswith("_dl_"):
                all_calls += calls
                all_instructions += int(line.split()[1])
            calls = None
    return all_calls, all_instructions
