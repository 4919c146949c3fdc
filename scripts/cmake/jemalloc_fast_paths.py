#!/usr/bin/env python3
"""jemalloc_fast_paths.py ARCHIVE OUTPUT: jemalloc's two fast paths as assembler macros, for x86-64.

    .macro jemalloc_malloc_fast slow=…      .macro jemalloc_free_fast slow=…

An exported malloc that asks its question and then jumps to jemalloc's costs 8 % more than jemalloc alone, all of it for the
jump. So the question is put in front of a copy of the fast path, which is a leaf function of some 200 bytes. A copy keeps
every byte but two kinds: relocated fields, whose relocations are repeated, and the jumps that leave for jemalloc's slow
path, which go to the macro's argument or by default where they went.

Code of another shape than expected (another version, another compiler) becomes a jump to the whole function: slower, never
wrong.
"""

import os
import re
import subprocess
import sys
import tempfile

MEMBER = "jemalloc.pic.o"
FIELD = 4  # bytes of a relocated field or a jump's distance
RELOCATIONS = {"R_X86_64_REX_GOTPCRELX", "R_X86_64_GOTPCRELX", "R_X86_64_GOTPCREL", "R_X86_64_GOTTPOFF"}


class UnexpectedShape(Exception):
    pass


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def place_of(function, path):
    match = re.search(rf"^([0-9a-f]+) ([0-9a-f]+) T {function}$", output_of("nm", "-S", path), re.MULTILINE)
    if not match:
        raise UnexpectedShape(f"{function} is not there")
    return int(match[1], 16), int(match[2], 16)


def relocations_in(start, size, path):
    """Offset in the function -> (type, symbol, addend)."""
    text = output_of("readelf", "-rW", path).split("'.rela.text'")[1].split("Relocation section")[0]
    found = {}
    for line in text.splitlines():
        fields = line.split()
        if len(fields) != 7 or not start <= int(fields[0], 16) < start + size:
            continue
        if fields[2] not in RELOCATIONS:
            raise UnexpectedShape(f"relocation {fields[2]}")
        found[int(fields[0], 16) - start] = (fields[2], fields[4], f"{fields[5]} 0x{fields[6]}")
    return found


def instructions_of(start, size, path):
    """(offset in the function, bytes, mnemonic, operands) of each."""
    listing = output_of("objdump", "-dw", f"--start-address={start}", f"--stop-address={start + size}", path)
    for line in listing.splitlines():
        fields = line.split("\t")
        if len(fields) < 3 or not re.fullmatch(r"\s*[0-9a-f]+:", fields[0]):
            continue
        mnemonic, _, operands = fields[2].partition(" ")
        yield int(fields[0].strip(" :"), 16) - start, bytes.fromhex(fields[1]), mnemonic, operands.strip()


def slow_path_of_exit(code, mnemonic, operands, start, size):
    """Where a jump leaves the function to; None for any other instruction."""
    if mnemonic.startswith("call"):
        raise UnexpectedShape("a call")
    if not mnemonic.startswith("j"):
        return None
    target = re.fullmatch(r"([0-9a-f]+) <(\w+)(\+0x[0-9a-f]+)?>", operands)
    if target and start <= int(target[1], 16) < start + size:
        return None
    if not target or target[3] or len(code) not in (5, 6):
        raise UnexpectedShape(f"{mnemonic} {operands}")
    return target[2]


def body_of(function, path):
    """The macro's lines and the slow path."""
    start, size = place_of(function, path)
    relocations = relocations_in(start, size, path)
    slow_paths = set()
    lines = []
    for offset, code, mnemonic, operands in instructions_of(start, size, path):
        slow_path = slow_path_of_exit(code, mnemonic, operands, start, size)
        fields = [at - offset for at in relocations if offset <= at < offset + len(code)]
        if slow_path:
            slow_paths.add(slow_path)
            lines += lines_of(code, len(code) - FIELD, ("R_X86_64_PLT32", "\\slow", f"- {FIELD:#x}"))
        elif fields:
            lines += lines_of(code, fields[0], relocations.pop(offset + fields[0]))
        else:
            lines.append(as_bytes(code))
    if relocations or len(slow_paths) != 1:
        raise UnexpectedShape("fields that belong to no instruction, or not one slow path")
    return lines, slow_paths.pop()


def lines_of(code, field, relocation):
    kind, symbol, addend = relocation
    type_of_symbol = [f".type {symbol}, %tls_object"] if kind == "R_X86_64_GOTTPOFF" else []
    return [as_bytes(code[:field]), *type_of_symbol, f".reloc ., {kind}, {symbol} {addend}",
            as_bytes(bytes(FIELD) + code[field + FIELD:])]


def as_bytes(code):
    return ".byte " + ", ".join(f"{byte:#04x}" for byte in code)


def macro(name, function, path):
    try:
        lines, slow_path = body_of(function, path)
    except UnexpectedShape as reason:
        print(f"jemalloc_fast_paths: {function}: {reason}; it will be jumped to", file=sys.stderr)
        lines, slow_path = ["jmp \\slow"], function
    return "\n".join([f".macro {name} slow={slow_path}", *(f"  {line}" for line in lines), ".endm", ""])


def main(archive, output):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, MEMBER)
        with open(path, "wb") as member:
            subprocess.run(["ar", "p", archive, MEMBER], check=True, stdout=member)
        macros = [macro("jemalloc_malloc_fast", "memo_je_malloc", path),
                  macro("jemalloc_free_fast", "memo_je_free", path)]
    with open(output, "w", encoding="ascii") as file:
        file.write("\n".join(macros))


if __name__ == "__main__":
    main(*sys.argv[1:])
