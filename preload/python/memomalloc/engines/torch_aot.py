"""Models that were compiled ahead of time (AOTInductor), as `torch._inductor.aoti_load_package` returns them."""
from ..wrapping import mark_calls


def mark(package):
    mark_calls(package.AOTICompiledModel, "__call__")
