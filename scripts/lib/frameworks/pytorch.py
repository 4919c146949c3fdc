"""PyTorch from the distribution."""

from commands import setup
from places import PYTHON, ROOT


def setup_torch():
    setup("python3-torch", "python3-torchvision")


def torch_infer(network, passes, threads=1):
    """A traced and frozen network on one image of 128 by 128 pixels, with so many threads for an operator."""
    return [PYTHON, ROOT / "examples/torch_python/infer.py", network, "--passes", passes, "--threads", threads]
