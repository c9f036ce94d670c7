"""`python -m diplomaccloud` is the command `diplomaccloud`."""

from diplomaccloud.judge.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
