"""The version of the site; the judge has the same."""

__version__ = "0.3.0.dev0"
