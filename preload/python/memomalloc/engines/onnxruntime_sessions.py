"""ONNX Runtime: each run of a session is a pass. The engine is linked into its extension module, where no symbol shows it."""
from ..keys import shapes_in
from ..wrapping import mark_calls


def mark(collection):
    session = collection.Session
    mark_calls(session, "run", lambda self, outputs, inputs, *options: shapes_in(inputs))
    mark_calls(session, "run_with_ort_values", lambda self, outputs, inputs, *options: _shapes_of_values(inputs))
    mark_calls(session, "run_with_iobinding")


def _shapes_of_values(inputs):
    return tuple(tuple(value.shape()) for value in inputs.values())
