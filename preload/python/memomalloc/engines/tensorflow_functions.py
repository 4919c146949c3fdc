"""TensorFlow: a call of a `tf.function`, or of a concrete one such as a signature of a SavedModel, is a pass. Its name is the key.

A call that builds a graph computes nothing, and one that a tape records is training: neither is a pass.
"""
from ..wrapping import mark_calls

CLASSES = ("Function", "ConcreteFunction")


def mark(module):
    for kind in CLASSES:
        mark_calls(getattr(module, kind, None), "__call__", _name_of, unless=_is_no_pass(module))


def _name_of(function, *_, **__):
    graph = getattr(function, "_func_graph", None)  # of a concrete function, whose own name is numbered
    return function._name if graph is None else graph.name


def _is_no_pass(module):
    executes_at_once = module.context.executing_eagerly
    has_no_tape = module.context.pywrap_tfe.TFE_Py_TapeSetIsEmpty
    return lambda *_, **__: not (executes_at_once() and has_no_tape())
