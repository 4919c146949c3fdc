"""Where passes begin, told in two ways, compared allocation by allocation: both are of one trace."""

import collections
import dataclasses


@dataclasses.dataclass
class Boundaries:
    """Passes of the reference that lie between the first begin and the last end of found ones, on their thread."""
    reference: int = 0
    same: int = 0  # a found pass begins at the same allocation
    around: int = 0  # a found pass has all of it, and none of another
    within: int = 0  # a found pass lies in it and lacks some of it at its ends
    cut: int = 0  # the rest: two found passes share it, or none has it
    empty: int = 0  # found passes in which none of the reference lies
    reference_allocations: int = 0
    allocations: int = 0  # in found passes

    @property
    def agree(self):
        """One found pass for each, and none besides."""
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


def overlap(one, found):
    return one["first_allocation_ns"] < end_of(found) and found["first_allocation_ns"] <= one["last_allocation_ns"]


def is_within(found, one):
    return one["first_allocation_ns"] <= found["first_allocation_ns"] and found["last_allocation_ns"] <= one["last_allocation_ns"]


def count_one(one, touching, shared, seen):
    """A pass of the reference, by the found ones that touch it; `shared`: these touch others as well."""
    if len(touching) != 1 or shared:
        seen.cut += 1
    elif one["first_allocation_ns"] == touching[0]["first_allocation_ns"] and lies_in(one, touching[0]):
        seen.same += 1
    elif lies_in(one, touching[0]):
        seen.around += 1
    elif is_within(touching[0], one):
        seen.within += 1
    else:
        seen.cut += 1


def compare_thread(reference, found, seen):
    first, last = found[0]["first_allocation_ns"], end_of(found[-1])
    reference = [one for one in reference if first <= one["last_allocation_ns"] and one["first_allocation_ns"] < last]
    if reference and not lies_in(reference[0], found[0]):
        reference = reference[0 if is_within(found[0], reference[0]) else 1:]  # it began before anything was found
    touched = collections.Counter()
    touching = [[i for i, candidate in enumerate(found) if overlap(one, candidate)] for one in reference]
    for indices in touching:
        touched.update(indices)
    for one, indices in zip(reference, touching, strict=True):
        count_one(one, [found[i] for i in indices], any(touched[i] > 1 for i in indices), seen)
    seen.reference += len(reference)
    seen.empty += len(found) - len(touched)
    seen.reference_allocations += sum(one["allocations"] for one in reference)
    seen.allocations += sum(one["allocations"] for one in found)


def compare(reference, found):
    """Both are `passes` of `memomalloc inspect --json`."""
    seen = Boundaries()
    references = by_thread(reference)
    for thread, passes in by_thread(found).items():
        compare_thread(references[thread], passes, seen)
    return seen
