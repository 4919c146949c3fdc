"""What a store needs to know of a plan: whether it is whole, and which binaries it was made from.

Reads the head of the file and its first table (runtime/formats/plan_format.h). The library checks all the rest before it serves.
"""
import collections
import hashlib
import os
import struct

from .build_ids import build_id_of
from .errors import Refused

MOST_BYTES = 64 << 20  # of a plan that is stored; those of large programs have some hundred KiB
VERSION = 1

_HEAD = struct.Struct("<8sIIQQQ")  # magic, byte order, version, checksum, size, start of the large slots
_TABLE = struct.Struct("<QQ")      # place, elements
_MODULES, _STRINGS, _TABLES = 0, 10, 11
_MODULE = struct.Struct("<32sII")  # build-id, its length, place of the path among the strings
_BYTE_ORDER = 0x0A0B0C0D

Module = collections.namedtuple("Module", "path build_id")


def modules_in(plan):
    """The binaries that these bytes of a plan name. Refuses what is no whole plan of the version that the library reads."""
    try:
        return _modules_in(plan)
    except (struct.error, ValueError) as error:
        raise Refused("it is no plan: {}".format(error)) from error


def _modules_in(plan):
    magic, order, version, _, size, _ = _HEAD.unpack_from(plan)
    if magic != b"MEMOPLAN" or order != _BYTE_ORDER:
        raise Refused("it is no plan of MemoMalloc")
    if version != VERSION:
        raise Refused("it has version {} of the format, and this MemoMalloc reads {}".format(version, VERSION))
    if size != len(plan):
        raise Refused("it has {} bytes and should have {}".format(len(plan), size))
    tables = [_TABLE.unpack_from(plan, _HEAD.size + number * _TABLE.size) for number in range(_TABLES)]
    place, count = tables[_MODULES]
    strings, _ = tables[_STRINGS]
    if place + count * _MODULE.size > len(plan):
        raise Refused("its table of binaries goes beyond its end")
    return [_module(plan, place + number * _MODULE.size, strings) for number in range(count)]


def _module(plan, place, strings):
    build_id, length, path = _MODULE.unpack_from(plan, place)
    begin = strings + path
    return Module(os.fsdecode(plan[begin:plan.index(b"\0", begin)]), build_id[:length].hex())


def builds_of(modules):
    """Sixteen digits that stand for the binaries: another build of any of them has others."""
    named = sorted("{}\0{}".format(module.path, module.build_id) for module in modules if module.build_id)
    return hashlib.sha256("\n".join(named).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def why_other_build(modules):
    """Why a plan of these binaries cannot serve here, "" if it can. The rule is that of `memomalloc run` for its cache."""
    for module in modules:
        if not _is_there(module) and os.path.exists(os.path.dirname(module.path)):
            return "it was made from another build of {}".format(module.path)
    return "none of its binaries is here" if modules and not any(map(_is_there, modules)) else ""


def _is_there(module):
    return not module.build_id or not module.path or build_id_of(module.path) == module.build_id
