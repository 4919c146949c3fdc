"""As much of PyTorch as the marks look at."""
import types

from torch import jit, nn  # noqa: F401
from torch.tensor import Parameter, Tensor  # noqa: F401

state = types.SimpleNamespace(gradients=False, tracing=None, compiling=False, by_dynamo=False)
_C = types.SimpleNamespace(_get_tracing_state=lambda: state.tracing)
compiler = types.SimpleNamespace(is_compiling=lambda: state.compiling, is_dynamo_compiling=lambda: state.by_dynamo)


def is_grad_enabled():
    return state.gradients
