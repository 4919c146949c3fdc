"""Networks by name, with random weights: torchvision's, and the discriminator of DCGAN, which torchvision lacks."""

import torch
import torchvision


class Discriminator(torch.nn.Sequential):
    """Convolutions of stride 2 that halve the image and double the channels until 4 x 4 pixels are left."""

    def __init__(self, side, features=64):
        layers = [torch.nn.Conv2d(3, features, 4, 2, 1, bias=False), torch.nn.LeakyReLU(0.2, inplace=True)]
        side //= 2
        while side > 4:
            layers += [torch.nn.Conv2d(features, 2 * features, 4, 2, 1, bias=False), torch.nn.BatchNorm2d(2 * features),
                       torch.nn.LeakyReLU(0.2, inplace=True)]
            features, side = 2 * features, side // 2
        super().__init__(*layers, torch.nn.Conv2d(features, 1, 4, 1, 0, bias=False), torch.nn.Sigmoid())


class FirstOutput(torch.nn.Module):
    """The tensor itself, of networks that answer with a dictionary (segmentation) or a tuple."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, images):
        answer = self.network(images)
        return answer["out"] if isinstance(answer, dict) else answer


def make(name, side):
    torch.manual_seed(1)
    if name == "dcgan":
        return Discriminator(side).eval()
    for place, settings in ((torchvision.models.segmentation, {"weights_backbone": None}), (torchvision.models, {})):
        builder = getattr(place, name, None)
        if callable(builder):
            if name in ("googlenet", "inception_v3"):
                settings = {"init_weights": True}
            return FirstOutput(builder(weights=None, **settings)).eval()
    raise SystemExit(f"infer.py: no network \"{name}\"; it takes dcgan and the names in torchvision.models")


def traced(model, images):
    with torch.no_grad():
        return torch.jit.freeze(torch.jit.trace(model, images, check_trace=False))
