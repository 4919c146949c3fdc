"""What several rounds of `memomalloc compare` found, put together: a ratio with its interval for each peer, and a verdict."""

import math

from intervals import ratio_of


def round_of(report):
    """Keeps what a report of one run says about each peer: how many times as fast the served program is, and its most memory."""
    return {row["name"]: {"speed": row["times_as_fast"]["value"], "memory": row["peak_memory"]["value"]}
            for row in report["allocators"] if row.get("times_as_fast")}


def ratio_over(rounds, peer, figure):
    """Returns the geometric mean over the rounds with its 95 % interval, as comparison.ratio_cell prints it; None without a round."""
    return ratio_of([one[peer][figure] for one in rounds if peer in one])


def peers_of(rounds):
    return list(dict.fromkeys(peer for one in rounds for peer in one))


def verdict(rounds):
    """Says of speed and of memory which peers the interval tells apart."""
    if len(rounds) < 2:
        return "too few rounds"
    return f"{_speed(rounds)}; memory {_memory(rounds)}"


def _speed(rounds):
    above, below, level = _told_apart(rounds, "speed")
    return _in_words(faster=above, slower=below, level=level)


def _memory(rounds):
    above, below, level = _told_apart(rounds, "memory")
    return _in_words(less=below, more=above, level=level)


def _told_apart(rounds, figure):
    """Returns the peers whose ratio is above 1, below 1, and neither."""
    ratios = {peer: ratio_over(rounds, peer, figure) for peer in peers_of(rounds)}
    above = [peer for peer, ratio in ratios.items() if ratio.get("low", 0) > 1]
    below = [peer for peer, ratio in ratios.items() if ratio.get("high", math.inf) < 1]
    return above, below, [peer for peer in ratios if peer not in above and peer not in below]


def _in_words(level, **others):
    count = len(level) + sum(map(len, others.values()))
    parts = [f"{word} than {_names(peers, count)}" for word, peers in others.items() if peers]
    return ", ".join(parts + ([f"level with {_names(level, count)}"] if level else []))


def _names(peers, count):
    return "all" if len(peers) == count else " and ".join(filter(None, (", ".join(peers[:-1]), peers[-1])))
