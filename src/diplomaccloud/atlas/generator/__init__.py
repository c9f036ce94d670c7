"""Maps made from a seed, stage by stage; the same seed gives the same map."""

from diplomaccloud.atlas.generator.making import make_chart

__all__ = ["make_chart"]
