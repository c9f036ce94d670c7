"""Use every public name of the judge once; `mypy --strict` checks this file."""

import json
from array import array

from diplomaccloud import judge
from diplomaccloud.judge import batch, orders


def play_one_turn() -> judge.Turn:
    """Return a turn of a game that is also stored as JSON and undone."""
    rules: judge.RuleSet = judge.EDITIONS["2023"]
    board: judge.Board = judge.standard_board()
    game = judge.Game(board, rules, seed="any text")
    problems: tuple[judge.Problem, ...] = game.order("FRANCE", "A PAR - BUR; A PAR - XYZ")
    print([problem.message for problem in problems])
    turn = game.adjudicate()
    result: judge.UnitResult = turn["A PAR"]
    print(result.power, result.order, result.outcome is judge.Outcome.MOVED, result.why)
    print(game, game.map_text(80), len(turn.picture(dark=True)), game.units["FRANCE"])
    try:
        judge.Game(judge.read_map("{}")).picture(labels="codes").save("map.svg")
    except judge.CodecError as error:
        print(error)
    stored = json.dumps(game.to_json())
    same = judge.Game.from_json(stored)
    game.undo()
    print(same.phase, game.phase, game.powers_to_order, game.orders["FRANCE"])
    try:
        judge.Game.from_json(stored.replace("F1901M", "F1900M"))
    except judge.CodecError as error:
        print(error)
    return turn


def read_files() -> list[judge.SavedGame]:
    """Return two games of a file; one order cannot be read."""
    game = judge.Game()
    game.order("FRANCE", "A PAR - BUR")
    game.adjudicate()
    text = judge.write_game(game, "text", "Danube 4")
    saved = list(judge.read_games((text + text.replace("BUR", "XYZ")).splitlines()))
    errors: tuple[judge.GameError, ...] = saved[1].errors
    print(saved[0].is_complete, errors[0].kind, errors[0], judge.position_hash(game.position))
    return saved


def use_values() -> judge.Resolution:
    """Return the resolution of orders that are values."""
    board, france = judge.standard_board(), judge.Power("FRANCE")
    position: judge.Position = judge.starting_position(board)
    phase: judge.Phase = position.phase
    unit: judge.Unit = position.units_of(france)[0]
    print(unit.kind is judge.UnitKind.ARMY, judge.parse_unit("F STP/SC", board, "RUSSIA"))
    paris, somewhere = judge.ProvinceCode("PAR"), judge.Location("STP/SC")
    print(position.unit_in(paris), somewhere in board.locations(judge.UnitKind.FLEET))
    order: judge.Order = judge.parse_order("A PAR - BUR", board, position, france)
    print(
        phase,
        unit,
        isinstance(order, orders.Move),
        judge.why_illegal(board, position, france, order),
    )
    print(judge.to_daide(order, board, position), judge.to_webdiplomacy(order, board, position))
    sheet = judge.parse_sheet("A MAR S A PAR - BUR", board, position, france)
    print(len(judge.legal_orders(board, position, france)))
    try:
        judge.parse_order("A PAR - XYZ", board, position, france)
        judge.parse_position("S1901M FRANCE: A XYZ")
    except (judge.NotationError, judge.PositionError) as error:
        print(error)
    print([(error.line, error.text, error.message) for error in sheet.errors])
    resolution = judge.adjudicate(board, position, [order, *sheet.orders], "1971")
    dislodged: tuple[judge.Dislodged, ...] = resolution.dislodged
    print([(str(entry.unit), entry.by, entry.retreats) for entry in dislodged])
    results: list[judge.OrderResult] = list(resolution.results)
    print([(str(result.order), result.why) for result in results if result.succeeded][:2])
    return resolution


def use_batches() -> batch.Batch:
    """Return the results of a thousand positions."""
    position = judge.parse_position("S1901M FRANCE: A PAR, F BRE")
    states: array[int] = batch.pack([position] * 1000)
    board, france = judge.standard_board(), judge.Power("FRANCE")
    order = judge.parse_order("A PAR - BUR", board, position, france)
    after = batch.adjudicate(states, batch.pack_orders([position] * 1000, [[order]] * 1000))
    print(batch.unpack(after.states)[999].to_text())
    return after


if __name__ == "__main__":
    play_one_turn()
    read_files()
    use_values()
    use_batches()
