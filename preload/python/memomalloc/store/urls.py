"""A store behind a URL, by fsspec. An object store puts an object in place whole. Where a file system does not, readers refuse
half an object by its digest."""
from .errors import StoreError
from .sealed import MOST_SEALED_BYTES


class UrlStore:
    def __init__(self, url):
        self.url = url
        try:
            import fsspec
        except ImportError:
            raise StoreError("the store {} needs fsspec; `pip install fsspec` installs it, or name a plain folder".format(url)) from None
        try:
            self.files, self.root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise StoreError("fsspec cannot open the store {}: {}".format(url, error)) from error
        except Exception as error:
            raise self._unusable(error) from error

    def names(self):
        return self._listed(self.root)

    def builds(self, name):
        return [entry for entry in self._listed(self._path(name)) if entry.endswith(".sealed")]

    def read(self, name, build, will_verify):
        if not will_verify:
            raise StoreError("the store {} needs a key, since who wrote its plans cannot be seen; "
                             "set MEMOMALLOC_STORE_KEY_FILE".format(self.url))
        try:
            return self.files.cat_file(self._path(name, build), start=0, end=MOST_SEALED_BYTES + 1)
        except Exception as error:
            raise self._unusable(error) from error

    def write(self, name, build, content):
        try:
            self.files.makedirs(self._path(name), exist_ok=True)
            self.files.pipe_file(self._path(name, build), content)
        except Exception as error:
            raise self._unusable(error) from error

    def _listed(self, path):
        try:
            self.files.invalidate_cache()
            return sorted(found.rstrip("/").rsplit("/", 1)[-1] for found in self.files.ls(path, detail=False))
        except FileNotFoundError:
            return []
        except Exception as error:
            raise self._unusable(error) from error

    def _path(self, *inside):
        return "/".join((self.root.rstrip("/"),) + inside)

    def _unusable(self, error):
        """Each of fsspec's file systems raises what its own library raises, so all of it is the store's failure."""
        return StoreError("the store {} cannot be used: {}: {}".format(self.url, type(error).__name__, error))
