"""Where the plans of this machine lie: at one path, or in the cache of `memomalloc run`."""
import os

SUFFIX = ".plan"


class OnePlan:
    """The path that MEMOMALLOC_PLAN names. Its file's name is the plan's name in the store."""

    def __init__(self, path):
        self._path = path

    def names_wanted(self, _):
        return [self.name_of(self._path)]

    def plans(self):
        return [self._path] if os.path.exists(self._path) else []

    def path_of(self, _):
        return self._path

    def name_of(self, path):
        return os.path.basename(path)


class Cache:
    """All plans of a folder."""

    def __init__(self, folder):
        self._folder = folder

    def names_wanted(self, store):
        return [name for name in store.names() if name.endswith(SUFFIX)]

    def plans(self):
        try:
            names = sorted(os.listdir(self._folder))
        except FileNotFoundError:
            return []
        return [self.path_of(name) for name in names if name.endswith(SUFFIX) and not name.startswith(".")]

    def path_of(self, name):
        return os.path.join(self._folder, os.path.basename(name))

    def name_of(self, path):
        return os.path.basename(path)


def plans_here(plan, environment):
    return OnePlan(plan) if plan else Cache(cache_folder(environment))


def cache_folder(environment):
    """As the command has it (planner/tool/learn/plan_cache.cpp)."""
    named = environment.get("XDG_CACHE_HOME", "")
    parent = named if named.startswith("/") else os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(parent, "memomalloc")
