from onnxruntime.capi._pybind_state import SessionOptions  # noqa: F401
from onnxruntime.capi.onnxruntime_inference_collection import InferenceSession  # noqa: F401
