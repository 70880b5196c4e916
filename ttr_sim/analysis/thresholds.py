"""Every number that decides whether something is said: change it here, and nowhere else."""

LEVEL = 0.95  # of all intervals
ALPHA = 0.05  # adjusted p-values up to this count as real

CLEAR_MARGIN = 0.02  # a style is clearly ahead of another from this share above one half
LONGEST_CYCLE = 4  # styles in a cycle worth mentioning

REWARD_MARGIN = 0.01  # share of wins by which a change of taste must pay or cost

NEARLY_FAIR = 0.1  # share of the tickets that a nearly fair board may miss
SEAT_ROOM = 0.01  # more than the first player wins on any official board, before it is too much
SEAT_MARGIN = 0.01  # a seat this far from its fair share matters
ALWAYS_WINS = 0.9  # a win share above which a style leaves the others hardly a chance

RARELY_KEPT = 0.2  # of the times a ticket is dealt
RARELY_COMPLETED = 0.3  # of the times it is kept

CONTESTED = 0.1  # claims per game while another wanted the route: a connection fought over
DENIED = 0.05  # share of games in which a claim shuts another out
LEAST_SEATS = 20  # locked out of a route, or that got it before a rival: below, their mean has no interval
RARELY_CLAIMED = 0.02  # claims per game of a connection
HARDLY_FOUGHT = 0.02  # contested claims per game of a connection that is crowded on paper only
RARELY_VISITED = 0.05  # claims per game at a city

DECIDED_EARLY = 0.5  # the winner leads alone from this part of the game on
HIDDEN_WINNER = 0.4  # share of games whose winner was not in front in open points
SHARED_WINS = 0.05  # share of games with several winners
ODD_SHARE = 0.01  # share of games with an oddity

LEAST_DIFFERENCE = 0.01  # between two runs: of a share as it is, of any other number as a part of it
FEW_TRIALS = 30  # below, on either side, nothing is said about a difference
MOST_NAMED = 4  # things a sentence names before it counts the rest
FEW_BLOCKS = 30  # below, intervals are rough
