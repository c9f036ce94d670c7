"""Judge: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from diplomaccloud.client.call import Call, operation
from diplomaccloud.client.values import Judged


class Judge:
    """The operations of `judge`."""

    @operation
    def judge(
        self,
        *,
        phase: str,
        units: Mapping[str, Sequence[str]],
        id: str | None = None,
        map: str | Mapping[str, Any] | None = None,
        rules: str | Mapping[str, Any] | None = None,
        centers: Mapping[str, Sequence[str]] | None = None,
        dislodged: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
        orders: Mapping[str, Sequence[str]] | None = None,
        seed: str | None = None,
        explain: bool | None = None,
    ) -> Call[Judged]:
        """Adjudicate a position as `docs/protocol.md` says; 2 s of the processor at most.

        All your requests together have 10 s a minute.
        """
        return Call(
            "POST",
            "/judge",
            Judged,
            body={
                "id": id,
                "map": map,
                "rules": rules,
                "phase": phase,
                "units": units,
                "centers": centers,
                "dislodged": dislodged,
                "orders": orders,
                "seed": seed,
                "explain": explain,
            },
        )
