"""Games of Diplomacy as reinforcement learning environments; see `docs/environments.md`.

`VectorEnv` plays many games at once and needs NumPy. `parallel_env` and `env` play one game through
PettingZoo's two APIs, which the extra `gym` installs.
"""

from typing import TYPE_CHECKING, Any

from diplomaccloud.judge.version import tell_install

try:
    from diplomaccloud.environments.vector import Reward, VectorEnv
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    raise ImportError(
        f"environments need NumPy; in a checkout: {tell_install('gym')}", name="numpy"
    ) from error

if TYPE_CHECKING:
    from diplomaccloud.environments.pettingzoo_games import ParallelGame, UnitGame

__all__ = ["Reward", "VectorEnv", "env", "parallel_env"]


def parallel_env(**settings: Any) -> "ParallelGame":
    """Return one game with PettingZoo's parallel API: all powers order at once.

    Takes the same keywords as `VectorEnv`. If PettingZoo is not installed, raises `ImportError`
    with the command that installs it.
    """
    _require_pettingzoo()
    from diplomaccloud.environments.pettingzoo_games import ParallelGame  # noqa: PLC0415

    return ParallelGame(**settings)


def env(**settings: Any) -> "UnitGame":
    """Return one game with PettingZoo's turn-based API (AEC): each step orders one unit.

    Takes the same keywords as `VectorEnv`, and raises `ImportError` as `parallel_env` does.
    """
    _require_pettingzoo()
    from diplomaccloud.environments.pettingzoo_games import UnitGame  # noqa: PLC0415

    return UnitGame(**settings)


def _require_pettingzoo() -> None:
    try:
        import pettingzoo  # noqa: F401, PLC0415
    except ModuleNotFoundError as error:
        raise ImportError(
            f"this form needs PettingZoo; in a checkout: {tell_install('gym')}", name="pettingzoo"
        ) from error
