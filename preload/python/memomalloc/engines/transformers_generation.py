"""transformers: a generation is one pass, and its steps are the iterations of a loop. Steps that were passes of their own would hand
on the cache from one to the next, and a third of their bytes with it."""
from ..wrapping import mark_calls


def mark(utils):
    mark_calls(utils.GenerationMixin, "generate")
