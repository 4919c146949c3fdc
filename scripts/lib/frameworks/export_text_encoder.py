#!/usr/bin/python3
"""export_text_encoder.py FILE: writes the text encoder of examples/torch_python as an ONNX model of any batch and length."""
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "examples/torch_python"))
import text_encoder  # noqa: E402

torch.manual_seed(1)
network = text_encoder.Encoder(width=256, layers=4, heads=4).eval()
torch.onnx.export(network, torch.zeros(2, 8, dtype=torch.long), sys.argv[1], opset_version=13, input_names=["tokens"],
                  output_names=["answer"], dynamic_axes={"tokens": {0: "batch", 1: "length"}, "answer": {0: "batch"}})
