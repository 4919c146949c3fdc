"""The secret that signs plans, from MEMOMALLOC_STORE_KEY_FILE or MEMOMALLOC_STORE_KEY."""
import os
import stat

from .errors import StoreError

FILE_VARIABLE = "MEMOMALLOC_STORE_KEY_FILE"
TEXT_VARIABLE = "MEMOMALLOC_STORE_KEY"
FEWEST_BYTES = 16
_MOST_BYTES = 4096


def read_key(environment):
    """The key as bytes, None where no variable names one."""
    path = environment.get(FILE_VARIABLE, "")
    if path:
        return _long_enough(_content_of(path), path)
    text = environment.get(TEXT_VARIABLE, "")
    return _long_enough(text.encode(), TEXT_VARIABLE) if text else None


def _content_of(path):
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_mode & stat.S_IWOTH:
                raise StoreError("everybody may write to the key {}; chmod o-w it, and make a new key".format(path))
            return file.read(_MOST_BYTES).strip()
    except OSError as error:
        raise StoreError("the key {} cannot be read: {}; {} must name a file".format(path, error.strerror, FILE_VARIABLE)) from error


def _long_enough(key, whence):
    if len(key) < FEWEST_BYTES:
        raise StoreError("the key in {} has {} bytes and needs {}; `openssl rand -hex 32` makes one".format(whence, len(key), FEWEST_BYTES))
    return key
