"""Marks passes and operators for MemoMalloc, and asks it what it does. Does nothing where its library is not loaded.

    with memomalloc.forward(key=batch):     # a pass: one forward run
        with memomalloc.scope("encoder"):   # a part of it
            encode(x)

    @memomalloc.forward()
    def handle(request): ...

In a notebook, `%load_ext memomalloc` and then `%memomalloc` say what its process was served.

Under `memomalloc run`, `profile` and `serve` the passes of PyTorch, ONNX Runtime and others are marked without any of this.
"""
from .marks import forward, scope
from .questions import LastPass, is_loaded, is_serving, last_pass, release, stats

__all__ = ["LastPass", "forward", "is_loaded", "is_serving", "last_pass", "release", "scope", "stats"]


def load_ipython_extension(ipython):
    """Called by `%load_ext memomalloc`. IPython is wanted by nothing else here, and is imported by nothing else."""
    from . import notebook

    notebook.load(ipython)
