"""tracers.py: all that reads, traces or copies a PyTorch model, on one small model. Prints what each of them saw."""
import copy
import inspect
import pickle
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402
from torch._dynamo.testing import CompileCounter  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(8, 8), torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(8, 4))

    def forward(self, x):
        return self.second(self.first(x))


class Broken(torch.nn.Module):
    def forward(self, x):
        raise ValueError("broken")


def compiled(model, **options):
    """What torch.compile makes of the model: answers, graphs, and operators in them."""
    torch._dynamo.reset()
    counter = CompileCounter()
    fast = torch.compile(model, backend=counter, **options)
    return [fast(x).sum().item() for _ in range(2)], counter.frame_count, counter.op_count


def hooked():
    one = Network().eval()
    one.first.register_forward_hook(lambda module, inputs, output: 2 * output)
    one.second.register_forward_pre_hook(lambda module, inputs: (inputs[0] + 1,))
    return one


def nodes(graph):
    return [f"{node.op} {node.target}" for node in graph.nodes]


torch.manual_seed(0)
network, x = Network().eval(), torch.rand(2, 8)
print(inspect.signature(torch.nn.Module.__call__), torch.nn.Module.__call__.__qualname__)
for gradients in (True, False):
    with torch.set_grad_enabled(gradients):
        print("compile", compiled(network), compiled(network, fullgraph=True), compiled(hooked(), fullgraph=True))
        print("a function", compiled(lambda y: network(y) + 1, fullgraph=True))
        print("export", nodes(torch.export.export(network, (x,)).graph))
        print("export, strict", nodes(torch.export.export(network, (x,), strict=True).graph))
        dynamic = torch.export.export(network, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},))
        print("export, any batch", dynamic.module()(torch.rand(7, 8)).shape)
        print("trace", torch.jit.trace(network, x).graph)
        print("script", torch.jit.script(Network().eval()).graph)
        print("fx", torch.fx.symbolic_trace(network).code)
        print("make_fx", nodes(make_fx(lambda y: torch.relu(network.first(y)), tracing_mode="real")(x).graph))
        print("vmap", torch.func.vmap(network)(x).sum().item())
        for copied in (copy.deepcopy(network), pickle.loads(pickle.dumps(network))):
            print("copy", torch.equal(copied(x), network(x)))
        for wrong in (lambda: Broken()(x), lambda: network("text")):
            try:
                wrong()
            except (TypeError, ValueError) as error:
                print(type(error), error, error.__context__)
network(x).sum().backward()
print("trained", network.first.weight.grad.sum().item())
