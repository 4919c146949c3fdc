"""Where passes begin, told in two ways, compared allocation by allocation: both are of one trace."""

import collections
import dataclasses


@dataclasses.dataclass
class Boundaries:
    """Passes of the reference that lie between the first begin and the last end of found ones, on their thread."""
    reference: int = 0
    same: int = 0  # a found pass begins at the same allocation
    around: int = 0  # a found pass has all of it, and none of another
    cut: int = 0  # the rest: two found passes share it, or none has it
    empty: int = 0  # found passes in which none of the reference lies
    reference_allocations: int = 0
    allocations: int = 0  # in found passes

    @property
    def agree(self):
        return self.reference > 0 and self.cut == self.empty == 0


def by_thread(passes):
    threads = collections.defaultdict(list)
    for one in passes:
        if one["complete"] and one["allocations"]:
            threads[one["thread"]].append(one)
    return threads


def end_of(found):
    return found["begin_ns"] + found["nanoseconds"]


def lies_in(one, found):
    return found["first_allocation_ns"] <= one["first_allocation_ns"] and one["last_allocation_ns"] < end_of(found)


def compare_thread(reference, found, seen):
    first, last = found[0]["first_allocation_ns"], end_of(found[-1])
    reference = [one for one in reference if first <= one["last_allocation_ns"] and one["first_allocation_ns"] < last]
    inside = [[one for one in reference if lies_in(one, candidate)] for candidate in found]
    alone = [(candidate, ones[0]) for candidate, ones in zip(found, inside) if len(ones) == 1]
    same = sum(one["first_allocation_ns"] == candidate["first_allocation_ns"] for candidate, one in alone)
    seen.reference += len(reference)
    seen.same += same
    seen.around += len(alone) - same
    seen.cut += len(reference) - len(alone)
    seen.empty += sum(not ones for ones in inside)
    seen.reference_allocations += sum(one["allocations"] for one in reference)
    seen.allocations += sum(one["allocations"] for one in found)


def compare(reference, found):
    """Both are `passes` of `memomalloc inspect --json`."""
    seen = Boundaries()
    references = by_thread(reference)
    for thread, passes in by_thread(found).items():
        compare_thread(references[thread], passes, seen)
    return seen
