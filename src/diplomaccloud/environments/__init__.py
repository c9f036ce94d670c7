"""Games of Diplomacy as environments for programs that learn; `docs/environments.md` shows them.

`VectorEnv` plays many games at once and needs NumPy. `parallel_env` and `env` are one game in the
two forms of PettingZoo, which the extra `gym` brings.
"""

from typing import TYPE_CHECKING, Any

try:
    from diplomaccloud.environments.settings import Reward, Settings
    from diplomaccloud.environments.vector import VectorEnv
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    raise ImportError(
        "environments need NumPy: pip install 'diplomaccloud[gym]'", name="numpy"
    ) from error

if TYPE_CHECKING:
    from diplomaccloud.environments.parallel import ParallelGame
    from diplomaccloud.environments.unit_steps import UnitGame

__all__ = ["Reward", "VectorEnv", "env", "parallel_env"]


def parallel_env(**settings: Any) -> "ParallelGame":
    """Return one game in PettingZoo's parallel form: all powers order at once.

    Takes the keywords of `VectorEnv`. Raises `ImportError`, with the command that helps, if
    PettingZoo is not installed.
    """
    _require_pettingzoo()
    from diplomaccloud.environments.parallel import ParallelGame  # noqa: PLC0415

    return ParallelGame(Settings(**settings))


def env(**settings: Any) -> "UnitGame":
    """Return one game in PettingZoo's form of turns (AEC): each step orders one unit.

    Takes the keywords of `VectorEnv`, and raises `ImportError` as `parallel_env` does.
    """
    _require_pettingzoo()
    from diplomaccloud.environments.unit_steps import UnitGame  # noqa: PLC0415

    return UnitGame(Settings(**settings))


def _require_pettingzoo() -> None:
    try:
        import pettingzoo  # noqa: F401, PLC0415
    except ModuleNotFoundError as error:
        raise ImportError(
            "this form needs PettingZoo: pip install 'diplomaccloud[gym]'", name="pettingzoo"
        ) from error
