"""The file in which the library keeps what serving was found to be worth (runtime/formats/worth_file.h), as a test writes it."""

import struct
import time

HEAD = struct.Struct("<8sIIQ16s")  # magic, version, kinds, plan, library
KIND = struct.Struct("<QQQddddQQqQ")  # key, passes; finding, share, low, high, faults, pairs, requests to look, when, whether earlier
MOST_KINDS = 64
HARMS = 3
WORDS = 2**64 - 1


def checksum_of(data):
    """As plan_checksum() of runtime/formats/plan_format.h has it."""
    total = 0x9E3779B97F4A7C15 ^ len(data)
    for (word,) in struct.iter_unpack("<Q", data):
        total = (total ^ word) * 0xFF51AFD7ED558CCD & WORDS
        total ^= total >> 32
    return total


def path_beside(plan):
    return plan.with_name(plan.name + ".worth")


def checksum_in(plan):
    return struct.unpack_from("<Q", plan.read_bytes(), 16)[0]


def harmed(plan, version, key=0, age=60):
    """The bytes of a file that says that serving passes of this key takes a fifth more, as was found so many seconds ago."""
    kind = KIND.pack(key, 1000, HARMS, 0.2, 0.19, 0.21, 0.0, 40, 0, int(time.time()) - age, 0)
    data = HEAD.pack(b"MEMOWRTH", 1, 1, checksum_in(plan), version.encode()) + kind + bytes(KIND.size * (MOST_KINDS - 1))
    return data + struct.pack("<Q", checksum_of(data))
