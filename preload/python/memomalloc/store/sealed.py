"""The object that lies in a store: a plan, what it is for, and a signature of both.

    MEMOMALLOC SEALED PLAN 1 <HMAC-SHA256, or - without a key>\\n
    {"name": ..., "made": seconds since 1970, "digest": SHA-256 of the plan, "modules": [[path, build-id], ...]}\\n
    the plan

The signature covers the second line and the plan. So neither can be exchanged, and a plan cannot be passed off under the name
of another program.
"""
import collections
import hashlib
import hmac
import json

from .errors import Refused
from .plan_file import MOST_BYTES, Module, builds_of, modules_in

MOST_SEALED_BYTES = MOST_BYTES + (1 << 20)
UNSIGNED = "-"
_MAGIC = "MEMOMALLOC SEALED PLAN 1 "

Sealed = collections.namedtuple("Sealed", "name made digest modules plan")


def seal(name, made, plan, key):
    modules = modules_in(plan)
    about = json.dumps({"name": name, "made": made, "digest": digest_of(plan), "modules": modules}).encode() + b"\n"
    signature = _signature(key, about + plan) if key else UNSIGNED
    return (_MAGIC + signature + "\n").encode() + about + plan


def digest_of(plan):
    return hashlib.sha256(plan).hexdigest()


def place_of(name, plan):
    """Where the plan lies in a store."""
    return name, builds_of(modules_in(plan)) + ".sealed"


def unseal(content, key):
    """What is in it. With a key, refuses whatever this key did not sign, before anything of it is read."""
    first, _, rest = content.partition(b"\n")
    if not first.startswith(_MAGIC.encode()):
        raise Refused("it is no sealed plan")
    if key:
        _verify(first[len(_MAGIC):].decode("ascii", "replace"), rest, key)
    return _parsed(rest)


def _verify(signature, signed, key):
    if signature == UNSIGNED:
        raise Refused("it is not signed, and a key is set here; push it again with the key")
    if not hmac.compare_digest(signature.encode(), _signature(key, signed).encode()):
        raise Refused("its signature is wrong: it was changed, or signed with another key")


def _signature(key, signed):
    return hmac.new(key, signed, hashlib.sha256).hexdigest()


def _parsed(signed):
    about, _, plan = signed.partition(b"\n")
    try:
        fields = json.loads(about.decode())
        found = Sealed(fields["name"], float(fields["made"]), fields["digest"], [Module(*pair) for pair in fields["modules"]], plan)
    except (ValueError, KeyError, TypeError) as error:
        raise Refused("it is damaged: {}".format(error)) from error
    if digest_of(plan) != found.digest or modules_in(plan) != found.modules:
        raise Refused("it is damaged: its plan is not the one that was sealed")
    return found
