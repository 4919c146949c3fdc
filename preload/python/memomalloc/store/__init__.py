"""A store of plans that many machines share: one learns, and the others serve from their first pass.

    MEMOMALLOC_STORE=/mnt/plans  memomalloc run -- python3 server.py     # pulls, and pushes what is learned
    python3 -m memomalloc.store pull|push|watch                          # the same by hand, for programs of any kind

A stored plan is one object, NAME.plan/BUILDS.sealed. NAME is the plan's name in the cache. BUILDS stands for the binaries that
the plan was made from, so that two builds of a server never overwrite each other's plan (docs/fleet.md).
"""
