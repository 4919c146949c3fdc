"""What packages carry to other distributions: the build of the preset `portable`, and what it needs there."""

import pathlib
import re

from commands import output_of, setup
from places import ROOT

BUILD = ROOT / "build" / "portable"
DIST = ROOT / "build" / "dist"
LARGEST_COMMAND = 10_000_000  # bytes
OF_THE_C_LIBRARY = re.compile(r"(libc|libm|ld-linux.*)\.so")


def version():
    return re.search(r"project\(memomalloc VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def build_portable():
    setup()
    output_of([ROOT / "scripts/build", "portable"])


def install(prefix):
    build_portable()
    output_of(["cmake", "--install", BUILD, "--prefix", prefix, "--strip"])


def foreign_libraries(path):
    """What a file needs beside the C library."""
    needed = set(re.findall(r"NEEDED +(\S+)", output_of(["objdump", "-p", path])))
    return sorted(name for name in needed if not OF_THE_C_LIBRARY.match(name))


def least_c_library(paths):
    """The newest symbols that the files ask of the C library decide, as (2, 34)."""
    listed = output_of(["objdump", "-T", *paths])
    return max(tuple(map(int, number.split("."))) for number in re.findall(r"GLIBC_(\d+\.\d+)", listed))


def assert_portable(*files):
    """Ends the script where a file would not run on another distribution, or is larger than a stripped command."""
    for file in files:
        if foreign := foreign_libraries(file):
            raise SystemExit(f"{file.name} needs {', '.join(foreign)}; it has to bring all but the C library")
        if file.stat().st_size > LARGEST_COMMAND:
            raise SystemExit(f"{file.name} has {file.stat().st_size} bytes; {LARGEST_COMMAND} are the most")


def folder_in(words, usage):
    """Where the only argument says that packages go. Ends the script where there are others, or help is wanted."""
    if len(words) > 1 or any(word.startswith("-") for word in words):
        print(usage)
        raise SystemExit(0 if words[0] in ("-h", "--help") else 2)
    folder = pathlib.Path(words[0]).resolve() if words else DIST
    folder.mkdir(parents=True, exist_ok=True)
    return folder
