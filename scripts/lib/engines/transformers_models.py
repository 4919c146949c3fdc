"""transformers_models.py PASSES|asked KIND [compile]: models of transformers with random weights on PyTorch: bert, 4 layers of 256 on
2 x 32 tokens, with the word compile by torch.compile; or generate, a GPT-2 of 4 layers of 256 that writes 24 tokens after 12. Prints a
digest of its answers (asked.py)."""
import sys

import torch
import transformers
from asked import make_passes

torch.manual_seed(1)
torch.set_num_threads(1)
TOKENS = 1000


def bert():
    sizes = {"vocab_size": TOKENS, "hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 1024}
    model = transformers.BertModel(transformers.BertConfig(**sizes)).eval()
    model = torch.compile(model) if "compile" in sys.argv else model
    return lambda: [model(torch.randint(TOKENS, (2, 32))).last_hidden_state.numpy().tobytes()]


def generate():
    sizes = {"vocab_size": TOKENS, "n_embd": 256, "n_layer": 4, "n_head": 4, "bos_token_id": 0, "eos_token_id": None, "pad_token_id": 0}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes)).eval()
    return lambda: [model.generate(torch.randint(1, TOKENS, (1, 12)), max_new_tokens=24, do_sample=False).numpy().tobytes()]


with torch.inference_mode():
    make_passes({"bert": bert, "generate": generate}[sys.argv[2]]())
