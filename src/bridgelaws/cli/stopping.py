"""What ends a command before it is done, and is no mistake."""


class Stopped(Exception):
    """Ctrl-C."""


class ReaderLeft(Exception):
    """Nobody reads the output any more."""
