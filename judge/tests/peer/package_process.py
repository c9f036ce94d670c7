"""Answers requests with the package `diplomacy`, in a Python of its own that has it.

It reads a JSON object from each line of its input and writes a line for each. Nothing of ours is
imported here.
"""

import json
import logging
import sys

from diplomacy import Game
from diplomacy.utils.export import from_saved_game_format, is_valid_saved_game, to_saved_game_format


def make_game():
    """Return a game without players, which goes on when it is asked to."""
    return Game(map_name="standard", rules=["SOLITAIRE"])


def process_orders(game, orders):
    """Let the game go on with these orders; return its state, and what became of the orders."""
    game.error = []
    for power, texts in orders.items():
        game.set_orders(power, texts)
    refused = [str(error) for error in game.error]
    game.process()
    history = game.result_history.last_value() if len(game.result_history) else {}
    words = {str(unit): [str(word) for word in said] for unit, said in history.items()}
    return {"state": game.get_state(), "refused": refused, "words": words}


def answer_request(game, request):
    """Return the answer to a request: `state`, `orders` or `saved` says what is asked."""
    if "saved" in request:
        saved = request["saved"]
        last = from_saved_game_format(saved).get_state()
        return {"valid": is_valid_saved_game(saved), "state": last}
    if "state" in request:
        game.set_state(request["state"])
    if "orders" in request:
        return process_orders(game, request["orders"])
    return to_saved_game_format(game)


def main():
    """Answer until the input ends."""
    logging.disable(logging.CRITICAL)
    answers = sys.stdout
    sys.stdout = sys.stderr  # the package prints
    game = make_game()
    for line in sys.stdin:
        request = json.loads(line)
        if request.pop("new", False):
            game = make_game()
        answers.write(json.dumps(answer_request(game, request)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
