"""As much of JAX as the marks look at."""
from jax import stages  # noqa: F401
from jax._src import source_info_util, traceback_util  # noqa: F401
from jax._src.api import jit  # noqa: F401
