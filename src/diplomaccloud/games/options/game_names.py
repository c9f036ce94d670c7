"""Suggested names for new games, made of two words."""

import random
from typing import Final

_FIRST: Final = """
Amber Ancient Autumn Bitter Blue Brass Broken Candid Copper Crimson Crooked Distant Eastern
Emerald Fading Fearless Final Foggy Frozen Gilded Gleaming Golden Grand Gray Hidden Hollow Honest
Humble Idle Iron Ivory Jolly Lasting Little Lonely Loyal Lucky Marble Merry Midnight Modest Muted
Narrow Noble Northern Patient Polite Proud Quiet Restless Rising Royal Rusty Sapphire Scarlet
Secret Silent Silver Sleepless Sly Smiling Solemn Southern Stormy Stubborn Summer Sunny Tangled
Tidy Twelfth Unlikely Vast Velvet Wandering Western Whispered Wild Winter Wooden
"""
_SECOND: Final = """
Accord Alliance Ambition Anchor Armada Assembly Balance Banner Bargain Bastion Beacon Border
Bridge Cabinet Campaign Canal Capital Carnival Channel Charter Chessboard Cipher Coalition Compass
Concert Congress Consul Convoy Corridor Council Courier Crown Dagger Dispatch Dynasty Embassy
Emissary Empire Entente Envoy Epilogue Fjord Flotilla Fortress Frontier Gambit Garrison Glacier
Handshake Harbor Horizon Intrigue Island Lantern Ledger Legacy Letter Lighthouse March Masquerade
Meridian Monarch Orchard Overture Pact Palace Parade Passage Pennant Promise Protocol Quarrel
Regatta Retreat Rumor Salon Seal Siege Sonata Strait Summit Tempest Treaty Truce Vanguard Volcano
Waltz Whisper
"""


def suggest_names(seed: str, count: int) -> tuple[str, ...]:
    """Return `count` different names for a game; the same seed gives the same names."""
    rng, first, second = random.Random(f"name {seed}"), _FIRST.split(), _SECOND.split()
    pairs = rng.sample(range(len(first) * len(second)), count)
    return tuple(f"{first[pair % len(first)]} {second[pair // len(first)]}" for pair in pairs)


def suggest_name(seed: str) -> str:
    """Return a name for a game; the same seed gives the same name."""
    return suggest_names(seed, 1)[0]
