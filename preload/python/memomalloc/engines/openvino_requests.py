"""OpenVINO: each inference that waits for its answer is a pass. One that does not (`start_async`) runs on OpenVINO's threads."""
from ..wrapping import mark_calls


def mark(api):
    mark_calls(api.InferRequest, "infer")
