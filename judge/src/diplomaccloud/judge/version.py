"""The version of the judge."""

__version__ = "0.3.0.dev0"
