"""As much of ONNX Runtime's package as the marks and the arena's switch look at."""
from onnxruntime.capi import _pybind_state as C


class Session:
    def run(self, output_names, input_feed, run_options=None):
        return [len(input_feed), run_options]

    def run_with_ort_values(self, output_names, input_dict_ort_values, run_options=None):
        return self.run(output_names, input_dict_ort_values, run_options)

    def run_with_iobinding(self, iobinding, run_options=None):
        raise ValueError(iobinding)


class InferenceSession(Session):
    def __init__(self, path=None, sess_options=None):
        self._sess_options = self._sess_options_initial = sess_options
        self._path = path
        self._create_inference_session()

    def _create_inference_session(self):
        self._sess = C.InferenceSession(self._sess_options or C.get_default_session_options(), self._path)

    def set_providers(self):
        self._sess_options = self._sess_options_initial
        self._create_inference_session()
