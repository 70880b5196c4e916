"""Build the static site: the README, docs/ and data/README.md as pages, beside a copy of the gallery.

Files keep their places below the site, so that links between them hold; those to files that are not in it become text.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath

import click
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from scripts.tools.checkout import ROOT
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
    if _holds_something_else(out):
        raise click.UsageError(f"{out} holds something else than a site; name a new folder.")
    shutil.rmtree(out, ignore_errors=True)
    build(ROOT, out)
    click.echo(out / "index.html")


def _holds_something_else(out: Path) -> bool:
    """Return whether there is anything but a site of ours, so that nothing of the user's is removed."""
    if not out.is_dir():
        return out.exists()
    own = {page_of(PurePosixPath(name)).parts[0] for name in NAMES} | {"docs", GALLERY.parts[0]}
    present = {path.name for path in out.iterdir()}
    page = out / "index.html"
    is_ours = present <= own and page.is_file() and GENERATOR in page.read_text(encoding="utf-8", errors="replace")
    return bool(present) and not is_ours


def build(root: Path, out: Path) -> None:
    sources = [PurePosixPath(path.relative_to(root).as_posix()) for path in _texts(root)]
    shutil.copytree(root / GALLERY, out / GALLERY)
    for picture in (root / "docs").rglob("*.svg"):
        copy = out / picture.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, copy)
    for source in sources:
        page = out / page_of(source)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(_page(root, source, sources), encoding="utf-8")


def _texts(root: Path) -> Iterator[Path]:
    yield from (root / name for name in NAMES)
    yield from sorted((root / "docs").glob("*.md"))


def page_of(source: PurePosixPath) -> PurePosixPath:
    return PurePosixPath("index.html") if source == FRONT else source.with_suffix(".html")


def _page(root: Path, source: PurePosixPath, sources: Sequence[PurePosixPath]) -> str:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(_without_comments((root / source).read_text(encoding="utf-8")))
    kept = [_name_headings(tokens)]
    for token in tokens:
        _lead_links(token, source, sources, root)
    text = _reachable(parser.renderer.render(tokens, parser.options, {}))
    links = [(_name(other), _relative(page_of(other), source)) for other in sources]
    links.append(("Gallery", _relative(PurePosixPath(GALLERY.as_posix()) / "index.html", source)))
    title = kept[0] or _name(source)
    return environment().from_string(PAGE).render(title=title, links=links, text=Markup(text))


def _reachable(text: str) -> str:
    """Let keys scroll what may be wider than a phone; a heading without words is none."""
    text = text.replace("<th></th>", "<td></td>").replace("<pre>", '<pre tabindex="0">')
    return text.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")


def _without_comments(text: str) -> str:
    return re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL)


def _name(source: PurePosixPath) -> str:
    return NAMES.get(str(source)) or ABBREVIATIONS.get(source.stem, source.stem.capitalize())


def _name_headings(tokens: Sequence[Token]) -> str:
    """Give headings the anchors that links in the texts use, each once; return the first heading."""
    first = ""
    times: Counter[str] = Counter()
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            name = re.sub(r"[^\w -]", "", inline.content.lower()).replace(" ", "-")
            opening.attrSet("id", f"{name}-{times[name]}" if times[name] else name)
            times[name] += 1
            first = first or inline.content
    return first


def _lead_links(token: Token, source: PurePosixPath, sources: Sequence[PurePosixPath], root: Path) -> None:
    """Lead links to the pages of the site; what is not in the site is no link."""
    ends_text = False
    for child in token.children or ():
        if child.type == "link_open":
            href = str(child.attrGet("href"))
            target = _target(href, source, sources, root)
            ends_text = target is None
            child.attrSet("href", target or "")
        if child.type in ("link_open", "link_close") and ends_text:
            child.tag, child.type, child.attrs = "span", child.type.replace("link", "text_span"), {}
            ends_text = child.nesting == 1


def _target(href: str, source: PurePosixPath, sources: Sequence[PurePosixPath], root: Path) -> str | None:
    if "://" in href or href.startswith("#"):
        return href
    path, _, anchor = href.partition("#")
    place = PurePosixPath((root / source.parent / path).resolve().relative_to(root.resolve()).as_posix())
    if place in sources:
        page = page_of(place)
    elif place.is_relative_to(GALLERY.as_posix()):
        page = place if place.suffix else place / "index.html"
    else:
        return None
    return _relative(page, source) + (f"#{anchor}" if anchor else "")


def _relative(page: PurePosixPath, source: PurePosixPath) -> str:
    return "../" * len(source.parent.parts) + str(page)


if __name__ == "__main__":
    main(prog_name="scripts/site")
