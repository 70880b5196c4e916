"""What the referee has to say: one sentence with game, turn, seat and rule."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """`turn` is -1 at setup and None in the final reckoning; `seat` is None where all are meant."""

    game: int
    turn: int | None
    seat: int | None
    rule: str
    message: str

    def sentence(self) -> str:
        """The finding as one line for people."""
        moment = "final reckoning" if self.turn is None else "setup" if self.turn < 0 else f"turn {self.turn}"
        seat = "" if self.seat is None else f", seat {self.seat}"
        return f"game {self.game}, {moment}{seat}: {self.rule}: {self.message}"

    def as_json(self) -> dict[str, object]:
        """The finding as `audit --json` prints it."""
        return asdict(self)


class RuleError(Exception):
    """Something that cannot happen at the table: what follows in this game cannot be judged any more."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message


def shown(value: object) -> str:
    """A cell of the log as a sentence names it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "an empty text" if value == "" else str(value)
