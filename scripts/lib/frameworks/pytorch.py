"""PyTorch from the distribution."""

from commands import setup
from places import PYTHON, ROOT

# Without it, this PyTorch multiplies matrices eight times as slowly, and every allocator looks the same.
BLAS = "libopenblas0-pthread"


def setup_torch(*further):
    setup("python3-torch", "python3-torchvision", *further)


def torch_infer(network, passes, threads=1):
    """A traced and frozen network on one image of 128 by 128 pixels, with so many threads for an operator."""
    return [PYTHON, ROOT / "examples/torch_python/infer.py", network, "--passes", passes, "--threads", threads]
