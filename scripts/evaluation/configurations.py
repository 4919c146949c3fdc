"""What the thesis measured: its networks, inputs and thread counts."""

from dataclasses import dataclass

NETWORKS = ["dcgan", "deeplabv3_resnet50", "fcn_resnet50", "googlenet", "wide_resnet50_2", "vgg16", "inception_v3",
            "regnet_x_8gf", "squeezenet1_0", "mnasnet0_75", "resnext101_32x8d", "efficientnet_b4"]
INPUTS = [(batch, side) for side in (128, 256) for batch in (1, 4, 8)]
WORKERS = [1, 2, 8, 32]

QUICK_NETWORKS = ["squeezenet1_0", "googlenet", "dcgan", "mnasnet0_75"]
QUICK_INPUTS = [(1, 128)]
QUICK_WORKERS = [1]

@dataclass(frozen=True)
class Configuration:
    network: str
    batch: int
    side: int
    workers: int

    @property
    def name(self):
        return f"{self.model}-w{self.workers}"

    @property
    def input(self):
        return f"{self.batch}x{self.side}"

    @property
    def model(self):
        return f"{self.network}-{self.input}"


def parse_inputs(text):
    """"1x128,8x256" -> [(1, 128), (8, 256)]"""
    try:
        return [tuple(int(number) for number in word.split("x")) for word in text.split(",")]
    except ValueError:
        raise SystemExit(f"reproduce-thesis: \"{text}\" is no list of inputs; write BATCHxSIDE, as in 1x128,8x256") from None


def configurations(networks, inputs, workers):
    return [Configuration(network, batch, side, count)
            for network in networks for batch, side in inputs for count in workers]
