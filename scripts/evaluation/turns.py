"""All allocators asked in turn, each configuration in one run: how fast the plan is, and how much memory it takes, by network
and by input."""

import statistics

import pictures
from configurations import NETWORKS
from intervals import ratio_of
from rounds import geometric_mean
from summary import allocators_of, median, ratio_cell, table

A_HUNDREDTH_LESS = 0.99


class Turns:
    """One configuration: the plan beside every other allocator."""

    def __init__(self, result):
        self.configuration = result["configuration"]
        self.peers = allocators_of(result)
        self.served = self.peers.pop("serve")
        self.same_answers = result["turns"]["same_answers"]

    def times_as_fast(self, peer):
        return self.peers[peer]["times_as_fast"]["value"]

    def fastest(self):
        return min(self.peers, key=self.times_as_fast)

    def leanest(self, figure):
        return min(self.peers, key=lambda peer: median(self.peers[peer], figure))

    def of_the_leanest(self, figure):
        """How much the plan takes, over what the leanest takes."""
        return median(self.served, figure) / median(self.peers[self.leanest(figure)], figure)

    def most_over_served(self, peer):
        return median(self.peers[peer], "resident_high") / median(self.served, "resident_high")

    def faster_and_leaner(self):
        """The peers that beat the plan in both by a hundredth."""
        return [peer for peer in self.peers if self.times_as_fast(peer) < A_HUNDREDTH_LESS
                and self.most_over_served(peer) < A_HUNDREDTH_LESS]


def by(some, key, order=None):
    groups = {}
    for one in some:
        groups.setdefault(key(one), []).append(one)
    return {name: groups[name] for name in order or groups if name in groups}


def by_network(some):
    return by(some, lambda one: one.configuration.network, NETWORKS)


def peer_means(some, figure):
    """peer -> the mean of figure(configuration, peer)"""
    return {peer: geometric_mean([figure(one, peer) for one in some]) for peer in some[0].peers}


def plain(numbers):
    return [f"{number:.3f}" for number in numbers]


def speed_by_network(some):
    """The mean over a network's inputs; below, the mean over everything with its interval, and the extremes."""
    peers = list(some[0].peers)
    values = {peer: [one.times_as_fast(peer) for one in some] for peer in peers}
    means = [ratio_of(values[peer]) for peer in peers]
    intervals = [f"{mean['low']:.3f}–{mean['high']:.3f}" if "low" in mean else "" for mean in means]
    return table(["served, times as fast as", "inputs", *peers],
                 [*([network, len(group), *plain(peer_means(group, Turns.times_as_fast).values())] for network, group in by_network(some).items()),
                  ["**geometric mean**", len(some), *(f"**{mean['value']:.3f}**" for mean in means)],
                  ["its 95 % interval", "", *intervals],
                  ["least", "", *plain(min(values[peer]) for peer in peers)],
                  ["most", "", *plain(max(values[peer]) for peer in peers)]])


def speed_by_input(some):
    """With the interval over the networks that have the input."""
    inputs = by(some, lambda one: one.configuration.input)
    return table(["served, times as fast as", *(f"{name} ({len(group)})" for name, group in inputs.items())],
                 [[peer, *(ratio_cell(ratio_of([one.times_as_fast(peer) for one in group])) for group in inputs.values())]
                  for peer in some[0].peers])


def range_cell(group, figure):
    worst = max(group, key=lambda one: one.of_the_leanest(figure))
    least = min(one.of_the_leanest(figure) for one in group)
    return f"{least:.3f} to {worst.of_the_leanest(figure):.3f} ({worst.configuration.input})"


def memory_by_network(some):
    return table(["network", "inputs", *(f"{what}, of the leanest (the worst)" for what in ("most while steady", "peak"))],
                 [[network, len(group), range_cell(group, "resident_high"), range_cell(group, "resident_peak")]
                  for network, group in by_network(some).items()])


def others_memory(some):
    return table(["MiB for each MiB of the plan", *some[0].peers],
                 [[network, *plain(peer_means(group, Turns.most_over_served).values())] for network, group in by_network(some).items()])


def spread_row(what, values):
    """Least, middle and most, and the mean with its interval."""
    return [what, *plain((min(values), statistics.median(values), max(values))), ratio_cell(ratio_of(values))]


def counted(names):
    return ", ".join(f"{name} in {names.count(name)}" for name in sorted(set(names), key=lambda name: -names.count(name)))


def against_the_best(some):
    """The plan beside whichever allocator is the fastest or the leanest of a configuration."""
    most, peak = ([one.of_the_leanest(figure) for one in some] for figure in ("resident_high", "resident_peak"))
    both = [f"{one.configuration.name} ({', '.join(peers)})" for one in some if (peers := one.faster_and_leaner())]
    wrong = [one.configuration.name for one in some if not one.same_answers]
    return table(["the plan, over the best of the others", "least", "middle", "most", "mean (95 %)"],
                 [spread_row("most while steady", most), spread_row("peak", peak),
                  spread_row("speed", [one.times_as_fast(one.fastest()) for one in some])]) + "\n" + "\n".join([
                      f"- The leanest while steady: {counted([one.leanest('resident_high') for one in some])}.",
                      f"- The fastest: {counted([one.fastest() for one in some])}.",
                      f"- Faster and leaner than the plan by a hundredth each: {'; '.join(both) or 'none'}.",
                      f"- Other answers than under the plan: {'; '.join(wrong) or 'none'}."]) + "\n"


SECTIONS = (("Speed in turn, by network", speed_by_network), ("Speed in turn, by input", speed_by_input),
            ("Memory in turn", memory_by_network), ("Memory of the others in turn", others_memory),
            ("Against the best in turn", against_the_best))


def report(results):
    some = [Turns(result) for result in results]
    return "\n".join(f"### {title}\n\n{make(some)}" for title, make in SECTIONS)


def picture(title, results, figure):
    groups = by_network([Turns(result) for result in results])
    return pictures.dots(f"{title}, mean of a network's inputs",
                         [(network, peer_means(group, figure)) for network, group in groups.items()])


def speed_picture(results):
    return picture("Served from the plan: times as fast as each allocator", results, Turns.times_as_fast)


def memory_picture(results):
    return picture("Resident at the most while steady: each allocator's, over that of the plan", results, Turns.most_over_served)
