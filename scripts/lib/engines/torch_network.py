"""torch_network.py PASSES|asked KIND [FILE]: a small residual network of PyTorch with random weights, on images of 2 x 3 x 32 x 32. KIND is
eager; compile, by torch.compile; script, traced by TorchScript; aot, the package that AOTInductor compiled into FILE; or make, which
writes FILE and makes no pass. Prints a digest of its answers (asked.py)."""
import sys

import torch
from asked import make_passes


class Block(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1, self.conv2 = (torch.nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2))
        self.norm = torch.nn.BatchNorm2d(channels)

    def forward(self, image):
        return torch.relu(image + self.norm(self.conv2(torch.relu(self.conv1(image)))))


def make_network():
    first, last = torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.Linear(16, 10)
    blocks = (Block(16) for _ in range(6))
    return torch.nn.Sequential(first, *blocks, torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), last).eval()


def make_package(path):
    program = torch.export.export(make_network(), (torch.rand(2, 3, 32, 32),))
    torch._inductor.aoti_compile_and_package(program, package_path=path)


KINDS = {
    "eager": make_network,
    "compile": lambda: torch.compile(make_network()),
    "script": lambda: torch.jit.trace(make_network(), torch.rand(2, 3, 32, 32)),
    "aot": lambda: torch._inductor.aoti_load_package(sys.argv[3]),
}

torch.manual_seed(1)
torch.set_num_threads(1)
with torch.no_grad():
    if sys.argv[2] == "make":
        make_package(sys.argv[3])
        sys.exit()
    network = KINDS[sys.argv[2]]()
    make_passes(lambda: [network(torch.rand(2, 3, 32, 32)).numpy().tobytes()])
