"""Errors between the keys of edition.toml: each may be right by itself and still not fit the others."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_sim.edition import limits
from ttr_sim.edition.board import GRAY, color_key
from ttr_sim.edition.cells import unknown
from ttr_sim.edition.rules import Rules
from ttr_sim.edition.schema import name as wrong_name
from ttr_sim.edition.schema import shown
from ttr_sim.errors import closest


def check_rules(rules: Rules) -> None:
    for check in (
        _check_colors,
        _check_row,
        _check_decks,
        _check_mix,
        _check_offers,
        _check_end,
        _check_repeats,
        _check_passengers,
        _check_merchandise,
        _check_bonus_ticket,
        _check_setup_cards,
    ):
        check(rules)


def cards_in_all(rules: Rules) -> int:
    """Return the number of all cards, wilds included."""
    colored = sum(color.get("cards", 0) for color in rules.get("colors").values())
    return int(colored + (rules.get("wilds", "cards") or 0))


def dealt_tickets(rules: Rules) -> int:
    """Return the tickets dealt to each player at setup."""
    return _tickets(rules, "deal")


def drawn_tickets(rules: Rules) -> int:
    """Return the tickets drawn as an action."""
    return _tickets(rules, "draw")


def _tickets(rules: Rules, when: str) -> int:
    if rules.get("tickets", "mix"):
        return rules.get("tickets", f"{when}_total") or 0
    return sum(deck.get(when) or 0 for deck in rules.get("decks").values())


def _check_colors(rules: Rules) -> None:
    colors = rules.get("colors")
    if colors is None:
        return
    _check_names(rules, "colors", colors, limits.MAX_COLORS)
    letters: dict[str, str] = {}
    keys: dict[str, str] = {}
    for name, color in colors.items():
        if color_key(name) == GRAY:
            message = f'"{name}" means a route that takes any one color; give this color another name'
            rules.error(("colors", name), message)
        elif keys.setdefault(color_key(name), name) != name:
            rules.error(("colors", name), f'"{name}" and "{keys[color_key(name)]}" are the same color')
        letter = color.get("letter")
        if letter in letters:
            rules.error(("colors", name, "letter"), f'the letter "{letter}" is already used by {letters[letter]}')
        elif letter:
            letters[letter] = name
    if cards_in_all(rules) > limits.MAX_CARDS:
        rules.error(("colors",), f"{cards_in_all(rules):,} cards in all; at most {limits.MAX_CARDS} are allowed")


def _check_names(rules: Rules, block: str, names: Sequence[str], most: int) -> None:
    if not names:
        rules.error((block,), f"the block [{block}] is empty")
    if len(names) > most:
        rules.error((block,), f"{len(names)} {block}; at most {most} are allowed")
    for name in names:
        if message := wrong_name(name):
            rules.error((block, name), f"{block}.{shown(name)} {message}")


def _check_row(rules: Rules) -> None:
    size, reset_at = rules.get("row", "size"), rules.get("row", "reset_at")
    if size is not None and reset_at is not None and reset_at > size:
        advice = "to never reset the row, set max_resets = 0"
        rules.error(("row", "reset_at"), f"row.reset_at = {reset_at} is more than row.size = {size}; {advice}")


def _check_decks(rules: Rules) -> None:
    decks = rules.get("decks")
    if decks is not None:
        _check_names(rules, "decks", decks, limits.MAX_DECKS)


def _check_mix(rules: Rules) -> None:
    """Check that either each deck or the two totals of a mix set the number of tickets."""
    if rules.get("tickets", "mix") is None or rules.get("decks") is None:
        return
    mix = rules["tickets"]["mix"]
    for total in ("deal_total", "draw_total"):
        given = rules.get("tickets", total) is not None
        if mix and not given and total in rules["tickets"]:
            rules.error(("tickets",), f'the key "tickets.{total}" is missing; mix = true needs it')
        elif given and not mix:
            rules.error(
                ("tickets", total), f"tickets.{total} needs mix = true; without it, set deal and draw in each deck"
            )
    for name, deck in rules["decks"].items():
        for key, value in deck.items():
            if mix and value is not None:
                rules.error(("decks", name, key), f"decks.{name}.{key} has no meaning with mix = true; use {key}_total")
            elif not mix and value is None:
                rules.error(("decks", name), f'the key "decks.{name}.{key}" is missing')


def _check_offers(rules: Rules) -> None:
    if rules.get("tickets", "mix") is None or rules.get("decks") is None:
        return
    dealt, drawn = dealt_tickets(rules), drawn_tickets(rules)
    keep_at_start, keep = rules.get("tickets", "keep_at_start") or 0, rules.get("tickets", "keep") or 0
    for word, number in (("dealt", dealt), ("drawn", drawn)):
        if number > limits.MAX_OFFER:
            rules.error(("decks",), f"{number} tickets are {word} at once; at most {limits.MAX_OFFER} are allowed")
    if keep_at_start > dealt:
        rules.error(("tickets", "keep_at_start"), f"{keep_at_start} tickets must be kept, but only {dealt} are dealt")
    if drawn and keep > drawn:
        rules.error(("tickets", "keep"), f"{keep} tickets must be kept, but only {drawn} are drawn")


def _check_end(rules: Rules) -> None:
    end = rules.get("end")
    if end is None or set(end) != {"trains_left", "race_tickets", "last_train"}:
        return
    if end["trains_left"] is None and end["race_tickets"] is None and not end["last_train"]:
        rules.error(("end",), "nothing ends the game; set trains_left, race_tickets or last_train")


def _check_repeats(rules: Rules) -> None:
    for path in (("tie_breaks",), ("passengers", "colors")):
        entries = rules.get(*path) or []
        for entry in dict.fromkeys(entry for entry in entries if entries.count(entry) > 1):
            rules.error(path, f'"{entry}" appears twice')


def _check_passengers(rules: Rules) -> None:
    chosen, colors = rules.get("passengers", "colors"), rules.get("colors")
    if chosen is None:
        return
    if not chosen:
        rules.error(("passengers", "colors"), "the list is empty; name at least one color")
    known = {} if colors is None else {color_key(name): name for name in colors}
    for name in chosen if known else ():
        if color_key(name) not in known:
            rules.error(("passengers", "colors"), unknown("color", name, colors), closest(name, colors))
    in_all = len(chosen) * (rules.get("passengers", "each") or 0)
    if in_all > limits.MAX_CARDS:
        rules.error(("passengers", "each"), f"{in_all} passengers in all; at most {limits.MAX_CARDS} are allowed")


def _check_merchandise(rules: Rules) -> None:
    points, players = rules.get("merchandise", "points"), rules.get("players")
    if points is None or players is None:
        return
    for number in range(players[0], players[1] + 1):
        if str(number) not in points:
            rules.error(("merchandise", "points"), f"merchandise.points lacks the points for {number} players")


def _check_bonus_ticket(rules: Rules) -> None:
    source, target = rules.get("bonus_ticket", "from"), rules.get("bonus_ticket", "to")
    if source is not None and source == target:
        rules.error(("bonus_ticket", "to"), "bonus_ticket.from and bonus_ticket.to are the same region")


def _check_setup_cards(rules: Rules) -> None:
    players, hand = rules.get("players"), rules.get("hand")
    if players is None or hand is None or rules.get("colors") is None:
        return
    row = rules.get("row", "size") or 0
    needed, cards = players[1] * hand + row, cards_in_all(rules)
    if needed > cards:
        rules.error(("hand",), f"setup with {players[1]} players needs {needed} cards, but there are only {cards}")
