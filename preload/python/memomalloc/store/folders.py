"""A store in a folder that all machines see, and files that come into place whole."""
import contextlib
import os
import stat
import tempfile

from .errors import Refused, StoreError
from .sealed import MOST_SEALED_BYTES

READABLE = 0o644


class FolderStore:
    def __init__(self, root):
        self.root = root

    def names(self):
        """Of the programs that have plans."""
        return self._listed()

    def builds(self, name):
        """The objects of one program, by their names."""
        return [entry for entry in self._listed(name) if entry.endswith(".sealed")]

    def read(self, name, build, will_verify):
        """The bytes. A plan whose signature is not looked at must come from a user who could do worse anyway."""
        path = os.path.join(self.root, name, build)
        with _said_of(self.root), open(path, "rb") as file:
            if not will_verify:
                _refuse_foreign(file)
            return file.read(MOST_SEALED_BYTES + 1)

    def write(self, name, build, content):
        with _said_of(self.root):
            os.stat(self.root)  # a folder that is not mounted is not made: its plans would lie where no other machine looks
            os.makedirs(os.path.join(self.root, name), exist_ok=True)
            put_in_place(os.path.join(self.root, name, build), content)

    def _listed(self, *inside):
        """A program of which nothing is stored has an empty list; a store that is not there is an error."""
        with _said_of(self.root):
            os.stat(self.root)
            try:
                return sorted(os.listdir(os.path.join(self.root, *inside)))
            except (FileNotFoundError, NotADirectoryError):
                return []


@contextlib.contextmanager
def _said_of(root):
    try:
        yield
    except OSError as error:
        raise StoreError("the store {} cannot be used: {}".format(root, error.strerror)) from error


def _refuse_foreign(file):
    """Looks at the open file, so that it cannot be exchanged in between."""
    about = os.fstat(file.fileno())
    if about.st_uid not in (0, os.geteuid()):
        raise Refused("it belongs to user {}, and without a key only your own files and root's are taken; "
                      "set MEMOMALLOC_STORE_KEY_FILE".format(about.st_uid))
    if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise Refused("others may write to it, and without a key it is not trusted; chmod go-w it, or set MEMOMALLOC_STORE_KEY_FILE")


def put_in_place(path, content, made=None):
    """Writes beside the place and renames, so that a reader finds the old file or the new one."""
    descriptor, beside = tempfile.mkstemp(prefix=".", suffix=".new", dir=os.path.dirname(path) or ".")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(descriptor, READABLE)
            os.fsync(descriptor)
        if made is not None:
            os.utime(beside, (made, made))
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
