"""How the programs whose requests differ in shape measure themselves."""

import argparse
import contextlib
import hashlib
import json
import resource
import statistics
import time


def span(text):
    """FROM-TO as two numbers."""
    return tuple(int(word) for word in text.split("-"))


def parser(text):
    """Takes the arguments that all of these programs have."""
    made = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--requests", type=int, default=100)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--behind", type=int, default=10, help="requests that are not measured")
    made.add_argument("--eager", action="store_true")
    return made


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def measure(network, requests, behind, mark=contextlib.nullcontext):
    """Calls the network with the arguments of each request. Prints one JSON object: a digest of every answer, and what the
    requests behind the first ones took: seconds, the median and the 99th percentile of a request, and page faults."""
    digest = hashlib.sha256()
    times = []
    faults_before = 0
    number = 0
    for number, request in enumerate(requests, 1):
        begin = time.perf_counter()
        with mark():
            answer = network(*request)
        seconds = time.perf_counter() - begin
        digest.update(answer.numpy().tobytes())
        if number == behind:
            faults_before = faults()
        if number > behind:
            times.append(seconds)
    result = {"answer": digest.hexdigest(), "requests": number}
    if times:
        result |= {"seconds": sum(times), "median": statistics.median(times), "p99": sorted(times)[len(times) * 99 // 100],
                   "faults": faults() - faults_before}
    print(json.dumps(result))
