"""Traces that are small enough to keep: the last passes of a recording, told apart from the machine that made it.

A recording becomes columns of numbers, and those one compressed file. Addresses become the numbers of places, the one that was
freed last first, and times become places in the common order of all threads: so passes that do the same are the same columns, and cost next to
nothing. Paths lose their folders. What comes back is a trace that `memomalloc plan` reads as it reads the recording, with these
differences: an event lasts a microsecond, and there are neither stacks nor a flow of data."""

import array
import bisect
import collections
import dataclasses
import itertools
import json
import lzma
import pathlib
import struct

HEAD = struct.Struct("<IHHIIQQQQQ")  # as runtime/formats/trace_format.h has it
EVENT = struct.Struct("<BBBBIQ")
MODULE = struct.Struct("<QQQII")
MAGIC, VERSION = 0x52544D4D, 1
PROCESS, MODULES, NAMES, EVENTS, END = 1, 2, 3, 4, 6
ALLOCATE, FREE, PASS_BEGIN, PASS_END, SCOPE_BEGIN, SCOPE_END = range(1, 7)
FIELDS = {ALLOCATE: 3, FREE: 1, PASS_BEGIN: 2, PASS_END: 1, SCOPE_BEGIN: 0, SCOPE_END: 0}  # of value, size and site, in that order
WHOLE_EVENT = [struct.Struct(EVENT.format + "Q" * fields) for fields in range(4)]
RECORDS_ALL = 1
HAS_STACK = 0x08
TICKS = 1000  # of an event, and nanoseconds
MOST_PAYLOAD = 1 << 19
EVENTS_OF_A_PASS = 4000
SPREAD = 0x9E3779B97F4A7C15
WORD = (1 << 64) - 1


@dataclasses.dataclass(slots=True)
class Event:
    """One of the trace. `value` is the number of a pass, or of the block that is allocated or freed; unused where there is neither."""

    thread: int
    kind: int
    flags: int
    alignment: int
    detail: int
    value: int = 0
    size: int = 0  # of the block; the key of a pass
    site: int = 0


@dataclasses.dataclass
class Recording:
    flags: int = 0
    modules: list = dataclasses.field(default_factory=list)  # (order of the first event behind it, what is mapped then)
    names: dict = dataclasses.field(default_factory=dict)
    events: list = dataclasses.field(default_factory=list)  # in the common order


# ---- a trace


def blocks_of(data):
    """(kind, thread, sequence, ticks, payload) of all blocks; what is none is stepped over."""
    at = 0
    while at + HEAD.size <= len(data):
        magic, version, kind, size, thread, _, sequence, _, ticks, _ = HEAD.unpack_from(data, at)
        if magic != MAGIC or version != VERSION or at + HEAD.size + size > len(data):
            at += 8
            continue
        yield kind, thread, sequence, ticks, memoryview(data)[at + HEAD.size:at + HEAD.size + size]
        at += HEAD.size + size


def padded(size):
    return (size + 7) // 8 * 8


def modules_in(payload):
    at = 0
    while at < len(payload):
        begin, end, bias, build_id, path = MODULE.unpack_from(payload, at)
        text = bytes(payload[at + MODULE.size:at + MODULE.size + build_id + path])
        yield begin, end, bias, text[:build_id].hex(), text[build_id:].decode()
        at += MODULE.size + padded(build_id + path)


def names_in(payload):
    at = 0
    while at < len(payload):
        number, size = struct.unpack_from("<II", payload, at)
        yield number, bytes(payload[at + 8:at + 8 + size]).decode()
        at += 8 + padded(size)


def events_in(payload, thread):
    """(ticks, event)."""
    at = 0
    while at < len(payload):
        kind, flags, words, alignment, detail, ticks = EVENT.unpack_from(payload, at)
        fields = struct.unpack_from(f"<{words - 2}Q", payload, at + EVENT.size)
        if kind <= SCOPE_END:
            yield ticks, Event(thread, kind, flags & ~HAS_STACK if kind == ALLOCATE else flags, alignment, detail, *fields[:3])
        at += words * 8


