"""Message keys and English sentences for the ways in which games end."""

from diplomaccloud.judge.messages.forms import Plural

ENDINGS: dict[str, str | Plural] = {
    "ending_centers": "{winner} owned {count} of {total} centers after {when}.",
    "ending_pieces": "{winner} had {count} of the {total} pieces on the board.",
    # At a time limit: the leaders, by centers or by pieces.
    "time_up_after_year_centers": Plural(
        "best",
        "Time was up after {year}: {leaders} led with {best} center.",
        "Time was up after {year}: {leaders} led with {best} centers.",
    ),
    "time_up_after_year_pieces": Plural(
        "best",
        "Time was up after {year}: {leaders} led with {best} piece.",
        "Time was up after {year}: {leaders} led with {best} pieces.",
    ),
    "time_up_on_date_centers": Plural(
        "best",
        "Time was up on {date}: {leaders} led with {best} center.",
        "Time was up on {date}: {leaders} led with {best} centers.",
    ),
    "time_up_on_date_pieces": Plural(
        "best",
        "Time was up on {date}: {leaders} led with {best} piece.",
        "Time was up on {date}: {leaders} led with {best} pieces.",
    ),
    "time_up_without_people_centers": Plural(
        "best",
        "Time was up after {year}, with no person left to play: {leaders} led with {best} center.",
        "Time was up after {year}, with no person left to play: {leaders} led with {best} centers.",
    ),
    "time_up_without_people_pieces": Plural(
        "best",
        "Time was up after {year}, with no person left to play: {leaders} led with {best} piece.",
        "Time was up after {year}, with no person left to play: {leaders} led with {best} pieces.",
    ),
    "time_up_without_people": "Time was up after {year}, with no person left to play.",
    # By agreement.
    "all_surrendered": "All players surrendered: a tie.",
    "last_one_left": "All other players were out of the game: the last one won.",
    "surrendered_to_alliance": "The others surrendered to an alliance.",
    "agreed_with_orders": "All agreed on a draw.",
    "agreed_draw": "The players agreed on a draw.",
    "conceded": "The others conceded the game to {country}.",
    "canceled": "The players agreed to cancel the game.",
    "ended_on_leaving": "The last player left and ended the game.",
}
"""The sentences of endings.

Stored games and records compare them letter for letter, so to change a sentence, add a new key and
keep the old one.
"""
