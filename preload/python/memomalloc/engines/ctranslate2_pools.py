"""CTranslate2: its passes are left to the hooks, which see what each of its own threads does for one batch. Where hooks do not
count, each call that waits for its answer is a pass, and those threads are its workers. A call that does not wait (`asynchronous`) has
ended before they begin, and is none.

The class and the method tell passes apart. Batch and length are not in the key: passes of all shapes share one plan.
"""
from .. import library
from ..wrapping import mark_calls

METHODS = {
    "Translator": ("translate_batch", "score_batch"),
    "Generator": ("generate_batch", "score_batch", "forward_batch"),
    "Encoder": ("forward_batch",),
    "Whisper": ("encode", "generate", "detect_language", "align"),
    "Wav2Vec2": ("encode",),
    "Wav2Vec2Bert": ("encode",),
}


def mark(extension):
    if library.has_hooks:
        return
    for name, methods in METHODS.items():
        kind = getattr(extension, name, None)
        for method in methods:
            mark_calls(kind, method, _named(f"{name}.{method}"), unless=_does_not_wait)


def _named(text):
    return lambda *args, **kwargs: text


def _does_not_wait(*_, asynchronous=False, **__):
    return bool(asynchronous)
