from __future__ import annotations

from ttr_sim.report.document import MEANINGS, Explainer


def test_ten_words() -> None:
    assert len(MEANINGS) == 10


def test_a_word_is_explained_once_and_names_stay_text() -> None:
    explain = Explainer()
    first = explain("<b>A–B</b> is too generous, too generous")
    assert first.count("<dfn") == 1
    assert first.startswith("&lt;b&gt;A–B&lt;/b&gt; is <dfn")
    assert "<dfn" not in explain("too generous again")
