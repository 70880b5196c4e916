"""The final scoring: every item of every seat's score computed again, then ranks, winners and margin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from ttr_sim.referee.networks import longest_trail
from ttr_sim.referee.position import Position, SeatState
from ttr_sim.referee.stations import settle_lending

RULE = "scoring"
STANDINGS_RULE = "standings"


@dataclass(slots=True)
class FinalScore:
    """The log's `seats` columns that the game decides, by name; None where the edition lacks the rule."""

    score: int = 0
    route_points: int | None = None
    ticket_points: int | None = None
    ticket_penalty: int | None = None
    longest_points: int | None = None
    globetrotter_points: int | None = None
    station_points: int | None = None
    passenger_points: int | None = None
    merchandise_points: int | None = None
    tickets_completed: int = 0
    tickets_failed: int | None = None
    longest_path: int | None = None
    routes: int = 0
    trains_left: int = 0
    stations_left: int | None = None
    passengers: str | None = None
    merchandise: int | None = None
    bonus_ticket: bool | None = None
    turns: int = 0
    has_longest_path: bool = False

    @property
    def tickets_and_bonus(self) -> int:
        return self.tickets_completed + bool(self.bonus_ticket)

    @property
    def passengers_held(self) -> int:
        return len(self.passengers or "")


LOGGED = tuple(field.name for field in fields(FinalScore) if field.name != "has_longest_path")
POINTS = tuple(name for name in LOGGED if name.endswith(("_points", "_penalty")))

TIE_BREAKS: dict[str, Callable[[FinalScore], int]] = {
    "tickets": lambda final: final.tickets_and_bonus,
    "stations": lambda final: final.stations_left or 0,
    "longest_path": lambda final: final.has_longest_path,
    "passengers": lambda final: final.passengers_held,
}


def final_scores(position: Position) -> list[FinalScore]:
    """Return every seat's score and what it is made of."""
    for seat, state in enumerate(position.seats):
        position.seat = seat
        _complete_by_stations(position, state, seat)
    position.seat = None
    scores = [_counts(position, state) for state in position.seats]
    _longest(position, scores)
    if not position.edition.is_race:
        _tickets_and_routes(position, scores)
        _bonuses(position, scores)
    for final in scores:
        final.score = _total(position, final)
    return scores


def check_scores(position: Position, scores: list[FinalScore]) -> None:
    """Compare each seat's row of the log, column by column."""
    for seat, (row, final) in enumerate(zip(position.log.seats, scores, strict=True)):
        position.seat = seat
        for name in LOGGED:
            position.expect(RULE, name, getattr(row, name), getattr(final, name))
    position.seat = None


def _complete_by_stations(position: Position, state: SeatState, seat: int) -> None:
    """Tickets met through lent routes are completed for every purpose."""
    for holding in settle_lending(position, seat):
        holding.completed = True
        state.held.remove(holding)
        state.completed.append(holding)


def _counts(position: Position, state: SeatState) -> FinalScore:
    """Fill in what is counted, not scored."""
    edition = position.edition
    return FinalScore(
        tickets_completed=len(state.completed),
        tickets_failed=len(state.held) if edition.ticket_rules.failed_subtract else None,
        routes=len(state.routes),
        trains_left=state.trains,
        stations_left=edition.stations.count - len(state.stations) if edition.stations else None,
        passengers=_letters(state.passengers) if edition.passengers else None,
        merchandise=state.merchandise if edition.merchandise else None,
        bonus_ticket=state.bonus_ticket if edition.bonus_ticket else None,
        turns=state.turns,
    )


def _letters(counts: dict[str, int]) -> str:
    return "".join(letter * count for letter, count in counts.items())


def _longest(position: Position, scores: list[FinalScore]) -> None:
    """Measure paths where a bonus or a tie-break asks; all tied seats hold the longest, none without a route."""
    if position.edition.longest_path is None and "longest_path" not in position.edition.tie_breaks:
        return
    routes = position.edition.routes
    lengths = [
        longest_trail((routes[r].a, routes[r].b, routes[r].length) for r in state.routes) for state in position.seats
    ]
    for final, length in zip(scores, lengths, strict=True):
        final.longest_path = length
        final.has_longest_path = length > 0 and length == max(lengths)


