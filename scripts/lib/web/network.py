"""What both applications answer with: a traced network with random weights, loaded before the server makes its workers."""

import hashlib
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "examples" / "torch_python"))

import networks  # noqa: E402
import torch  # noqa: E402

NAME = "squeezenet1_0"
SIDE = 64

torch.set_num_threads(1)
_network = networks.traced(networks.make(NAME, SIDE), torch.zeros(1, 3, SIDE, SIDE))


def answer(seed):
    """A digest of what the network says to the image that the number stands for."""
    image = torch.rand(1, 3, SIDE, SIDE, generator=torch.Generator().manual_seed(seed))
    with torch.no_grad():
        return hashlib.sha256(_network(image).numpy().tobytes()).hexdigest()