def read_trace(path):
    whole, timed, modules = Recording(), [], []
    streams = collections.defaultdict(dict)
    for kind, thread, sequence, ticks, payload in blocks_of(pathlib.Path(path).read_bytes()):
        if kind == PROCESS:
            whole.flags = struct.unpack_from("<III", payload)[2]
        elif kind == MODULES:
            modules.append((ticks, list(modules_in(payload))))
        elif kind == NAMES:
            whole.names.update(names_in(payload))
        elif kind == EVENTS:
            streams[thread][sequence] = payload
    for thread, blocks in streams.items():
        for _, payload in sorted(blocks.items()):
            timed += events_in(payload, thread)
    timed.sort(key=lambda pair: pair[0])
    whole.events = [event for _, event in timed]
    first = [ticks for ticks, _ in timed]
    whole.modules = [(bisect.bisect_left(first, ticks), mapped) for ticks, mapped in modules]
    return whole


class Writer:
    """Writes blocks one after the other."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.sequences = collections.Counter()

    def write(self, kind, payload, thread=0, ticks=0):
        head = (MAGIC, VERSION, kind, len(payload), thread, 0, self.sequences[thread], 0, ticks, ticks)
        self.sequences[thread] += 1
        checksum = checksum_of(HEAD.pack(*head) + payload)
        self.file.write(HEAD.pack(*head[:5], checksum, *head[6:]) + payload)


def checksum_of(data):
    found = MAGIC
    for (word,) in struct.iter_unpack("<Q", data):
        found = ((found ^ word) * SPREAD) & WORD
        found ^= found >> 29
    return found


def text_block(*parts):
    text = b"".join(parts)
    return text + bytes(padded(len(text)) - len(text))


def bytes_of(event, ticks):
    fields = (event.value, event.size, event.site)[:FIELDS[event.kind]]
    return WHOLE_EVENT[len(fields)].pack(event.kind, event.flags, 2 + len(fields), event.alignment, event.detail, ticks, *fields)


def bytes_of_module(begin, end, bias, build_id, name):
    identity = bytes.fromhex(build_id)
    return MODULE.pack(begin, end, bias, len(identity), len(name)) + text_block(identity, name.encode())


def write_trace(recording, path):
    writer = Writer(path)
    command = b"golden\0"
    writer.write(PROCESS, text_block(struct.pack("<IIII", 1, 0, recording.flags, len(command)), command))
    for order, mapped in recording.modules:
        writer.write(MODULES, b"".join(bytes_of_module(*module) for module in mapped), ticks=order * TICKS)
    for number, name in recording.names.items():
        writer.write(NAMES, struct.pack("<II", number, len(name.encode())) + text_block(name.encode()))
    pending = collections.defaultdict(bytearray)
    for order, event in enumerate(recording.events, start=1):
        pending[event.thread] += bytes_of(event, order * TICKS)
        if len(pending[event.thread]) > MOST_PAYLOAD:
            writer.write(EVENTS, bytes(pending.pop(event.thread)), event.thread, order * TICKS)
    for thread, payload in pending.items():
        writer.write(EVENTS, bytes(payload), thread, len(recording.events) * TICKS)
    passes = sum(event.kind == PASS_BEGIN for event in recording.events)
    writer.write(END, struct.pack("<4Q", passes, 0, 0, 0))
    writer.file.close()


# ---- less of it


def without(recording, is_dropped):
    """Without the events of which that is true, and without the frees of what they allocated."""
    gone, kept, before = set(), [], [0]
    for event in recording.events:
        if is_dropped(event):
            if event.kind == ALLOCATE:
                gone.add(event.value)
        elif not (event.kind == FREE and event.value in gone):
            kept.append(event)
        before.append(len(kept))
    return dataclasses.replace(recording, events=kept, modules=[(before[order], mapped) for order, mapped in recording.modules])


def late_part(recording, count):
    """The last events, so many of them, before the program does nothing any more but free what it has: a third of them allocate."""
    def allocates(end):
        stretch = recording.events[end - EVENTS_OF_A_PASS:end]
        return sum(event.kind == ALLOCATE for event in stretch) > len(stretch) / 3

    end = next(filter(allocates, range(len(recording.events), 0, -EVENTS_OF_A_PASS)))
    orders = itertools.count()
    return without(recording, lambda _: not end - count <= next(orders) < end)


def last_passes(recording, count):
    """The last passes that have an end, and what lives on from them. In a recording of all allocations, where nobody knows yet where its
    passes are, as many events as a few of them may have."""
    if recording.flags & RECORDS_ALL:
        return late_part(recording, count * EVENTS_OF_A_PASS)
    ended = [event.value for event in recording.events if event.kind == PASS_END][-count:]
    numbers = {number: new for new, number in enumerate(sorted(ended))}
    running, dropped = {}, set()
    for event in recording.events:
        if event.kind == PASS_BEGIN:
            running[event.thread] = event.value
        if running.get(event.thread) not in numbers and (event.thread in running or event.kind != FREE):
            dropped.add(id(event))
        if event.kind == PASS_END:
            running.pop(event.thread, None)
    shorter = without(recording, lambda event: id(event) in dropped)
    for event in shorter.events:
        if event.kind in (PASS_BEGIN, PASS_END):
            event.value = numbers[event.value]
    return shorter


def in_places(recording):
    """With a place, from 1 on, for each address: the one that was freed last, or else a new one. Frees of what was never seen name none."""
    places, free, most = {}, [], 0
    events = []
    for event in recording.events:
        if event.kind == ALLOCATE:
            if not free:
                most += 1
                free.append(most)
            places[event.value] = place = free.pop()
            event = dataclasses.replace(event, value=place)
        elif event.kind == FREE:
            place = places.pop(event.value, 0)
            if place == 0:
                continue
            free.append(place)
            event = dataclasses.replace(event, value=place)
        events.append(event)
    return dataclasses.replace(recording, events=events)


def give_addresses(recording):
    """Puts an address that nobody had before in the place of each place: places come back with tags, as the recorder's do."""
    tags = collections.Counter()
    for event in recording.events:
        if event.kind == ALLOCATE:
            tags[event.value] = (tags[event.value] + 1) & 0xFFFF
        if event.kind in (ALLOCATE, FREE):
            event.value = tags[event.value] << 48 | 0x10000 + event.value * 0x1000000


