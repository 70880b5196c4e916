"""What the editor's tables hold, by its documentation of version 0.4.0 (3 October 2026)."""

from __future__ import annotations

from collections.abc import Mapping

STOPS, ROUTES, TICKETS = "stops", "routes", "tickets"

# By kind of table, the names of each column that is read. Columns of this program's own files are among them.
HEADINGS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    STOPS: {
        "name": ("name",),
        "id": ("id",),
        "type": ("type", "kind"),
        "x": ("x",),
        "y": ("y",),
        "lat": ("lat", "latitude"),
        "lon": ("lon", "lng", "long", "longitude"),
        "country": ("country",),
        "region": ("region",),
        "passengers": ("passengers",),
    },
    ROUTES: {
        "from": ("from", "a"),
        "to": ("to", "b"),
        "from id": ("from id",),
        "to id": ("to id",),
        "length": ("length",),
        "colour": ("colour", "color"),
        "type": ("type", "kind"),
        "wagon style": ("wagon style",),
        "tunnel": ("tunnel",),
        "locomotives": ("locomotives", "ferrylocomotives"),
        "merchandise": ("merchandise",),
    },
    TICKETS: {
        "from": ("from", "a"),
        "to": ("to", "b"),
        "from id": ("from id",),
        "to id": ("to id",),
        "points": ("points",),
        "deck": ("deck",),
        "long deck": ("long deck", "long"),
    },
}
ALL_HEADINGS = {name: False for columns in HEADINGS.values() for names in columns.values() for name in names}

COLORS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple")
GRAYS = ("", "grey", "gray", "neutral", "any")
SAME_COLOR = {"purple": "pink", "pink": "purple"}  # one card has these two names
YES = ("yes", "true", "1", "ja", "y")
TUNNEL = "tunnel"
RAILWAYS = ("", "railway", "city", "plain")  # `city` is the editor's own name for a railway
BOATS = ("boat", "ship", "ferry")
JUNCTIONS = ("junction", "waypoint")
LONG = "long"
BOARD = (1100, 731)  # the editor's lying board; positions beyond it are scaled to fit
FORMULA = ("=", "+", "-", "@")  # text that begins so carries an apostrophe in front


def kind_of(headings: set[str]) -> str | None:
    """Return which table has these headings; tickets may have a column `Length` too, of short, medium and long."""
    ends = bool(headings & {"from", "a"}) and bool(headings & {"to", "b"})
    if ends and headings & {"points", "deck"}:
        return TICKETS
    if ends and "length" in headings:
        return ROUTES
    return STOPS if not ends and "name" in headings else None
