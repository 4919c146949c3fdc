"""python3 -m memomalloc.store pull|push|watch: plans between this machine and a store."""
import argparse
import os
import sys

from . import beside, deadline, detaching, watching
from .errors import StoreError
from .exchange import Exchange
from .here import plans_here
from .key import FILE_VARIABLE, TEXT_VARIABLE, read_key
from .messages import Messages
from .opening import VARIABLE, open_store

EVERY = 30    # seconds
TIMEOUT = 10  # seconds

EPILOG = """{} or {} has the key that signs plans. Without one, plans are taken from a folder only, and only those of your own
and of root. `pull` ends with 0 even if there is no plan or no store, so that a server starts; one line says so.""".format(
    FILE_VARIABLE, TEXT_VARIABLE)


def parser():
    main = argparse.ArgumentParser(prog="memomalloc.store", description="Keeps plans where a fleet of servers finds them.", epilog=EPILOG)
    verbs = main.add_subparsers(dest="verb", required=True, metavar="pull|push|watch")
    for verb, about in (("pull", "take over what is stored and fits this machine"), ("push", "store the plans of this machine"),
                        ("watch", "pull until there is a plan, and push what is learned")):
        options = verbs.add_parser(verb, help=about, epilog=EPILOG)
        options.add_argument("--store", default=os.environ.get(VARIABLE, ""), help="a folder, or a URL that fsspec opens (%(default)s)")
        options.add_argument("--plan", default=os.environ.get("MEMOMALLOC_PLAN", ""),
                             help="the one plan to look after; by default $MEMOMALLOC_PLAN, else the cache of `memomalloc run`")
        options.add_argument("--timeout", type=_seconds, default=TIMEOUT, help="seconds until a store counts as down (%(default)s)")
    options.add_argument("--every", type=_seconds, default=EVERY, help="seconds between questions while there is no plan (%(default)s)")
    options.add_argument("--pid", type=int, help="end with this process")
    options.add_argument("--detach", action="store_true", help="go on in the background after the first pull")
    return main


def _seconds(text):
    value = float(text)
    if not 0 < value < 86400:
        raise argparse.ArgumentTypeError("{} is no number of seconds between 0 and 86400".format(text))
    return value


def exchange_of(options, messages):
    store = open_store(options.store)
    return Exchange(store, read_key(os.environ), plans_here(options.plan, os.environ), messages)


def pull(options, messages):
    try:
        deadline.within(options.timeout, lambda: exchange_of(options, messages).pull())
    except StoreError as error:
        messages.trouble("{}; nothing is pulled, and the server learns by itself".format(error))
    return 0


def push(options, messages):
    try:
        deadline.within(options.timeout, lambda: exchange_of(options, messages).push())
    except StoreError as error:
        messages.trouble("{}; nothing is pushed".format(error))
        return 1
    return 0


def watch(options, messages):
    ends = watching.ended(options.pid) if options.pid else watching.never
    if options.detach:
        detaching.detach(beside.LONGEST_WAIT)
    try:
        watched = watching.Watch(exchange_of(options, messages), messages, options.every, options.timeout, ends)
    except StoreError as error:
        messages.trouble("{}; no plan is pulled or pushed".format(error))
        return 1
    watched.first_look()
    if options.detach:
        detaching.release()
    watched.run()
    return 0


def main():
    options = parser().parse_args()
    messages = Messages(os.environ, says_all=not (options.verb == "watch" and options.detach))
    return {"pull": pull, "push": push, "watch": watch}[options.verb](options, messages)


def run():
    """A thread that a store holds up must not hold up the end."""
    try:
        status = main()
    except KeyboardInterrupt:
        status = 130
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    run()
