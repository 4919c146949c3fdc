"""Finds the kind of store that a name means."""
import os

from .errors import StoreError
from .folders import FolderStore
from .urls import UrlStore

VARIABLE = "MEMOMALLOC_STORE"
_FILE = "file://"


def open_store(name):
    """A folder by its path or as file://, anything else with :// by fsspec."""
    if not name:
        raise StoreError("no store is named; give --store, or set {} to a folder or a URL".format(VARIABLE))
    if name.startswith(_FILE):
        return FolderStore(name[len(_FILE):])
    return UrlStore(name) if "://" in name else FolderStore(os.path.abspath(name))
