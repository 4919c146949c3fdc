"""image_network.py IMAGES KIND: a batch job that prepares images in numpy and sends each through a small convolutional network of PyTorch.
KIND is eager or script."""
import sys

import numpy
import torch
from steady import answer


def layers():
    sizes = ((3, 16), (16, 32), (32, 32))
    for before, after in sizes:
        yield torch.nn.Conv2d(before, after, 3, padding=1)
        yield torch.nn.ReLU()
        yield torch.nn.MaxPool2d(2)


torch.manual_seed(1)
torch.set_num_threads(1)
network = torch.nn.Sequential(*layers(), torch.nn.Flatten(), torch.nn.Linear(32 * 12 * 12, 10)).eval()
if sys.argv[2] == "script":
    network = torch.jit.trace(network, torch.zeros(1, 3, 96, 96))


def respond(number):
    pixels = numpy.random.default_rng(number).integers(256, size=(192, 192, 3), dtype=numpy.uint8)
    prepared = ((pixels.astype(numpy.float32) / 255 - 0.5) / 0.25)[::2, ::2].transpose(2, 0, 1)[None]
    with torch.no_grad():
        return network(torch.from_numpy(numpy.ascontiguousarray(prepared))).numpy().tobytes()


answer(int(sys.argv[1]), respond)
