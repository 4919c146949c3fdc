"""torch.compile: keeps it from compiling the function that marks. It goes on to what that calls, as without it."""
from . import torch_modules


def mark(eval_frame):
    skip = getattr(eval_frame, "skip_code", None)
    if skip is not None and torch_modules.marking_code is not None:
        skip(torch_modules.marking_code)