def _tickets_and_routes(position: Position, scores: list[FinalScore]) -> None:
    edition = position.edition
    for final, state in zip(scores, position.seats, strict=True):
        if edition.route_scores is not None:
            final.route_points = sum(edition.route_scores[edition.routes[r].length - 1] for r in state.routes)
        final.ticket_points = sum(edition.tickets[holding.ticket].points for holding in state.completed)
        if edition.ticket_rules.failed_subtract:
            final.ticket_penalty = -sum(edition.tickets[holding.ticket].points for holding in state.held)


def _bonuses(position: Position, scores: list[FinalScore]) -> None:
    edition = position.edition
    most_tickets = max(final.tickets_and_bonus for final in scores)
    passengers = _passenger_points(position) if edition.passengers else [None] * position.players
    merchandise = _merchandise_points(position) if edition.merchandise else [None] * position.players
    for final, riders, goods in zip(scores, passengers, merchandise, strict=True):
        final.passenger_points, final.merchandise_points = riders, goods
        if edition.longest_path:
            final.longest_points = edition.longest_path.points * final.has_longest_path
        if edition.globetrotter:
            leads = 0 < final.tickets_and_bonus == most_tickets
            final.globetrotter_points = edition.globetrotter.points * leads
        if edition.stations:
            final.station_points = edition.stations.unused_points * (final.stations_left or 0)


def _passenger_points(position: Position) -> list[int]:
    """Add up each seat's points over all colors."""
    rule = position.edition.passengers
    assert rule is not None
    letters = [position.edition.colors[color].letter for color in rule.colors]
    by_color = (
        majority_points([state.passengers[letter] for state in position.seats], rule.most, rule.second)
        for letter in letters
    )
    return [sum(points) for points in zip(*by_color, strict=True)]


def majority_points(held: list[int], most: int, second: int) -> list[int]:
    """Score one color: the most and, where one seat alone has them, the second most; nothing for none."""
    first = max(held)
    next_best = max((count for count in held if count < first), default=0)
    prizes = {first: most}
    if held.count(first) == 1:
        prizes[next_best] = second
    return [prizes.get(count, 0) if count else 0 for count in held]


def _merchandise_points(position: Position) -> list[int]:
    rule = position.edition.merchandise
    assert rule is not None
    return points_by_rank([state.merchandise for state in position.seats], rule.points.get(position.players, ()))


def points_by_rank(held: list[int], points: Sequence[int]) -> list[int]:
    """Tied seats score the rank they share, the ranks after it are skipped, and no cards score nothing."""
    ranks = [sum(other > count for other in held) for count in held]
    return [points[rank] if count and rank < len(points) else 0 for count, rank in zip(held, ranks, strict=True)]


def _total(position: Position, final: FinalScore) -> int:
    if position.edition.is_race:
        return final.tickets_and_bonus
    return sum(getattr(final, name) or 0 for name in POINTS)


def check_standings(position: Position, scores: list[FinalScore]) -> None:
    """Compare ranks, win shares, winners, margin and lead: by score, then by the tie-breaks, then shared."""
    merits = [_merit(position, final) for final in scores]
    ranks = [1 + sum(other > merit for other in merits) for merit in merits]
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    for seat, row in enumerate(position.log.seats):
        position.seat = seat
        position.expect(STANDINGS_RULE, "rank", row.rank, ranks[seat])
        position.expect(STANDINGS_RULE, "win_share", row.win_share, 1 / len(winners) if seat in winners else 0.0)
    position.seat = None
    game = position.log.game
    position.expect(STANDINGS_RULE, "winners", game.winners, sum(1 << seat for seat in winners))
    position.expect(STANDINGS_RULE, "margin", game.margin, _margin([final.score for final in scores], winners))
    position.expect("lead", "lead_changes", game.lead_changes, position.lead.changes)
    leads_to_the_end = winners == [position.lead.leader]
    position.expect("lead", "lead_turn", game.lead_turn, position.lead.since if leads_to_the_end else None)


def _merit(position: Position, final: FinalScore) -> tuple[int, ...]:
    return final.score, *(TIE_BREAKS[name](final) for name in position.edition.tie_breaks)


def _margin(scores: list[int], winners: list[int]) -> int:
    """Return by how much a sole winner is ahead; 0 when a tie-break decided or the win is shared."""
    if len(winners) > 1:
        return 0
    return scores[winners[0]] - max(score for seat, score in enumerate(scores) if seat != winners[0])
