"""Every relative link of a README leads to a file, and to a heading of it."""

from __future__ import annotations

import pytest

from tests.readmes import pages


@pytest.mark.parametrize("name", pages.NAMES)
def test_links_lead_somewhere(name: str) -> None:
    page = pages.ROOT / name
    for link in pages.links(pages.text_of(name)):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_relative_to(pages.ROOT), f"{link} leads out of the repository"
        assert target.exists(), link
        if anchor:
            assert anchor in pages.anchors(target.read_text("utf-8")), link


def test_every_readme_is_reached_from_the_first() -> None:
    reached, waiting = set(), ["README.md"]
    while waiting:
        name = waiting.pop()
        reached.add(name)
        for link in pages.links(pages.text_of(name)):
            path = ((pages.ROOT / name).parent / link.partition("#")[0]).resolve()
            target = path.relative_to(pages.ROOT).as_posix()
            if target in pages.NAMES and target not in reached:
                waiting.append(target)
    assert reached == set(pages.NAMES)


def test_an_anchor_is_written_as_github_writes_it() -> None:
    text = "# tf2bridge.v1: the `tf` names\n\n```sh\n# no heading\n```\n## What's new, and not\n"
    assert pages.anchors(text) == {"tf2bridgev1-the-tf-names", "whats-new-and-not"}


@pytest.mark.parametrize("name", pages.NAMES)
def test_a_page_is_short_and_begins_with_its_job_and_an_example(name: str) -> None:
    text = pages.text_of(name)
    assert text.startswith("# ")
    assert len(text.splitlines()) < 400
    if name == "README.md":
        assert len(text.encode()) < 8000
    if name != "fixtures/official/README.md":  # its scripts need a release and many hours
        assert "```" in "".join(text.splitlines(keepends=True)[:30])
