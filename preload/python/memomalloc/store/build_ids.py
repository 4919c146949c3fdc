"""The build-id of a binary on the disk, which tells one build of it from another."""
import functools
import struct

_HEADER_BYTES = 64
_LOAD_BYTES = 56  # of a program header
_NOTE = 4
_GNU_BUILD_ID = 3
_MOST_NOTES = 1 << 20


@functools.lru_cache(maxsize=None)
def build_id_of(path):
    """As hexadecimal digits; "" for a file that is not there, is no binary of 64 bits, or has none."""
    try:
        with open(path, "rb") as file:
            return next(filter(None, map(_build_id_in, _notes_of(file))), "")
    except (OSError, ValueError, struct.error):
        return ""


def _notes_of(file):
    header = file.read(_HEADER_BYTES)
    if header[:6] != b"\x7fELF\x02\x01":  # 64 bits, little-endian
        return
    (place,) = struct.unpack_from("<Q", header, 32)
    size, count = struct.unpack_from("<HH", header, 54)
    file.seek(place)
    table = file.read(size * count)
    for at in range(0, len(table) - _LOAD_BYTES + 1, max(size, _LOAD_BYTES)):
        (kind,) = struct.unpack_from("<I", table, at)
        (offset,) = struct.unpack_from("<Q", table, at + 8)
        (length,) = struct.unpack_from("<Q", table, at + 32)
        if kind == _NOTE and length <= _MOST_NOTES:
            file.seek(offset)
            yield file.read(length)


def _build_id_in(notes):
    at = 0
    while at + 12 <= len(notes):
        name_bytes, id_bytes, kind = struct.unpack_from("<III", notes, at)
        begin = at + 12 + _padded(name_bytes)
        if kind == _GNU_BUILD_ID and notes[at + 12:at + 16] == b"GNU\0":
            return notes[begin:begin + id_bytes].hex()
        at = begin + _padded(id_bytes)
    return ""


def _padded(count):
    return (count + 3) & ~3
