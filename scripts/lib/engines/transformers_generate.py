"""transformers_generate.py [--requests N] [--seed N] [--behind N] [--asked]: a GPT-2 of transformers with random weights, which writes
5 to 60 tokens behind a prompt of 5 to 100, both drawn from the seed. Prints one JSON object (examples/torch_python/measuring.py)."""
import pathlib
import random
import sys

import torch
import transformers

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "examples/torch_python"))
import measuring  # noqa: E402

TOKENS = 500


def prompts(count, seed):
    dice = random.Random(seed)
    for _ in range(count):
        yield torch.tensor([[dice.randrange(TOKENS) for _ in range(dice.randint(5, 100))]]), dice.randint(5, 60)


def main():
    given = measuring.parser(__doc__).parse_args()
    transformers.logging.set_verbosity_error()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    sizes = transformers.GPT2Config(vocab_size=TOKENS, n_positions=256, n_embd=128, n_layer=2, n_head=4,
                                    bos_token_id=None, eos_token_id=None)
    model = transformers.GPT2LMHeadModel(sizes).eval()

    def answer(prompt, tokens):
        return model.generate(prompt, max_new_tokens=tokens, min_new_tokens=tokens, do_sample=False, pad_token_id=0)

    with torch.no_grad():
        measuring.measure(answer, prompts(given.requests, given.seed), given)


main()
