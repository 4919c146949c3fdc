"""What was served of the allocations in passes, from the statistics that the library leaves. Passes that go to the heap to be compared
are in no share: they were not to be served. Those that serving stands aside for were, and count as missed."""

import dataclasses


def share_of(part, rest):
    return part / max(1, part + rest)


def passes_aside(statistics):
    return statistics.get("aside", {}).get("passes", 0)


def passes_on_slabs(statistics):
    """All passes but those that were compared on the heap, and those that serving stood aside for."""
    return statistics["passes"] - statistics["compared"]["passes"] - passes_aside(statistics)


@dataclasses.dataclass
class Served:
    passes: int
    served: int
    missed: dict  # reason -> allocations
    served_bytes: int
    missed_bytes: int
    kept_bytes: int = 0  # of the missed, those of blocks that the program keeps beyond their pass
    aside: int = 0  # passes

    @property
    def made(self):
        return self.served + sum(self.missed.values())

    @property
    def share(self):
        return share_of(self.served, sum(self.missed.values()))

    @property
    def share_of_bytes(self):
        return share_of(self.served_bytes, self.missed_bytes)

    def without_kept(self):
        """The same without what the program keeps beyond its passes, for which no plan has a place."""
        rest = {reason: count for reason, count in self.missed.items() if reason != "kept"}
        return dataclasses.replace(self, missed=rest, missed_bytes=max(0, self.missed_bytes - self.kept_bytes), kept_bytes=0)

    def stood_aside(self):
        return f"{self.aside:,} of {self.passes:,}" if self.aside else "no pass"

    def reasons(self):
        """Why the rest was not served, the most frequent reason first."""
        return ", ".join(f"{count:,} {reason}" for reason, count in sorted(self.missed.items(), key=lambda item: -item[1]))


def beyond(shorter, longer):
    """What the longer run has more than the shorter one, whose warm-up is the same: its steady state. Two warm-ups do not miss
    quite the same, so a reason may have less than nothing."""
    def more(name):
        return longer.get(name, 0) - shorter.get(name, 0)
    before = shorter.get("fallback", {})
    missed = {reason: count - before.get(reason, 0) for reason, count in longer.get("fallback", {}).items()}
    return Served(more("passes"), more("served"), {reason: count for reason, count in missed.items() if count > 0},
                  more("served_bytes"), max(0, more("fallback_bytes")), max(0, more("kept_bytes")),
                  max(0, passes_aside(longer) - passes_aside(shorter)))


def own_ratio(worth):
    """What the process found, as a ratio to the heap; None before its first look."""
    if not worth.get("low", 0) < worth.get("high", 0):
        return None
    return {"value": 1 + worth["share"], "low": 1 + worth["low"], "high": 1 + worth["high"]}
