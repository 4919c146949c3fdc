"""torch_graph.py NETWORK SIDE: what the graph of a torchvision network knows of the memory of a pass.

Traces and freezes the network as examples/torch_python does, and looks at every tensor that is the output of a node. The graph
of a frozen network holds no sizes; so it is run once with all these values as its outputs. Prints one JSON object:
`values` and their `bytes`, as one who plans from the graph would count them, and of these the `storages`, since some
values (of operators in place, and views) are others under a second name.
"""
import json
import sys
import warnings

import torch
import torchvision

warnings.simplefilter("ignore")


def frozen_graph(network, image):
    model = getattr(torchvision.models, network)(weights=None).eval()
    frozen = torch.jit.freeze(torch.jit.trace(model, image, check_trace=False))
    graph = frozen.graph.copy()
    graph.eraseInput(0)  # the module itself: frozen, it holds nothing any more
    return graph


def tensors_made(graph):
    return [value for node in graph.nodes() if node.kind() != "prim::Constant" for value in node.outputs()
            if isinstance(value.type(), torch._C.TensorType)]


def run_for(graph, values, image):
    together = graph.appendNode(graph.create("prim::TupleConstruct", values, 1)).output()
    together.setType(torch._C.TupleType([value.type() for value in values]))
    graph.eraseOutput(0)
    graph.registerOutput(together)
    return torch._C._create_function_from_graph("forward", graph)(image)


def size_of(tensor):
    return tensor.numel() * tensor.element_size()


def main(network, side):
    torch.set_num_threads(1)
    image = torch.rand(1, 3, side, side)
    with torch.no_grad():
        graph = frozen_graph(network, image)
        tensors = run_for(graph, tensors_made(graph), image)
    storages = {tensor.storage().data_ptr(): size_of(tensor) for tensor in tensors}
    print(json.dumps({"values": len(tensors), "bytes": sum(map(size_of, tensors)), "storages": len(storages),
                      "storage_bytes": sum(storages.values())}))


main(sys.argv[1], int(sys.argv[2]))
