"""torch_infer.py NETWORK SIDE PASSES: a torchvision network with random weights, traced and frozen, run again and again.

Prints one JSON object: a digest of every output, and the median time of the later half of the passes. Knows nothing
of who allocates for it.
"""
import hashlib
import json
import statistics
import sys
import time
import warnings

import torch
import torchvision

warnings.simplefilter("ignore")


def main(network, side, passes):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = getattr(torchvision.models, network)(weights=None).eval()
    image = torch.rand(1, 3, side, side)
    digest = hashlib.sha256()
    times = []
    with torch.no_grad():
        traced = torch.jit.freeze(torch.jit.trace(model, image))
        for _ in range(passes):
            begin = time.perf_counter()
            output = traced(image)
            times.append(time.perf_counter() - begin)
            digest.update(output.numpy().tobytes())
    steady = times[passes // 2:]
    print(json.dumps({"answer": digest.hexdigest(), "milliseconds": 1000 * statistics.median(steady)}))


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
