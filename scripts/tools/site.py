"""Build the static site: the README, docs/ and data/README.md as pages, with a copy of the gallery.

Files keep their places below the site, so that links between them hold. Links to other files become text.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath

import click
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from scripts.tools.command import ROOT
from ttr_sim.report.document import GENERATOR, environment

GALLERY = Path("reports/gallery")
FRONT = PurePosixPath("README.md")
PAGE = """{% extends "frame.html.j2" %}
{% block title %}{{ title }}{% endblock %}
{% block pictures %} 'self'{% endblock %}
{% block links %}{% for name, href in links %}<a href="{{ href }}">{{ name }}</a>
{% endfor %}{% endblock %}
{% block main %}<article class="text">{{ text }}</article>{% endblock %}"""
ABBREVIATIONS = {"api": "API"}
NAMES = {"README.md": "ttr-sim", "data/README.md": "Editions", "CHANGELOG.md": "Changes"}


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=ROOT / "site", help="The folder of the site.")
def main(out: Path) -> None:
    """Write the static site into a new folder, in place of the one before."""
    page = out / "index.html"
    own = {"index.html", "CHANGELOG.html", "data", "docs", GALLERY.parts[0]}
    present = {path.name for path in out.iterdir()} if out.is_dir() else set()
    is_ours = present <= own and page.is_file() and GENERATOR in page.read_text(encoding="utf-8", errors="replace")
    # Nothing of the user's is removed.
    if (present and not is_ours) or (out.exists() and not out.is_dir()):
        raise click.UsageError(f"{out} holds something else than a site; name a new folder.")
    shutil.rmtree(out, ignore_errors=True)
    build(ROOT, out)
    click.echo(page)


def build(root: Path, out: Path) -> None:
    docs = sorted((root / "docs").glob("*.md"))
    sources = [*map(PurePosixPath, NAMES), *(PurePosixPath("docs", path.name) for path in docs)]
    shutil.copytree(root / GALLERY, out / GALLERY)
    for picture in (root / "docs").rglob("*.svg"):
        copy = out / picture.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, copy)
    for source in sources:
        page = out / page_of(source)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(render(root, source, sources), encoding="utf-8")


def page_of(source: PurePosixPath) -> PurePosixPath:
    return PurePosixPath("index.html") if source == FRONT else source.with_suffix(".html")


def name_of(source: PurePosixPath) -> str:
    return NAMES.get(str(source)) or ABBREVIATIONS.get(source.stem, source.stem.capitalize())


def render(root: Path, source: PurePosixPath, sources: Sequence[PurePosixPath]) -> str:
    """Make a page of a Markdown file."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    comments = re.compile(r"<!--.*?-->\n?", re.DOTALL)
    tokens = parser.parse(comments.sub("", (root / source).read_text(encoding="utf-8")))
    title = name_headings(tokens) or name_of(source)
    up = "../" * len(source.parent.parts)
    for token in tokens:
        ends_text = False
        for child in token.children or ():
            if child.type == "link_open":
                href = target_of(str(child.attrGet("href")), root / source.parent, sources, root)
                ends_text = href is None
                child.attrSet("href", href if href and is_outside(href) else f"{up}{href}")
            # A link to a file that is not in the site becomes text.
            if child.type in ("link_open", "link_close") and ends_text:
                child.tag, child.type, child.attrs = "span", child.type.replace("link", "text_span"), {}
                ends_text = child.nesting == 1
    # Keys scroll all that may be wider than a phone. A heading without words is none.
    text = parser.renderer.render(tokens, parser.options, {})
    text = text.replace("<th></th>", "<td></td>").replace("<pre>", '<pre tabindex="0">')
    text = text.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    links = [(name_of(other), f"{up}{page_of(other)}") for other in sources]
    links.append(("Gallery", f"{up}{GALLERY.as_posix()}/index.html"))
    return environment().from_string(PAGE).render(title=title, links=links, text=Markup(text))


def name_headings(tokens: Sequence[Token]) -> str:
    """Give headings the anchors that links in the texts use, each once. The first heading is the title."""
    first = ""
    times: Counter[str] = Counter()
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            name = re.sub(r"[^\w -]", "", inline.content.lower()).replace(" ", "-")
            opening.attrSet("id", f"{name}-{times[name]}" if times[name] else name)
            times[name] += 1
            first = first or inline.content
    return first


def is_outside(href: str) -> bool:
    return "://" in href or href.startswith("#")


def target_of(href: str, folder: Path, sources: Sequence[PurePosixPath], root: Path) -> str | None:
    """Path of a link's target from the site's root, or None for a file that is not in it."""
    if is_outside(href):
        return href
    path, hash_mark, anchor = href.partition("#")
    place = PurePosixPath((folder / path).resolve().relative_to(root.resolve()).as_posix())
    if place in sources:
        return f"{page_of(place)}{hash_mark}{anchor}"
    if not place.is_relative_to(GALLERY.as_posix()):
        return None
    return f"{place if place.suffix else place / 'index.html'}{hash_mark}{anchor}"


if __name__ == "__main__":
    main(prog_name="scripts/site")
