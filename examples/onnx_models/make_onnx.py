#!/usr/bin/python3
"""make_onnx.py [--batch N] [--side N] FILE: writes a small convolutional network with random weights as an ONNX model.

The network is of SqueezeNet's kind: layers that narrow and widen in two branches, some with a residual sum around them.
Weights are the same in every run. Without --batch the model takes batches of any size. Needs Debian's python3-onnx.
"""
import argparse

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

CLASSES = 100


class Network:
    """Nodes in the order they run; each method adds some and returns the name of what they compute."""

    def __init__(self):
        self.nodes = []
        self.weights = []
        self.random = numpy.random.default_rng(1)

    def add(self, kind, inputs, **attributes):
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def weight(self, *shape):
        name = f"weight_{len(self.weights)}"
        scale = numpy.sqrt(2 / numpy.prod(shape[1:]))
        values = (self.random.standard_normal(shape) * scale).astype(numpy.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def conv(self, value, channels, to_channels, side, stride=1):
        inputs = [value, self.weight(to_channels, channels, side, side), self.weight(to_channels)]
        return self.add("Conv", inputs, kernel_shape=[side, side], strides=[stride, stride], pads=[side // 2] * 4)

    def relu(self, value):
        return self.add("Relu", [value])

    def halve(self, value):
        return self.add("MaxPool", [value], kernel_shape=[3, 3], strides=[2, 2])

    def fire(self, value, channels, narrow, wide):
        squeezed = self.relu(self.conv(value, channels, narrow, 1))
        branches = [self.relu(self.conv(squeezed, narrow, wide, side)) for side in (1, 3)]
        joined = self.add("Concat", branches, axis=1)
        return self.add("Add", [joined, value]) if channels == 2 * wide else joined


def forward(network, image):
    value = network.halve(network.relu(network.conv(image, 3, 64, 3, stride=2)))
    channels = 64
    for stage, (narrow, wide) in enumerate([(16, 64), (32, 128), (48, 192), (64, 256)]):
        for _ in range(2):
            value = network.fire(value, channels, narrow, wide)
            channels = 2 * wide
        if stage < 2:
            value = network.halve(value)
    value = network.relu(network.conv(value, channels, CLASSES, 1))
    value = network.add("GlobalAveragePool", [value])
    value = network.add("Flatten", [value], axis=1)
    return network.add("Softmax", [value], axis=1)


def model(batch, side):
    network = Network()
    scores = forward(network, "image")
    graph = helper.make_graph(
        network.nodes, "small_squeeze",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [batch, 3, side, side])],
        [helper.make_tensor_value_info(scores, TensorProto.FLOAT, [batch, CLASSES])], network.weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--batch", type=int, help="a fixed batch size; without it the model takes any")
    parser.add_argument("--side", type=int, default=128, help="height and width of the images (128)")
    arguments = parser.parse_args()
    made = model(arguments.batch or "batch", arguments.side)
    onnx.checker.check_model(made)
    onnx.save(made, arguments.file)


if __name__ == "__main__":
    main()
