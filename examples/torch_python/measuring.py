"""How the programs whose requests differ in shape measure themselves."""

import argparse
import contextlib
import hashlib
import json
import resource
import statistics
import sys
import time

import numpy


def span(text):
    """FROM-TO as two numbers."""
    return tuple(int(word) for word in text.split("-"))


def parser(text):
    """Takes the arguments that all of these programs have."""
    made = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--requests", type=int, default=100)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--behind", type=int, default=10, help="requests that are not measured")
    made.add_argument("--asked", action="store_true",
                      help="a request for each line of the input, until there were all; each is answered by a line of JSON")
    return made


def torch_parser(text):
    made = parser(text)
    made.add_argument("--eager", action="store_true")
    return made


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def measured(network, requests, mark=contextlib.nullcontext):
    """Calls the network with the arguments of each request. Yields a digest of the answer, and what the call took: seconds and
    page faults."""
    for request in requests:
        faults_before, begin = faults(), time.perf_counter()
        with mark():
            answer = network(*request)
        seconds = time.perf_counter() - begin
        taken = faults() - faults_before
        yield {"answer": hashlib.sha256(numpy.asarray(answer).tobytes()).hexdigest(), "seconds": seconds, "faults": taken}


def answer_lines(each):
    """Takes a request for each line of the input."""
    for _, one in zip(sys.stdin, each, strict=False):
        print(json.dumps(one), flush=True)


def summary(each, behind):
    """One digest of all answers. Of the requests behind the first ones: seconds in all, the median and the 99th percentile of a
    request, and page faults."""
    result = {"answer": hashlib.sha256("".join(one["answer"] for one in each).encode()).hexdigest(), "requests": len(each)}
    if times := [one["seconds"] for one in each[behind:]]:
        result |= {"seconds": sum(times), "median": statistics.median(times), "p99": sorted(times)[len(times) * 99 // 100],
                   "faults": sum(one["faults"] for one in each[behind:])}
    return result


def measure(network, requests, options, mark=contextlib.nullcontext):
    """Makes the requests, and prints one JSON object about all of them, or as many as it is asked for, with one about each."""
    each = measured(network, requests, mark)
    if options.asked:
        answer_lines(each)
    else:
        print(json.dumps(summary(list(each), options.behind)))
