"""Recall over several stores: which are searched, which notes may come, what floor holds, and what a name means."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engram.app import asking, opening, projects, recalling
from engram.app.context import Context
from engram.app.recalling import Source, opened, places
from engram.errors import ProjectNotFound, StoreNotFound
from engram.index import notes
from engram.recall.standing import Standing, standing
from tests.lib.cli import NOW, context
from tests.lib.stores import git, make_store, note


def store_of(home: Path, project: Path) -> Path:
    slug = "".join(char if char.isascii() and char.isalnum() else "-" for char in os.path.realpath(project))
    return home / ".claude" / "projects" / slug / "memory"


@pytest.fixture
def here(sealed: Path) -> Context:
    """Returns the surroundings of a project with a store, beside the user's own and another project's."""
    for name in ("shop", "blog"):
        project = sealed / name
        project.mkdir()
        make_store(store_of(sealed, project), {f"{name}.md": note(f"about-{name}", f"The {name} sells teapots.")})
    make_store(sealed / ".agent-memory", {"me.md": note("me", "Likes teapots.", type="user")})
    (sealed / ".agent-memory" / "config.json").write_text('{"recall": {"embedder": "none"}}', encoding="utf-8")
    return context(sealed / "shop", ENGRAM_RELEVANCE_FLOOR="0.05")


@pytest.fixture
def sources(here: Context) -> Iterator[list[Source]]:
    found = opened(here, places(here))
    yield found
    for source in found:
        source.close()


def names(found: asking.Found) -> list[str]:
    return sorted(hit.row.name for hit in found.hits)


def found(here: Context, text: str = "teapots", **wanted: object) -> list[str]:
    with asking.asked(here, asking.Wanted(text, **wanted)) as answer:  # type: ignore[arg-type]
        return names(answer)


# -- stores --------------------------------------------------------------------------------------------------


def test_the_project_s_store_and_the_user_s_are_searched_together(here: Context) -> None:
    assert [place.scope for place in places(here)] == ["project", "user"]
    assert found(here) == ["about-shop", "me"]


def test_a_scope_names_one_of_them(here: Context) -> None:
    assert found(here, scope="user") == ["me"]
    assert found(here, scope="project") == ["about-shop"]


def test_folders_are_searched_as_they_are_named(here: Context, sealed: Path, tmp_path: Path) -> None:
    make_store(tmp_path / "n", {"x.md": note("x", "A teapots note.")}, init=False)
    assert found(here, folders=(str(tmp_path / "n"), "../.agent-memory")) == ["me", "x"]
    with pytest.raises(StoreNotFound):
        found(here, folders=("nowhere",))


def test_all_projects_or_another_one(here: Context, sealed: Path) -> None:
    assert found(here, all_projects=True) == ["about-blog", "about-shop", "me"]
    for name in ("blog", "BLOG", str(sealed / "blog"), os.path.basename(store_of(sealed, sealed / "blog").parent)):
        assert found(here, project=name, scope="project") == ["about-blog"], name
    other = context(sealed / "shop", ENGRAM_PROJECT="blog", ENGRAM_RELEVANCE_FLOOR="0.05")
    assert found(other) == ["about-blog", "me"]


def test_a_name_that_is_nearly_right_is_suggested(here: Context) -> None:
    with pytest.raises(ProjectNotFound) as caught:
        projects.named(here, "shpo")
    assert "did you mean shop" in caught.value.hint
    with pytest.raises(ProjectNotFound) as caught:
        projects.named(here, "quite-another")
    assert caught.value.hint == ProjectNotFound.hint


def test_a_name_that_means_several_is_refused(here: Context, sealed: Path) -> None:
    (sealed / "other" / "blog").mkdir(parents=True)
    make_store(store_of(sealed, sealed / "other" / "blog"), {"x.md": note("x")})
    with pytest.raises(ProjectNotFound) as caught:
        projects.named(here, "blog")
    assert caught.value.message == "'blog' means 2 projects"


def test_where_nothing_is_there_is_no_store(sealed: Path) -> None:
    with pytest.raises(StoreNotFound):
        found(context(sealed))


def test_a_store_that_is_the_project_s_and_the_user_s_counts_once(here: Context, sealed: Path) -> None:
    both = context(sealed / "shop", ENGRAM_HOME=str(store_of(sealed, sealed / "shop")))
    assert [place.scope for place in places(both)] == ["project"]


# -- notes ---------------------------------------------------------------------------------------------------

TODAY = "2026-11-30"


@pytest.mark.parametrize(
    ("flags", "expires", "more", "words", "holds"),
    [
        (0, "", {}, "reviewed", True),
        (0, "never", {}, "reviewed", True),
        (0, "2026-11-30", {}, "reviewed", True),
        (0, "2026-11-29", {}, "lapsed on 2026-11-29, reviewed", False),
        (4, "2026-11-29", {}, "reviewed, protected, lapsed on 2026-11-29", True),
        (4, "", {}, "reviewed, protected", True),
        (1, "", {}, "invalidated, reviewed", False),
        (1 | 4, "", {}, "invalidated, reviewed, protected", False),
        (2 | 8, "", {}, "archived, in conflict, reviewed", False),
        (0, "", {"reviewed": False}, "unreviewed", True),
        (0, "", {"reviewed": False, "unreviewed": "include"}, "reviewed", True),
        (0, "", {"versioned": False}, "not under git", True),
        (0, "", {"review_after": "2026-11-30"}, "reviewed, needs_review since 2026-11-30", True),
        (0, "", {"review_after": "2026-12-01"}, "reviewed", True),
    ],
)
def test_how_a_note_stands(flags: int, expires: str, more: dict[str, object], words: str, holds: bool) -> None:
    given = {"reviewed": True, "versioned": True, "today": TODAY, **more}
    stands = standing(flags, expires, **given)  # type: ignore[arg-type]
    assert (stands.words, stands.holds) == (words, holds)


def test_what_nobody_reviewed_is_brought_only_where_the_settings_let_it() -> None:
    stands = Standing("unreviewed", holds=True, reviewed=False)
    assert [stands.served(word) for word in ("exclude", "mark", "include")] == [False, True, True]
    assert not Standing("invalidated", holds=False, reviewed=True).served("include")


def test_explicit_recall_shows_what_nobody_reviewed_and_says_so(here: Context, sealed: Path) -> None:
    store = store_of(sealed, sealed / "shop")
    (store / "new.md").write_text(note("new", "New teapots."), encoding="utf-8")
    with asking.asked(here, asking.Wanted("new teapots")) as answer:
        status = {hit.row.name: hit.standing.words for hit in answer.hits}
    assert status["new"] == "unreviewed"
    assert status["about-shop"] == "reviewed"


def test_neighbours_show_what_is_over_and_what_says_the_same(here: Context, sealed: Path) -> None:
    store = store_of(sealed, sealed / "shop")
    (store / "old.md").write_text(note("old", "The shop sells kettles.", invalidated_by="about-shop"), encoding="utf-8")
    (store / "other.md").write_text(note("other", "The build takes two minutes on the blue machine."), encoding="utf-8")
    git(store, "add", "-A")
    git(store, "commit", "-qm", "old")
    assert "old" not in found(here, "The shop sells teapots.")
    with asking.asked(here, asking.Wanted("about-shop: The shop sells teapots.", neighbours=True)) as answer:
        rows = {row["name"]: row for row in asking.shown(answer)["hits"]}
    assert rows["old"]["holds"] is False
    assert rows["about-shop"]["near_duplicate"] > 0.5


def test_only_notes_of_a_type(here: Context) -> None:
    assert found(here, kind="user") == ["me"]


def test_a_linked_note_is_found_by_any_of_its_names(here: Context, sealed: Path) -> None:
    store = store_of(sealed, sealed / "shop")
    (store / "a.md").write_text(note("a", "See [[About Shop]] and [[gone]] and [[b]]."), encoding="utf-8")
    (store / "b.md").write_text(note("b", invalidated_by="a"), encoding="utf-8")
    git(store, "add", "-A")
    git(store, "commit", "-qm", "links")
    (source, _) = opened(here, places(here))
    (id_,) = source.index.db.execute("SELECT id FROM notes WHERE name = 'a'").fetchone()
    assert [item.name for item in recalling.linked_items(source, [id_], TODAY)] == ["about-shop"]
    assert len(notes.linked(source.index, [id_], 5)) == 2
    source.close()
    _.close()


def test_a_store_that_the_project_itself_names_counts_once_the_person_trusts_the_folder(
    here: Context, sealed: Path
) -> None:
    settings = sealed / "shop" / ".claude" / "settings.local.json"
    settings.parent.mkdir()
    other = store_of(sealed, sealed / "blog")
    settings.write_text(json.dumps({"autoMemoryDirectory": str(other)}), encoding="utf-8")
    assert [place.scope for place in places(here)] == ["user"]
    answer = {"projects": {os.path.realpath(sealed / "shop"): {"hasTrustDialogAccepted": True}}}
    (sealed / ".claude.json").write_text(json.dumps(answer), encoding="utf-8")
    assert [place.root for place in places(here)][:1] == [os.path.realpath(other)]


def test_notes_that_are_over_keep_none_out_of_a_session_s_start(here: Context, sealed: Path) -> None:
    store = store_of(sealed, sealed / "shop")
    kept = note("brief", "Always be brief.", type="feedback", importance="1")
    (store / "brief.md").write_text(kept, encoding="utf-8")
    for number in range(130):
        over = {"archived": "true"} if number % 2 else {"expires": "2020-01-01"}
        text = note(f"old-{number}", "Be long.", type="feedback", importance="10", **over)
        (store / f"old-{number}.md").write_text(text, encoding="utf-8")
    git(store, "add", "-A")
    git(store, "commit", "-qm", "many")
    with asking.asked(here, asking.Wanted()) as answer:
        text = asking.opened_with(here, answer, 0).text
    assert "Always be brief." in text
    assert "Be long." not in text


# -- the floor -----------------------------------------------------------------------------------------------


def test_the_environment_s_floor_comes_first_then_the_settings_then_the_store_s(
    sources: list[Source], here: Context
) -> None:
    source = sources[0]
    safe = recalling.floor_of(source, None, {})
    assert safe == recalling.rank.SAFE_FLOOR
    source.index.set_meta("floor/words", 0.4)
    source.index.set_meta("floor-notes/words", 1)
    assert recalling.floor_of(source, None, {}) == pytest.approx(0.4)
    assert recalling.floor_of(source, None, {"ENGRAM_RELEVANCE_FLOOR": "nonsense"}) == pytest.approx(0.4)
    assert recalling.floor_of(source, None, {"ENGRAM_RELEVANCE_FLOOR": "0.9"}) == 0.9
    for endless in ("nan", "inf", "-inf"):
        assert recalling.floor_of(source, None, {"ENGRAM_RELEVANCE_FLOOR": endless}) == pytest.approx(0.4)
    source.settings = here.settings().__class__(floor=0.7)
    assert recalling.floor_of(source, None, {}) == 0.7


# -- what waits ----------------------------------------------------------------------------------------------


def test_what_waits_is_one_line(here: Context, sources: list[Source]) -> None:
    assert opening.waiting_line(here, sources) == ""
    folder = Path(here.prepared("review"))
    mine = {"store": sources[0].place.root, "proposed": "2026-11-27T10:00:00+00:00"}
    (folder / "a.json").write_text(json.dumps(mine), encoding="utf-8")
    (folder / "b.json").write_text(json.dumps({**mine, "store": "/elsewhere"}), encoding="utf-8")
    (folder / "c.json").write_text("damaged", encoding="utf-8")
    assert opening.waiting_line(here, sources) == (
        "Waiting in engram: 1 proposed change to memory, the oldest for 3 days (the user decides with `engram review`)."
    )
    assert f"{NOW:%Y-%m-%d}" == TODAY


def test_an_index_that_fails_in_mid_search_is_full_again_the_next_time(here: Context, sources: list[Source]) -> None:
    told: list[str] = []
    (path,) = [source.index.path for source in sources if source.place.scope == "user"]
    for source in sources:
        source.close()
    with closing(sqlite3.connect(path)) as damaged:
        damaged.execute("DROP TABLE words")
        damaged.commit()
    for wanted in (["about-shop"], ["about-shop", "me"]):
        again = opened(here, places(here))
        hits = recalling.search(
            again, "teapots", None, now=NOW.isoformat(), env={}, serves=recalling.unasked, log=told.append
        )
        for source in again:
            source.close()
        assert sorted(hit.row.name for hit in hits) == wanted, told
    assert any("made anew" in line for line in told)
