"""Commands of the site for `diplomaccloud`; the judge has the command line and its own commands."""
