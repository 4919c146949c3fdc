"""ONNX Runtime: each run of a session is a pass. The engine is linked into its extension module, where no symbol shows it.

The names of the inputs tell models apart. Shapes are not in the key: passes of all shapes share one plan.
"""
from ..wrapping import mark_calls


def mark(collection):
    session = collection.Session
    mark_calls(session, "run", _names_of_inputs)
    mark_calls(session, "run_with_ort_values", _names_of_values)
    mark_calls(session, "run_with_iobinding")  # a binding does not tell the names of its inputs


def _names_of_inputs(session, output_names, input_feed, run_options=None):
    return ",".join(input_feed)


def _names_of_values(session, output_names, input_dict_ort_values, run_options=None):
    return ",".join(input_dict_ort_values)
