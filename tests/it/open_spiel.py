"""Plays random games in OpenSpiel and prints them, one JSON object a line: the game, its units and rolls if it does not
begin with the usual ones, and for each move what could be chosen and what was, as rulebench writes it.

Usage: open_spiel.py GAMES   (the number of games of each kind)
"""

import json
import random
import re
import sys

import pyspiel


def square(column, row):
    return "abcdefghijklmnopqrstuvwxyz"[column] + str(row)


def pair(text, _):
    return " ".join(re.findall(r"[a-z]\d+", text))


def from_top(rows):
    def key(text, _):
        row, column = map(int, re.findall(r"\d+", text))
        return square(column, rows - row)

    return key


def drop(text, state):
    column = int(text[1:])
    lines = str(state).split()
    return square(column, 1 + sum(line[column] != "." for line in lines))


def othello(text, _):
    return text if text == "pass" else text[0] + str(9 - int(text[1:]))


def amazons(text, _):
    row, column = map(int, re.findall(r"\d+", text))
    return square(column - 1, 11 - row)


POINTS = [
    "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()[i]
    for i in range(24)
]


def morris(text, _):
    return " ".join(POINTS[int(n)] for n in re.findall(r"\d+", text))


def sinking(height):
    """Columns of hexagons that sink by half a hexagon each, or rise if the height is negative."""

    def key(text, _):
        column, row = ord(text[0]) - ord("a"), int(text[1:]) - 1
        at = abs(height) - 2 * row + (column if height < 0 else -column)
        return text[0] + str((at + column % 2) // 2)

    return key


QUARTERS = dict(zip("stuvwxyz", ["b5 left", "b5 right", "e5 left", "e5 right"] + ["e2 left", "e2 right", "b2 left", "b2 right"]))


def pentago(text, _):
    return f"{text[0]}{7 - int(text[1])} {QUARTERS[text[2]]}"


def boxes(text, _):
    kind, row, column = re.match(r"P\d\((.),(\d),(\d)\)", text).groups()
    row, column = 2 * int(row), 2 * int(column)
    return square(column + 1, 5 - row) if kind == "h" else square(column, 4 - row)


def nim(text, _):
    pile, take = re.findall(r"\d+", text)
    return square(int(pile) - 1, 1) + " " + take


def cubes(state):
    lines = [line for line in str(state).split("\n") if line.startswith("|")]
    cells = [re.findall(r"[bw]\d|__", line.lower()) for line in lines]
    return {c: (column, 5 - row) for row, line in enumerate(cells) for column, c in enumerate(line) if c != "__"}


def einstein(text, state):
    cube, way = re.match(r"([WB]\d)-([a-z]+)", text).groups()
    column, row = cubes(state)[cube.lower()]
    sign = 1 if cube[0] == "B" else -1
    dx = 0 if way in ("up", "down") else sign
    dy = 0 if way in ("left", "right") else -sign
    return f"{square(column, row)} {square(column + dx, row + dy)}"


def quoridor(text, _):
    column, row = 2 * (ord(text[0]) - ord("a")), 19 - 2 * int(text[1])
    if text[-1] == "v":
        return square(column + 1, row - 2) + " " + square(column + 1, row)
    if text[-1] == "h":
        return square(column, row - 1) + " " + square(column + 2, row - 1)
    return square(column, row)


GAMES = {
    "tic-tac-toe": ("tic_tac_toe", from_top(3)),
    "connect-four": ("connect_four", drop),
    "breakthrough": ("breakthrough", pair),
    "clobber": ("clobber", pair),
    "othello": ("othello", othello),
    "amazons": ("amazons", amazons),
    "lines-of-action": ("lines_of_action", pair),
    "checkers": ("checkers", pair),
    "nine-mens-morris": ("nine_mens_morris", morris),
    "hex": ("hex", sinking(32)),
    "y": ("y(board_size=9)", sinking(18)),
    "havannah": ("havannah(board_size=8)", sinking(-22)),
    "kalah": ("mancala", lambda text, _: text),
    "pentago": ("pentago", pentago),
    "dots-and-boxes": ("dots_and_boxes", boxes),
    "nim": ("nim", nim),
    "quoridor": ("quoridor", quoridor),
    "einstein": ("einstein_wurfelt_nicht", einstein),
}


def played(game, seed):
    name, key = GAMES[game]
    state = pyspiel.load_game(name).new_initial_state()
    choice = random.Random(f"{game} {seed}")
    steps, rolls, units, first = [], [], None, None
    while not state.is_terminal() and len(steps) < 400:
        if state.is_chance_node():
            action = choice.choice([a for a, _ in state.chance_outcomes()])
            text = state.action_to_string(-1, action)
            if text.startswith("roll"):
                rolls.append(int(text.split()[1]))
            state.apply_action(action)
            continue
        player = state.current_player()
        first = player if first is None else first
        if game == "einstein" and units is None:
            units = {side: [f"cubes {square(*at)} number={c[1]}" for c, at in cubes(state).items() if c[0] == side[0]] for side in ("white", "black")}
        actions = {a: key(state.action_to_string(player, a), state) for a in state.legal_actions()}
        action = choice.choice(sorted(actions))
        steps.append({"options": sorted(actions.values()), "pick": actions[action]})
        state.apply_action(action)
    returns = state.returns() if state.is_terminal() else [0, 0]
    winner = next((("first" if p == first else "second") for p in (0, 1) if returns[p] > 0), None)
    return {"game": game, "seed": seed, "units": units, "rolls": rolls, "steps": steps, "winner": winner, "over": state.is_terminal()}


if __name__ == "__main__":
    for game in GAMES:
        for seed in range(int(sys.argv[1])):
            print(json.dumps(played(game, seed)))
