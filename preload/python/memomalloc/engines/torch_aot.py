"""Models that were compiled ahead of time (AOTInductor), as `torch._inductor.aoti_load_package` returns them."""
from ..keys import shapes_in
from ..wrapping import mark_calls


def mark(package):
    mark_calls(package.AOTICompiledModel, "__call__", lambda self, *args, **kwargs: shapes_in((args, kwargs)))
