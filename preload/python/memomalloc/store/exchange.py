"""Brings plans from a store to this machine, and those of this machine to the store. The newest good plan wins."""
import os

from . import sealed
from .errors import Refused, StoreError
from .folders import put_in_place
from .plan_file import MOST_BYTES, why_other_build


class Exchange:
    """Between a store and one plan of this machine, or all plans of its cache. Says in a line what it did or refused."""

    def __init__(self, store, key, here, messages):
        self._store, self._key, self._here, self._messages = store, key, here, messages
        self._known = {}  # path -> digest of what this process pulled or pushed last
        self._said = set()

    def pull(self):
        """Takes over each plan that is newer than the one here, and fits the binaries of this machine."""
        for name in self._here.names_wanted(self._store):
            self._pull_one(name)

    def push(self):
        """Stores each plan of this machine that is newer than the stored one of the same binaries."""
        for path in self._here.plans():
            self._push_one(path)

    def has_plan(self):
        return bool(self._here.plans())

    def _pull_one(self, name):
        path = self._here.path_of(name)
        fitting = [found for found in self._stored(name) if self._fits(name, found)]
        if not fitting:
            return
        newest = max(fitting, key=lambda found: found.made)
        self._known[path] = newest.digest
        if _time_of(path) < newest.made and _digest_at(path) != newest.digest:
            _keep(path, newest)
            self._messages.note("pulled {} ({} bytes)".format(path, len(newest.plan)))

    def _stored(self, name):
        for build in self._store.builds(name):
            found = self._read(name, build)
            if found is not None:
                yield found

    def _read(self, name, build):
        """None for a plan that is refused."""
        try:
            content = self._store.read(name, build, will_verify=bool(self._key))
            if len(content) > sealed.MOST_SEALED_BYTES:
                raise Refused("it has more than {} MiB".format(MOST_BYTES >> 20))
            found = sealed.unseal(content, self._key)
            if found.name != name or sealed.place_of(found.name, found.plan)[1] != build:
                raise Refused("it was sealed as {}".format("/".join(sealed.place_of(found.name, found.plan))))
            return found
        except Refused as why:
            self._say_once("the stored plan {}/{} is refused: {}".format(name, build, why))
            return None

    def _fits(self, name, found):
        why = why_other_build(found.modules)
        if why:
            self._say_once("the stored plan {} of {} is not for this machine: {}".format(name, found.digest[:8], why))
        return not why

    def _push_one(self, path):
        plan, made = _content_and_time(path)
        digest = sealed.digest_of(plan)
        if self._known.get(path) == digest:
            return
        name = self._here.name_of(path)
        try:
            place = sealed.place_of(name, plan)
        except Refused as why:
            self._say_once("the plan {} is not pushed: {}".format(path, why))
            return
        if not self._is_stored(place, digest, made):
            self._store.write(*place, sealed.seal(name, made, plan, self._key))
            self._messages.note("pushed {} as {} ({} bytes)".format(path, "/".join(place), len(plan)))
        self._known[path] = digest

    def _is_stored(self, place, digest, made):
        """Whether this plan lies there already, or a newer one. A bad one is no reason to keep a good one back."""
        name, build = place
        if build not in self._store.builds(name):
            return False
        found = self._read(name, build)
        return found is not None and (found.digest == digest or found.made > made)

    def _say_once(self, line):
        if line not in self._said:
            self._said.add(line)
            self._messages.trouble(line)


def _keep(path, found):
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        put_in_place(path, found.plan, found.made)
    except OSError as error:
        raise StoreError("the plan {} cannot be written: {}".format(path, error.strerror)) from error


def _content_and_time(path):
    try:
        with open(path, "rb") as file:
            return file.read(), os.fstat(file.fileno()).st_mtime
    except OSError as error:
        raise StoreError("the plan {} cannot be read: {}".format(path, error.strerror)) from error


def _digest_at(path):
    return sealed.digest_of(_content_and_time(path)[0]) if os.path.exists(path) else ""


def _time_of(path):
    return os.stat(path).st_mtime if os.path.exists(path) else float("-inf")
