"""Plans by hand: the head of the file and its table of binaries, which is what a store reads (runtime/formats/plan_format.h)."""

import struct

HEAD_BYTES = 40 + 11 * 16
MODULE_BYTES = 40
VERSION = 1


def plan_of(*modules, version=VERSION, filling=b""):
    """A plan of these (path, build-id in hexadecimal digits); `filling` tells plans of the same binaries apart."""
    strings, records = b"", b""
    for path, build_id in modules:
        identity = bytes.fromhex(build_id)
        records += struct.pack("<32sII", identity, len(identity), len(strings))
        strings += path.encode() + b"\0"
    place = HEAD_BYTES + len(records)
    tables = [(HEAD_BYTES, len(modules)), *[(place, 0)] * 9, (place, len(strings))]
    head = struct.pack("<8sIIQQQ", b"MEMOPLAN", 0x0A0B0C0D, version, 0, place + len(strings) + len(filling), 0)
    return head + b"".join(struct.pack("<QQ", *table) for table in tables) + records + strings + filling
