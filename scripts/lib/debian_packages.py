"""What Debian packages say that they need, and whether it is so."""

import re


def parsed_dependencies(text):
    """name -> (relation, version), or None where any version will do, of the field Depends."""
    matches = (re.fullmatch(r"(\S+)(?: \((\S+) (\S+)\))?", dependency) for dependency in re.split(r", *", text.strip()) if dependency)
    return {match[1]: match.group(2, 3) if match[2] else None for match in matches}


def number_of(version):
    return tuple(map(int, version.split(".")))


def wrong_dependencies(needed, own, least_c_library):
    """One sentence for each dependency that is too much or too little. `own` are the packages made together; `least_c_library` is
    what the files need, or None where they need none."""
    for name in sorted(needed.keys() - set(own) - {"libc6"}):
        yield f"depends on {name}"
    wanted = needed.get("libc6")
    if least_c_library and (not wanted or number_of(wanted[1]) < least_c_library):
        said = " ".join(wanted) if wanted else "no version"
        yield f"depends on {said} of libc6, and its files need {'.'.join(map(str, least_c_library))}"
