"""Proves that nothing includes upward: runtime/ stands alone, preload/ may use runtime/, and planner/ may see of
the other two only the contracts it shares with them. examples/ knows nothing of the project, except for the
one that shows runtime/ and the planner used as libraries. Fails with the offending line."""

import pathlib
import re
import sys

LAYERS = ("runtime", "preload", "planner", "examples")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]((?:runtime|preload|planner|examples|tests)/[^">]+)[">]')
# Some checks ask the arena itself; see their headers.
ASK_THE_ARENA = {
    "planner/check/dry_run.cpp": {"runtime/arena.h", "runtime/serving.h", "runtime/statistics.h"},
    "planner/check/servable.cpp": {"runtime/plan_file.h"},
    "planner/doctor/machine.cpp": {"runtime/memory_room.h"},
}
CONTRACTS = {
    "runtime/plan_format.h",
    "runtime/guest_options.h",
    "preload/profile/trace_format.h",
}


def allowed(path: str, included: str) -> bool:
    layer = path.split("/", 1)[0]
    target = included.split("/", 1)[0]
    if target == layer:
        return True
    if path.startswith("examples/embedded/"):
        return target in {"runtime", "planner"}
    if layer == "preload":
        return target == "runtime"
    if included in ASK_THE_ARENA.get(path, ()):
        return True
    return layer == "planner" and included in CONTRACTS


def violations(root: pathlib.Path):
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*")):
            if path.suffix not in {".h", ".c", ".cpp", ".S"}:
                continue
            name = str(path.relative_to(root))
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if match and not allowed(name, match.group(1)):
                    yield f"{name}:{number}: {layer}/ must not include {match.group(1)}"


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    sources = [p for layer in LAYERS for p in (root / layer).rglob("*.h")]
    if len(sources) < 3:
        print(f"found only {len(sources)} headers under {root}: is this the project's root?")
        return 1
    found = list(violations(root))
    print("\n".join(found) or f"{len(sources)} headers, no include goes upward")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
