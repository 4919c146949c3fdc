"""What the MemoMalloc thesis says in figures: its text, tables and captions. Its figures are pictures; where the text says what
one of them shows, the words are here, and nothing was read off a picture.

The thesis counts in MB and does not say whether of 2^20 bytes. They are taken as such."""

from dataclasses import dataclass

# Abstract and chapter 1: how much less time a pass takes than with jemalloc.
LESS_LATENCY_MEAN = 0.20
LESS_LATENCY_MOST = 0.40


@dataclass(frozen=True)
class Intermediates:
    """Chapter 1: tensors that a pass makes, as a share of the memory of a run. The inputs are not said."""
    share: float
    megabytes: int  # of the run


INTERMEDIATES = {"resnext101_32x8d": Intermediates(0.27, 13_000), "squeezenet1_0": Intermediates(0.57, 760),
                 "mnasnet0_75": Intermediates(0.66, 2_473)}


@dataclass(frozen=True)
class Captured:
    """Table 3.1: what the graph of a network knows of a pass, and what the profiler saw."""
    graph_values: int
    graph_megabytes: int
    allocations: int
    megabytes: int


TABLE_3_1 = {"mnasnet0_75": Captured(98, 11, 12_931, 44), "wide_resnet50_2": Captured(121, 41, 662, 71),
             "efficientnet_b4": Captured(379, 50, 57_238, 190), "resnext101_32x8d": Captured(240, 87, 3_370, 194),
             "googlenet": Captured(138, 11, 788, 24)}

# Table 4.1. Twelve networks by these make 288 configurations.
BATCHES = (1, 4, 8)
SIDES = (128, 256)
THREADS = (1, 32, 64, 128)

# Table 4.2 and chapter 4.
MACHINE = "AMD Threadripper 3975WX, 32 cores, 64 threads, 128 GB"
PASSES_OF_A_RUN, WARM_UP_PASSES, RUNS = 10, 10, 10
OVERSIZE_THRESHOLD = 1 << 20  # of jemalloc: larger blocks come from one arena without thread caches
ARENAS = 256

# Chapter 5, of figure 4.1a: networks that are slower with the plan, at an input size (batch × side) of 128.
SLOWER_AT_128 = ("fcn_resnet50", "regnet_x_8gf", "dcgan")

# Figure 5.2: what googlenet keeps allocated through a pass at an input size of 128.
GOOGLENET_SLAB_MEGABYTES = 3.5

# Section 2.2, of figures 2.1 and 2.2: inputs, passes, and where most passes wait for locks.
PASSES_OF_THE_WORST_CASE = 10
THREADS_THAT_WAIT = 16


@dataclass(frozen=True)
class Picture:
    number: str
    shows: str
    words: str  # what the text says of it


PICTURES = (
    Picture("2.1", "time in malloc_mutex_lock_slow over ten passes, one arena and no thread caches",
            "with 16 threads on 32 cores, most passes wait for a considerable time"),
    Picture("2.2", "total_wait_time and max_wait_time of the same", "those wait most that allocate often and below 1 MB"),
    Picture("2.3", "how many allocations have which size", "most are below 1 MB"),
    Picture("3.3", "planning time of five strategies", "greedy by size is fast enough to run before every pass"),
    Picture("3.4", "peak of five strategies at 1×1×128×128", "greedy by size is nearly optimal"),
    Picture("4.1", "time with jemalloc over time with the plan, by network, input and threads",
            "better in almost all configurations; slower for fcn_resnet50, regnet_x_8gf and dcgan at 128; at 128 the ratio "
            "turns between 32 and 64 threads, at larger inputs it falls from 32 threads on"),
    Picture("5.1", "sizes of the allocations of those three", "most are below the threshold of 1 MB"),
    Picture("5.2", "bytes in active extents through a pass of googlenet at 128",
            "the peaks are comparable; the plan keeps about 3.5 MB all the time"),
    Picture("8.1 to 8.58", "a heap map of each strategy and jemalloc's mapped bytes, network by network",
            "one axis is in the text: bump allocation of the last network, up to 80 MB over 605 moments"),
)
