#!/usr/bin/python3
"""infer.py NETWORK [--batch N,…] [--side N] [--passes N] [--warmup N] [--workers N] [--threads N] [--eager] [--mark] [--save FILE]

A network with random weights on PyTorch, run again and again by one or more threads, each in one no_grad that lasts as long
as the thread. Traced and frozen, or with --eager as it stands. Prints one JSON object: passes a second, latencies, and a digest
of every answer. --save writes the traced network for torch_server and ends. Knows nothing of who allocates for it, unless
--mark says where passes begin and end.
"""

import argparse
import contextlib
import hashlib
import json
import pathlib
import sys
import threading
import time
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "preload" / "python"))
import memomalloc  # noqa: E402
import networks  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("--batch", type=lambda text: [int(batch) for batch in text.split(",")], default=[1],
                        help="of several, the first warms up, and all are run in turn then")
    parser.add_argument("--side", type=int, default=128)
    parser.add_argument("--passes", type=int, default=100, help="of each worker, after the warm-up")
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--workers", type=int, default=1, help="threads that run passes at once")
    parser.add_argument("--threads", type=int, default=1, help="threads inside one operator")
    parser.add_argument("--eager", action="store_true")
    parser.add_argument("--mark", action="store_true", help="each pass, by the package memomalloc")
    parser.add_argument("--save", metavar="FILE")
    return parser.parse_args()


def work(network, images, options, times, digests):
    digest = hashlib.sha256()
    forward = memomalloc.forward if options.mark else contextlib.nullcontext
    with torch.no_grad():
        for number in range(options.warmup + options.passes):
            begin = time.perf_counter()
            with forward():
                answer = network(images[max(0, number - options.warmup) % len(images)])
            took = time.perf_counter() - begin
            digest.update(answer.numpy().tobytes())
            if number >= options.warmup:
                times.append(took)
    digests.append(digest.hexdigest())


def percentile(ordered, share):
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main():
    options = arguments()
    torch.set_num_threads(options.threads)
    model = networks.make(options.network, options.side)
    images = [torch.rand(batch, 3, options.side, options.side) for batch in options.batch]
    if options.save:
        networks.traced(model, images[0]).save(options.save)
        return
    network = model if options.eager else networks.traced(model, images[0])
    times, digests = [], []
    workers = [threading.Thread(target=work, args=(network, images, options, times, digests))
               for _ in range(options.workers)]
    begin = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    seconds = time.perf_counter() - begin
    times.sort()
    print(json.dumps({
        "network": options.network,
        "passes_per_second": options.workers * (options.warmup + options.passes) / seconds,
        "latency_ms": {"p50": percentile(times, 0.5), "p99": percentile(times, 0.99), "p999": percentile(times, 0.999)},
        "answer": " ".join(sorted(set(digests))),
    }))


main()
