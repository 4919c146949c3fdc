#!/usr/bin/python3
"""export_onnx.py NETWORK SIDE FILE: writes a network of examples/torch_python, for one image, as an ONNX model."""
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "examples/torch_python"))
import networks  # noqa: E402


def make_all_weights_differ(network):
    """The exporter joins equal ones by an Identity, which OpenCV 4.6 cannot read."""
    with torch.no_grad():
        for number, weights in enumerate(network.parameters()):
            weights += 1e-5 * number


def main(name, side, file):
    network = networks.make(name, int(side))
    make_all_weights_differ(network)
    torch.onnx.export(network, torch.rand(1, 3, int(side), int(side)), file, opset_version=11)


main(*sys.argv[1:])
