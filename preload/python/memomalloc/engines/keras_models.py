"""Keras: a call of a model on data is a pass, unless it is training. One on symbols builds another model, and computes nothing.

With PyTorch below, a model is a `torch.nn.Module` and left to `torch_modules.py`, which knows whether there are gradients.
"""
from ..wrapping import mark_calls


def mark(module):
    backend = module.backend
    if backend.backend() != "torch":
        mark_calls(module.Model, "__call__", _class_of, unless=_is_no_pass(backend.KerasTensor))


def _class_of(model, *_, **__):
    return f"{type(model).__module__}.{type(model).__qualname__}"


def _is_no_pass(symbol):
    def is_no_pass(model, *args, training=False, **kwargs):
        return bool(training) or any(isinstance(value, symbol) for value in (*args, *kwargs.values()))
    return is_no_pass