# ---- the small file

COLUMNS = [field.name for field in dataclasses.fields(Event)]


def used_modules(recording):
    """What is mapped, of which a call site lies in, without folders; no change that changes nothing of it."""
    sites = sorted({event.site for event in recording.events if event.kind == ALLOCATE})

    def is_used(begin, end):
        return bisect.bisect_left(sites, begin) < bisect.bisect_left(sites, end)

    changes = []
    for order, mapped in recording.modules:
        used = [(begin, end, bias, build_id, "/" + path.rsplit("/", 1)[-1]) for begin, end, bias, build_id, path in mapped if is_used(begin, end)]
        if changes and changes[-1][0] == order:
            changes.pop()
        if not changes or changes[-1][1] != used:
            changes.append((order, used))
    return changes


def save(recording, path):
    small = in_places(recording)
    named = {event.detail for event in small.events if event.kind in (PASS_BEGIN, SCOPE_BEGIN, SCOPE_END)}
    table = sorted({getattr(event, name) for event in small.events for name in ("size", "site")})
    index = {value: number for number, value in enumerate(table)}
    columns = {name: [getattr(event, name) for event in small.events] for name in COLUMNS}
    columns |= {name: [index[value] for value in columns[name]] for name in ("size", "site")}
    head = {"flags": small.flags, "modules": used_modules(small), "names": {number: name for number, name in small.names.items() if number in named},
            "table": table, "events": len(small.events)}
    text = json.dumps(head).encode()
    data = struct.pack("<Q", len(text)) + text + b"".join(array.array("I", columns[name]).tobytes() for name in COLUMNS)
    pathlib.Path(path).write_bytes(lzma.compress(data, preset=9))


def load(path):
    data = lzma.decompress(pathlib.Path(path).read_bytes())
    (size,) = struct.unpack_from("<Q", data)
    head = json.loads(data[8:8 + size])
    count = head["events"]
    columns = [array.array("I", data[8 + size + number * count * 4:8 + size + (number + 1) * count * 4]) for number in range(len(COLUMNS))]
    columns = dict(zip(COLUMNS, columns, strict=True))
    columns |= {name: [head["table"][value] for value in columns[name]] for name in ("size", "site")}
    events = [Event(*values) for values in zip(*(columns[name] for name in COLUMNS), strict=True)]
    recording = Recording(head["flags"], head["modules"], {int(number): name for number, name in head["names"].items()}, events)
    give_addresses(recording)
    return recording
