import types

modes = []


class TorchDispatchMode:
    """The innermost mode hears of each operator, and not of those that it calls itself."""

    def __enter__(self):
        modes.append(self)
        return self

    def __exit__(self, *_):
        modes.remove(self)


def _alias(kind):
    return None if kind == "" else types.SimpleNamespace(is_write=kind == "!")


class Operator:
    """One whose schema is written as "aten::add_ !, -> !": what follows a name is nothing, "!" for what it changes, or "a" for
    what is a view."""

    def __init__(self, name, arguments, answers, run):
        self.run = run
        self._schema = types.SimpleNamespace(
            name=name,
            arguments=[types.SimpleNamespace(name=argument.strip("!a*"), kwarg_only="*" in argument,
                                             alias_info=_alias("!" if "!" in argument else "")) for argument in arguments],
            returns=[types.SimpleNamespace(alias_info=_alias(answer)) for answer in answers])

    def name(self):
        return self._schema.name

    def __call__(self, *args, **kwargs):
        if not modes:
            return self.run(*args, **kwargs)
        mode = modes.pop()
        try:
            return mode.__torch_dispatch__(self, (), args, kwargs)
        finally:
            modes.append(mode)
