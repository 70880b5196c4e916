"""Compare the engine's legal choices with the referee's in some games of a run, which no log can show."""

from __future__ import annotations

from itertools import zip_longest

from ttr_sim.engine.jit import SOURCE_HASH
from ttr_sim.engine.stepping import IllegalChoiceError
from ttr_sim.referee.audit import sampled
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog, parts_of, read_games
from ttr_sim.referee.rulebook import Rulebook
from ttr_sim.run.follow import Choices, FollowedGame
from ttr_sim.run.opened import Run
from ttr_sim.run.verify import Discrepancy

SAMPLED_GAMES = 10
RULE = "legal choices"


def compare_choices(run: Run) -> list[Discrepancy]:
    """Return where the lists differ in a few evenly spaced games; none for a run that another engine played."""
    if run.plan.kernel != SOURCE_HASH:
        return []
    parts = list(parts_of(run.path))
    wanted = set(sampled([number for part in parts for number in part.games], SAMPLED_GAMES))
    found = []
    for part in parts:
        for log in read_games(part, [number for number in part.games if number in wanted]):
            message = _difference(run, log)
            if message is not None:
                found.append(Discrepancy(RULE, log.game.game, message))
    return found


def _difference(run: Run, log: GameLog) -> str | None:
    heard: list[Choices] = []
    audit_game(Rulebook(run.edition), log, heard.append)
    plan = run.plan
    followed = FollowedGame(run.edition, plan.players, plan.seed, log.game.deal, log.turns, log.tickets, plan.redeal)
    by_rules = (choices for choices in heard if len(choices) > 1)  # what leaves no choice is not always asked
    try:
        offered = [choices for choices in followed.choices() if len(choices) > 1]
    except (IllegalChoiceError, LookupError) as error:
        return f"the engine cannot follow the log: {error}"
    nothing: Choices = frozenset()
    for number, (engine, referee) in enumerate(zip_longest(offered, by_rules, fillvalue=nothing)):
        if engine != referee:
            return f"decision {number}: {_listed(engine - referee)} offered, {_listed(referee - engine)} left out"
    return None


def _listed(choices: Choices) -> str:
    return ", ".join(sorted(" ".join(map(str, choice)) for choice in choices)) or "nothing"
