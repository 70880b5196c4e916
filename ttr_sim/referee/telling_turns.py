"""What a seat did in its turn, in one sentence that follows its name."""

from __future__ import annotations

from ttr_sim.referee import words
from ttr_sim.referee.rows import TicketRow, TurnRow
from ttr_sim.referee.rulebook import Rulebook


def tell_turn(rules: Rulebook, turn: TurnRow, offer: list[TicketRow]) -> str:
    match turn.action:
        case "draw":
            told = _tell_draw(rules, turn)
        case "claim":
            told = _tell_claim(rules, turn)
        case "station":
            told = f"builds a station in {words.city(rules, turn.city or 0)} for {_payment(rules, turn)}"
        case "tickets":
            told = f"draws the tickets {tell_tickets(rules, offer)}"
        case "discard":
            told = f"puts its tickets away for {tell_tickets(rules, offer)}"
        case _:
            told = "passes"
    return f"{told}{_tell_fill(rules, turn.fill2)}."


def tell_tickets(rules: Rulebook, offer: list[TicketRow]) -> str:
    """All that were offered, and which of them were kept if not all."""
    if not offer:
        return "none"
    told = words.listed([words.ticket(rules, row.ticket) for row in offer])
    kept = [words.ticket(rules, row.ticket) for row in offer if row.kept]
    return told if len(kept) == len(offer) else f"{told}, and keeps {words.listed(kept)}"


def _tell_draw(rules: Rulebook, turn: TurnRow) -> str:
    told = _tell_card(rules, turn.card1, turn.card1_from)
    told += _tell_fill(rules, turn.fill1)
    if turn.card2 is None:
        return told
    return f"{told}, then {_tell_card(rules, turn.card2, turn.card2_from)}"


def _tell_card(rules: Rulebook, letter: str | None, source: str | None) -> str:
    card = words.one_card(rules, letter)
    return f"takes {card} from the row" if source == "row" else f"draws {card} from the deck"


def _tell_claim(rules: Rulebook, turn: TurnRow) -> str:
    route = turn.route or 0
    name = f"{words.ends(rules, route)}, {words.spaces(rules, route)},"
    if not turn.claimed:
        return f"tries {name} with {_payment(rules, turn)}{_tell_tunnel(rules, turn)} and gives it up"
    told = f"claims {name} for {_payment(rules, turn)}{_tell_tunnel(rules, turn)}{_tell_gains(rules, turn)}"
    score = words.numbered(turn.score, "ticket" if rules.edition.is_race else "point")
    return f"{told}; {score} and {words.numbered(turn.trains, 'train')} now"


def _payment(rules: Rulebook, turn: TurnRow) -> str:
    return words.payment(rules, turn.color, turn.cards or 0, turn.wilds or 0)


def _tell_tunnel(rules: Rulebook, turn: TurnRow) -> str:
    if turn.tunnel_cards is None:
        return ""
    cost = f"{turn.tunnel_cost} extra" if turn.tunnel_cost else "nothing extra"
    return f"; the tunnel shows {words.cards(rules, turn.tunnel_cards)} and asks {cost}"


def _tell_gains(rules: Rulebook, turn: TurnRow) -> str:
    riders = (turn.passenger1 or "") + (turn.passenger2 or "")
    gains = [f"{words.cards(rules, riders)} passenger{'s' if len(riders) > 1 else ''}"] if riders else []
    if turn.merchandise:
        gains.append("a merchandise card")
    if turn.bonus_ticket:
        gains.append("the bonus ticket")
    return f", and takes {words.listed(gains)}" if gains else ""


def _tell_fill(rules: Rulebook, fill: str | None) -> str:
    """More cards than the row has room for tell that it was turned over."""
    if not fill or rules.edition.row is None:
        return ""
    reset = " in all, since too many were wilds" if len(fill) > rules.edition.row.size else ""
    return f", turning up {words.cards(rules, fill)}{reset}"
