"""torch_fx_graph.py NETWORK SIDE [--traced]: the graph of a network's operators as PyTorch itself traces it, by torch.fx.

The graph has values, and the schema of an operator says which of its arguments it changes and which of its answers are views of
them. From this follows who reads what whom has written: no address is looked at. Prints one JSON object: `operators`, their
names in order, and `edges`, pairs of their numbers. Operators that only make views are none.
"""
import argparse
import json
import operator
import pathlib
import sys
import warnings

import torch
from torch.fx.experimental.proxy_tensor import make_fx

warnings.simplefilter("ignore")
sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "examples/torch_python"))
import networks  # noqa: E402


class Flow:
    """Follows the graph node by node. A memory is what a value and its views share; `written_by` has its last writer."""

    def __init__(self):
        self.operators, self.edges = [], []
        self._memories = {}    # value -> memory, or a list of them
        self._written_by = {}
        self._made = 0

    def add(self, node):
        if node.target is operator.getitem:
            values = self._memories[node.args[0]]
            self._memories[node] = values[node.args[1]] if isinstance(values, list) else values
        elif isinstance(node.target, torch._ops.OpOverload):
            self._add_operator(node, node.target._schema)
        elif node.op in ("placeholder", "get_attr"):
            self._memories[node] = self._new()

    def _new(self):
        self._made += 1
        return self._made

    def _memories_of(self, value):
        if isinstance(value, torch.fx.Node):
            memory = self._memories.get(value)
            return memory if isinstance(memory, list) else [] if memory is None else [memory]
        if isinstance(value, (list, tuple)):
            return [memory for one in value for memory in self._memories_of(one)]
        return []

    def _add_operator(self, node, schema):
        arguments = {argument.name: value for argument, value in zip(schema.arguments, node.args, strict=False)} | dict(node.kwargs)
        changed, aliases = [], {}
        for argument in schema.arguments:
            if argument.alias_info is None or argument.name not in arguments:
                continue
            memories = self._memories_of(arguments[argument.name])
            if argument.alias_info.is_write:
                changed += memories
            for name in argument.alias_info.before_set:
                aliases[name] = memories
        fresh = []
        answers = [self._answer(answer, aliases, fresh) for answer in schema.returns]
        self._memories[node] = answers[0] if len(answers) == 1 else answers
        if fresh or changed or not schema.returns:
            self._note(schema.name, [m for value in arguments.values() for m in self._memories_of(value)], changed + fresh)

    def _answer(self, answer, aliases, fresh):
        if answer.alias_info is None:
            fresh.append(self._new())
            return fresh[-1]
        return next((memories[0] for name in answer.alias_info.before_set | answer.alias_info.after_set
                     if (memories := aliases.get(name))), self._new())

    def _note(self, name, reads, writes):
        number = len(self.operators)
        self.operators.append(name)
        sources = {self._written_by[memory] for memory in reads if memory in self._written_by}
        self.edges += [[source, number] for source in sorted(sources)]
        self._written_by.update(dict.fromkeys(writes, number))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("network")
    parser.add_argument("side", type=int)
    parser.add_argument("--traced", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = networks.make(options.network, options.side)
    image = torch.rand(1, 3, options.side, options.side)
    if options.traced:
        model = networks.traced(model, image)
    with torch.no_grad():
        graph = make_fx(lambda images: model(images))(image).graph
    flow = Flow()
    for node in graph.nodes:
        flow.add(node)
    print(json.dumps({"operators": flow.operators, "edges": flow.edges}))


main()
