"""Proves that every folder includes only what its README allows, that no two folders include each other by whatever way, and
that each folder has such a README. The guest includes the headers of the operating system in its platform folders alone, and
the planner in planner/system; a folder that needs one all the same says so. The drawing in docs/architecture.md shows the
floors as the includes make them.
Each folder with sources has one of tests below tests/ by the same name.
examples/ knows nothing of the project, except for the one that shows the arena and the planner used as libraries. Fails with
the offending lines.

The rule of a folder is the paragraph of its README that begins with "May include:": folders between backticks, each with all
that lies below it, or "nothing of ours". `memomalloc` are the public headers. A folder that needs a system header all the same
has a paragraph that begins with "System headers:", names it between backticks, and gives the reason.
"""

import pathlib
import re
import sys

LAYERS = ("runtime", "preload", "planner")
SOURCES = {".h", ".c", ".cpp", ".S"}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]((?:runtime|preload|planner|examples|tests|memomalloc)/[^">]+)[">]')
RULE = re.compile(r"^May include: (.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
SYSTEM_RULE = re.compile(r"^System headers: (.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
# The folders of each layer that stand between it and the operating system.
PLATFORMS = {
    "runtime": ("runtime/platform", "preload/platform"),
    "preload": ("runtime/platform", "preload/platform"),
    "planner": ("planner/system",),
}
BRACKETED = re.compile(r"^\s*#\s*include\s+<([^>]+)>")
# Headers in angle brackets that are not the system's: those of the C standard without signals and clocks, and the compiler's own.
NOT_OF_THE_SYSTEM = {f"{name}.h" for name in ("assert", "ctype", "errno", "float", "inttypes", "limits", "math", "stdalign", "stdarg",
                                              "stdbool", "stddef", "stdint", "stdio", "stdlib", "string", "cpuid")}
# The planner's libraries, and the header that declares the types of POSIX and no function.
NOT_OF_THE_SYSTEM_FOR_THE_PLANNER = re.compile(r"(fmt|spdlog)/.*|cxxabi\.h|sys/types\.h")
# The C++ names of system headers, and what is built upon them. The planner may use what C++ builds upon them.
SYSTEM_FOR_THE_PLANNER = {"csetjmp", "csignal"}
SYSTEM_IN_DISGUISE = {"csetjmp", "csignal", "ctime", "chrono", "condition_variable", "filesystem", "fstream", "future", "iostream",
                      "mutex", "semaphore", "shared_mutex", "thread"}
FEWEST_WORDS_OF_A_REASON = 4
PUBLIC = "runtime/include/"
DRAWING = "docs/architecture.md"
# The most that the rules of the folders below may allow: `runtime/` stands alone, the planner sees the formats and no code.
MOST = {
    "runtime": ("runtime", "memomalloc"),
    "preload": ("preload", "runtime", "memomalloc"),
    "planner": ("planner", "runtime/formats", "memomalloc"),
}


def is_within(folder, allowed):
    return folder == allowed or folder.startswith(allowed + "/")


def folder_of(name):
    return str(pathlib.PurePosixPath(name).parent)


def includes_of(root, top):
    """(file, line, folder of the file, what it includes) for each include of the project's own."""
    for path in sorted((root / top).rglob("*")):
        if path.suffix not in SOURCES:
            continue
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := INCLUDE.match(line):
                yield name, number, folder_of(name), match.group(1)


def folders_of(root):
    """Those with sources in them. The public headers are no layer: everybody may read them."""
    found = {folder_of(path.relative_to(root).as_posix()) for top in LAYERS for path in (root / top).rglob("*")
             if path.suffix in SOURCES}
    return sorted(folder for folder in found if not folder.startswith(PUBLIC))


def folders_without_tests(root):
    """Only a tree that has tests is asked for them: the planted ones have none."""
    if not (root / "tests").is_dir():
        return
    for folder in folders_of(root):
        if not any(path.name.endswith(("_test.cpp", "_test.py")) for path in (root / "tests" / folder).glob("*")):
            yield f"tests/{folder} has no test: what tests {folder} lies there"


def read_rule(readme):
    """The folders that it allows, or None where it states no rule."""
    found = RULE.search(readme.read_text()) if readme.exists() else None
    return re.findall(r"`([^`]+)`", found.group(1)) if found else None


def missing_rules(rules):
    return [f"{folder}/README.md states no rule: a paragraph that begins with \"May include:\"" for folder, rule in rules.items()
            if rule is None]


def rules_about_nothing(root, rules):
    return [f"{folder}/README.md allows {allowed}, which is no folder" for folder, rule in rules.items() for allowed in rule or ()
            if allowed != "memomalloc" and not (root / allowed).is_dir()]


def rules_that_allow_too_much(rules):
    return [f"{folder}/README.md allows {allowed}, which is not for {folder.split('/', 1)[0]}/" for folder, rule in rules.items()
            for allowed in rule or () if not any(is_within(allowed, most) for most in MOST[folder.split("/", 1)[0]])]


def broken_rules(root, rules):
    for top in LAYERS:
        for name, number, folder, included in includes_of(root, top):
            target = folder_of(included)
            if target != folder and not any(is_within(target, allowed) for allowed in rules.get(folder) or ()):
                yield f"{name}:{number}: {folder} may not include {included}"


def broken_by_examples(root):
    for name, number, _, included in includes_of(root, "examples"):
        layer = included.split("/", 1)[0]
        allowed = {"examples", "memomalloc"} | ({"runtime", "planner"} if name.startswith("examples/embedded/") else set())
        if layer not in allowed:
            yield f"{name}:{number}: an example may not include {included}"


def is_of_the_system(header, top):
    """True for a header that only the platform's folders may include."""
    if header.startswith("memomalloc/") or header in NOT_OF_THE_SYSTEM:
        return False
    if top == "planner" and NOT_OF_THE_SYSTEM_FOR_THE_PLANNER.fullmatch(header):
        return False
    return header.endswith(".h") or header in (SYSTEM_FOR_THE_PLANNER if top == "planner" else SYSTEM_IN_DISGUISE)


def system_includes_of(root):
    """(file, line, folder of the file, header) for each system header that a layer includes outside of its platform."""
    for top in LAYERS:
        for path in sorted((root / top).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in SOURCES or any(is_within(name, folder) for folder in PLATFORMS[top]):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if (match := BRACKETED.match(line)) and is_of_the_system(match.group(1), top):
                    yield name, number, folder_of(name), match.group(1)


def system_exceptions_of(root):
    """(folder, headers that its README allows, the reason in words) for each folder that states an exception."""
    for top in LAYERS:
        for readme in sorted((root / top).rglob("README.md")):
            if found := SYSTEM_RULE.search(readme.read_text()):
                reason = re.sub(r"`[^`]+`", "", found.group(1)).split()
                yield folder_of(readme.relative_to(root).as_posix()), set(re.findall(r"`([^`]+)`", found.group(1))), reason


def broken_system_rules(root):
    allowed = {folder: headers for folder, headers, _ in system_exceptions_of(root)}
    used = {}
    for name, number, folder, header in system_includes_of(root):
        used.setdefault(folder, set()).add(header)
        if header not in allowed.get(folder, ()):
            yield f"{name}:{number}: only {' and '.join(PLATFORMS[folder.split('/', 1)[0]])} may include <{header}>"
    for folder, headers, reason in system_exceptions_of(root):
        if len(reason) < FEWEST_WORDS_OF_A_REASON:
            yield f"{folder}/README.md gives no reason for its system headers"
        for header in sorted(headers - used.get(folder, set())):
            yield f"{folder}/README.md allows <{header}>, which nothing there includes"


def edges_of(root):
    edges = {}
    for top in LAYERS:
        for _, _, folder, included in includes_of(root, top):
            target = folder_of(included)
            if target != folder and target.split("/", 1)[0] in LAYERS:
                edges.setdefault(folder, set()).add(target)
    return edges


def find_circle(edges):
    """A way from a folder back to it, or an empty list."""
    done = set()

    def walk(folder, way):
        if folder in way:
            return way[way.index(folder):] + [folder]
        if folder in done:
            return []
        for target in sorted(edges.get(folder, ())):
            if circle := walk(target, way + [folder]):
                return circle
        done.add(folder)
        return []

    return next(filter(None, (walk(folder, []) for folder in sorted(edges))), [])


def floors_of(edges):
    """How many folders stand upon each other, at most."""
    heights = {}

    def height(folder):
        if folder not in heights:
            heights[folder] = 1 + max((height(target) for target in edges.get(folder, ())), default=0)
        return heights[folder]

    return max(map(height, edges), default=0)


def floors_by_layer(root):
    """{layer: {folder below it: its floor}}: one above the highest folder of the same layer that it includes."""
    edges = edges_of(root)

    def floor(folder, top):
        below = (target for target in edges.get(folder, ()) if is_within(target, top) and not target.startswith(PUBLIC))
        return 1 + max((floor(target, top) for target in below), default=0)

    return {top: {folder[len(top) + 1:]: floor(folder, top) for folder in folders_of(root) if is_within(folder, top)} for top in LAYERS}


def drawn_floors(text):
    """Reads the same from a drawing: lines of "layer/  floor  folders", where the layer stands in its first line only."""
    drawn = {}
    top = None
    for line in text.splitlines():
        if match := re.fullmatch(r"(?:(\w+)/)?\s+(\d+)  (\S.*)", line):
            top = match.group(1) or top
            drawn.setdefault(top, {}).update(dict.fromkeys(match.group(3).split(), int(match.group(2))))
    return drawn


def wrong_drawing(root):
    page = root / DRAWING
    if not page.exists():
        return
    drawn = drawn_floors(page.read_text())
    for top, floors in floors_by_layer(root).items():
        for folder in sorted(floors.keys() | drawn.get(top, {}).keys()):
            there, shown = floors.get(folder), drawn.get(top, {}).get(folder)
            if there != shown:
                yield f"{DRAWING} draws {top}/{folder} on floor {shown}; its includes put it on {there}"


def violations(root):
    rules = {folder: read_rule(root / folder / "README.md") for folder in folders_of(root)}
    found = [*missing_rules(rules), *rules_about_nothing(root, rules), *rules_that_allow_too_much(rules), *broken_rules(root, rules),
             *broken_by_examples(root), *broken_system_rules(root), *folders_without_tests(root)]
    circle = find_circle(edges_of(root))
    return found + (["a circle: " + " -> ".join(circle)] if circle else [*wrong_drawing(root)])


def main():
    root = pathlib.Path(sys.argv[1])
    folders = folders_of(root)
    if len(folders) < len(LAYERS):
        print(f"found only {len(folders)} folders with sources under {root}: is this the project's root?")
        return 1
    found = violations(root)
    print("\n".join(found) or f"{len(folders)} folders on {floors_of(edges_of(root))} floors, no include goes upward")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
