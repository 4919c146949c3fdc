import os

from torch.tensor import Parameter  # noqa: F401


class Module:
    _compiled_call_impl = None  # set by Module.compile()

    def _wrapped_call_impl(self, *args, **kwargs):
        if self._compiled_call_impl is not None:
            return self._compiled_call_impl(*args, **kwargs)
        return self._call_impl(*args, **kwargs)

    def _call_impl(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    __call__ = _call_impl if os.environ.get("FAKE_TORCH") == "1.13" else _wrapped_call_impl

    def named_modules(self, prefix=""):
        yield prefix, self
        for name, part in vars(self).items():
            if isinstance(part, Module):
                yield from part.named_modules(f"{prefix}.{name}".strip("."))
