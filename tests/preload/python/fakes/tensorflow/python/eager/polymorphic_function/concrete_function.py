import types

from tensorflow.python.eager import context  # noqa: F401


class ConcreteFunction:
    def __init__(self, name, number):
        self.name = f"__inference_{name}_{number}"
        self._func_graph = types.SimpleNamespace(name=name)

    def __call__(self, **kwargs):
        return {"output_0": kwargs["x"]}


class WrapperFunction(ConcreteFunction):
    """What a loaded SavedModel has as its signatures."""
