"""Bare Debians to try things in: roots that debootstrap makes below build/roots, as root."""

import shutil

from commands import output_of, setup
from places import ROOT

ROOTS = ROOT / "build" / "roots"
PATH_OF_ROOT = "/usr/sbin:/usr/bin:/sbin:/bin"
# Programs ask /proc for their own place, so a root needs it: in a mount namespace, which ends with the command.
ENTER = 'user=$1 && shift && mount -t proc proc "$0/proc" && exec chroot --userspec="$user" "$0" "$@"'


def made_root(suite, *packages):
    """A root with Python, these packages and nothing more; kept for the next time. Each set of packages has a root of its own, which
    counts once it is whole."""
    root = ROOTS / "-".join((suite, *packages))
    whole = root.with_name(root.name + ".done")
    if not whole.exists():
        setup("debootstrap")
        shutil.rmtree(root, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
        output_of(["debootstrap", "--variant=minbase", "--include=python3,python3-venv", suite, root])
        if packages:
            output_of([*into_root(root), "apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages],
                      env={"PATH": PATH_OF_ROOT, "DEBIAN_FRONTEND": "noninteractive"})
        whole.touch()
    return root


def into_root(root, user="0:0"):
    """The words to put in front of a command."""
    return ("unshare", "-m", "sh", "-c", ENTER, str(root), user)
