"""ONNX Runtime: each run of a session is a pass. The engine is linked into its extension module, where no symbol shows it."""
from ..keys import shapes_in
from ..wrapping import mark_calls


def mark(collection):
    session = collection.Session
    mark_calls(session, "run", _shapes_of_arrays)
    mark_calls(session, "run_with_ort_values", _shapes_of_values)
    mark_calls(session, "run_with_iobinding")  # a binding does not tell the shapes of its inputs


def _shapes_of_arrays(session, output_names, input_feed, run_options=None):
    return shapes_in(input_feed)


def _shapes_of_values(session, output_names, input_dict_ort_values, run_options=None):
    return tuple(tuple(value.shape()) for value in input_dict_ort_values.values())
