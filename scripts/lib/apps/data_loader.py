"""data_loader.py BATCHES: eager PyTorch whose images are prepared by two workers of a DataLoader."""
import sys

import torch
from steady import answer


class Images(torch.utils.data.Dataset):
    def __len__(self):
        return 8 * int(sys.argv[1])

    def __getitem__(self, number):
        image = torch.randint(256, (3, 128, 128), generator=torch.Generator().manual_seed(number), dtype=torch.uint8)
        return torch.nn.functional.avg_pool2d(image.float() / 255 - 0.5, 2)


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(1)).eval()
    batches = iter(torch.utils.data.DataLoader(Images(), batch_size=8, num_workers=2))
    with torch.no_grad():
        answer(int(sys.argv[1]), lambda _: network(next(batches)).numpy().tobytes())


if __name__ == "__main__":
    main()
