"""The rules of Diplomacy: frozen values, no clock, standard library only.

Start with `Game`: give it orders as text, adjudicate, and look at the results. Programs that
search use the lower-level functions: `parse_order`, `legal_orders`, `adjudicate`, and `batch` for
thousands of positions in one call. `docs/library.md` has examples of everything.

The names in `public` and in `batch.__all__` are stable, and so are the order classes in `orders`.
All other modules in this package are private: they serve the site, the bots and the tests, and may
change with any version. The names are imported when one of them is first used.

`legality` says what orders mean and why some are refused, `kernel` decides every phase under any
rule set, `reasons` and `messages` explain results, `notation` reads text, `codec` reads and writes
JSON, `drawing` draws maps, `protocol` serves other programs, `exchange` reads and writes files of
games, and `standard` has the board of Europe.
"""

TYPE_CHECKING = False  # Importing `typing` takes longer than importing everything here.

if TYPE_CHECKING:
    from diplomaccloud.judge.public import *  # noqa: F403 the one list of them
else:  # Otherwise, type checkers would accept misspelled names.

    def __getattr__(name: str) -> object:
        """Return a public name, or `__all__`; the first use imports all names."""
        from importlib import import_module  # noqa: PLC0415

        public = vars(import_module(f"{__name__}.public"))
        names = {key: value for key, value in public.items() if not key.startswith("_")}
        names["__all__"] = sorted(names)
        if name not in names:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = names[name]
        return names[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})
