"""Maps made from a seed, stage by stage; the same seed gives the same map."""

from diplomaccloud.atlas.generator.pipeline import MakingError, make_chart, make_placements

__all__ = ["MakingError", "make_chart", "make_placements"]
