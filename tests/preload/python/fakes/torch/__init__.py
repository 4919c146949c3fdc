"""As much of PyTorch as the marks look at."""
import types

from torch import jit, nn  # noqa: F401
from torch.tensor import Parameter, Tensor  # noqa: F401

state = types.SimpleNamespace(gradients=False, tracing=None, compiling=False, by_dynamo=False, composites=())
_C = types.SimpleNamespace(_get_tracing_state=lambda: state.tracing,
                           _dispatch_has_kernel_for_dispatch_key=lambda name, key: key == "CompositeImplicitAutograd" and name in state.composites)
compiler = types.SimpleNamespace(is_compiling=lambda: state.compiling, is_dynamo_compiling=lambda: state.by_dynamo)


def is_grad_enabled():
    return state.gradients
