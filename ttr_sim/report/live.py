"""The addition to a report's page that is watched: it shows the newest page by itself, asking the server it came from.

A written report asks for nothing. Only this page may ask, only its own server, and says so in its policy; opened as a
file it cannot, and has a button instead.
"""

from __future__ import annotations

import re

from ttr_sim.report.document import asset, policy_hash

POLICY = re.compile(r"script-src ([^;\"]+)")
BAR = """<p id="live" role="status" data-version="{version}" hidden></p>
<style>{style}</style>
<script>{script}</script>
"""
STYLE = (
    "#live{position:fixed;right:1rem;bottom:1rem;max-width:min(40rem,90vw);margin:0;padding:.6rem .9rem;z-index:9;"
    "white-space:pre-wrap;background:var(--paper,#fff);color:var(--ink,#111);border:2px solid currentColor}"
    "@media print{#live{display:none}}"
)


def live_page(page: str, version: int) -> str:
    """Return the page with the addition."""
    script = asset("live.js")
    allowed = POLICY.sub(rf"script-src \1 {policy_hash(script)}; connect-src 'self'", page, count=1)
    head, end, tail = allowed.rpartition("</body>")
    return head + BAR.format(version=version, style=STYLE, script=script) + end + tail
