"""`ttr-sim editions`: list the official editions and their variants."""

from __future__ import annotations

from typing import Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.output import aligned, paragraph, print_json
from ttr_sim.edition import Edition, edition_names, load_edition, variants


@click.command(epilog="Example: ttr-sim editions --json")
@options.json_list
def command(as_json: bool) -> None:
    """List the editions, with what is certain about each board and what was reconstructed."""
    editions = [load_edition(name) for name in edition_names()]
    if as_json:
        print_json([_entry(edition) for edition in editions], indent=2)
        return
    rows = []
    for edition in editions:
        low, high = edition.players
        counts = (len(edition.cities), len(edition.routes), len(edition.tickets), edition.trains)
        rows.append((edition.name, f"{low}-{high}", *counts, variants().get(edition.name, "")))
    click.echo(aligned(("name", "players", "cities", "routes", "tickets", "trains", "variant of"), rows))
    for edition in editions:
        click.echo("\n" + paragraph(f"{edition.title}: {edition.provenance}"))


def _entry(edition: Edition) -> dict[str, Any]:
    variant = {"variant_of": variants()[edition.name]} if edition.name in variants() else {}
    return {
        "name": edition.name,
        "title": edition.title,
        "folder": str(edition.folder),
        "players": list(edition.players),
        "cities": len(edition.cities),
        "routes": len(edition.routes),
        "tickets": len(edition.tickets),
        "trains": edition.trains,
        "provenance": edition.provenance,
        "fingerprint": edition.fingerprint,
        **variant,
    }
