from torch.tensor import Parameter  # noqa: F401


class Module:
    def _wrapped_call_impl(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    __call__ = _wrapped_call_impl

    def named_modules(self, prefix=""):
        yield prefix, self
        for name, part in vars(self).items():
            if isinstance(part, Module):
                yield from part.named_modules(f"{prefix}.{name}".strip("."))
