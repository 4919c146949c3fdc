from onnxruntime.capi.onnxruntime_inference_collection import InferenceSession  # noqa: F401
