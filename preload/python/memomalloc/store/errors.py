"""The two ways in which a store can disappoint. Each message is a whole sentence."""


class StoreError(Exception):
    """The store, or what it needs, cannot be used now."""


class Refused(Exception):
    """A plan is there, and must not be trusted or cannot serve."""
