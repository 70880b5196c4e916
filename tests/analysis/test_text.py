"""Lists that name the largest first hang on no row."""

from __future__ import annotations

import pandas as pd

from ttr_sim.analysis.text import ranked

TABLE = pd.DataFrame(
    {
        "from": ["B", "A", "C", "A"],
        "to": ["X", "Z", "X", "Y"],
        "players": [2, 2, 3, 3],
        "claims": [1.0, 2.0, 2.0, 2.0],
    }
)


def test_equals_stand_in_the_order_of_their_names_whatever_their_rows() -> None:
    for table in (TABLE, TABLE[::-1]):
        order = ranked(table, "claims")
        assert list(order["from"] + order["to"]) == ["AY", "AZ", "CX", "BX"]


def test_several_columns_each_in_its_own_order() -> None:
    order = ranked(TABLE, "players", "claims", ascending=(True, False))
    assert list(order["from"] + order["to"]) == ["AZ", "BX", "AY", "CX"]
