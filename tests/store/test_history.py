"""Commits read back: messages, trailers, paths, sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram.errors import NothingToUndo
from engram.store import history
from tests.lib.commits import repository
from tests.lib.stores import git, make_store


def commit(root: Path, message: str, at: str = "2026-01-02T03:04:05+02:00") -> str:
    git(root, "add", "-A")
    git(root, "-c", "user.name=Bo", "commit", "-q", "--allow-empty", "--date", at, "-F", "-", data=message.encode())
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = make_store(tmp_path / "s", {"a.md": "A\n", "b c/d é.md": "D\n"})
    (root / "a.md").write_bytes(b"A2\n")
    commit(root, "Change a: x\n\nbody line\n:odd\n\nApproved-By: Ada\nEngram-Session: s 1\nengram-session: s2\n")
    (root / "new.md").write_bytes(b"N\n")
    (root / "b c/d é.md").unlink()
    commit(root, "Move on\n")
    return root


def test_the_log_is_newest_first_with_all_that_was_said_and_changed(store: Path) -> None:
    newest, middle, first = history.log(repository(store))
    assert (newest.subject, newest.paths) == ("Move on", ("b c/d é.md", "new.md"))
    assert newest.trailers == ()
    assert (middle.subject, middle.paths, middle.parents) == ("Change a: x", ("a.md",), (first.commit,))
    assert middle.body.startswith("body line\n:odd\n\nApproved-By: Ada")
    assert middle.trailers == (("Approved-By", "Ada"), ("Engram-Session", "s 1"), ("engram-session", "s2"))
    assert middle.values("ENGRAM-SESSION") == ("s 1", "s2")
    assert (middle.author, middle.email) == ("Bo", "ada@example.com")
    assert (first.parents, first.paths) == ((), (".gitattributes", "a.md", "b c/d é.md"))


@pytest.mark.parametrize("setting", ["core.commentChar=A", "core.commentChar=e", "diff.orderFile=/not/there"])
def test_a_setting_of_the_user_s_hides_no_trailer_and_stops_no_log(store: Path, setting: str) -> None:
    before = history.log(repository(store))
    git(store, "config", *setting.split("=", 1))
    assert history.log(repository(store)) == before
    assert history.sessions_in(repository(store)).keys() == {"s 1", "s2"}


def test_the_log_of_one_note(store: Path) -> None:
    found = history.log(repository(store), "a.md")
    assert [entry.subject for entry in found] == ["Change a: x", "start"]
    assert found[1].paths == (".gitattributes", "a.md", "b c/d é.md")
    assert history.log(repository(store), "gone.md") == ()


def test_the_log_can_be_short(store: Path) -> None:
    assert [entry.subject for entry in history.log(repository(store), limit=1)] == ["Move on"]


def test_a_store_without_commits_has_no_log(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {}, commit=False)
    assert history.log(repository(root)) == ()
    assert history.sessions_in(repository(root)) == {}
    with pytest.raises(NothingToUndo):
        history.entry(repository(root), "HEAD")


def test_a_message_or_a_name_can_t_pass_for_another_commit(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    forged = "x\n\n\x02engram\x02" + "f" * 40 + "\n:100644 100644 a b M\nevil.md\n\x1eApproved-By\x1fme\n"
    (root / "\x02:n.md").write_bytes(b"x")
    commit(root, forged)
    found = history.log(repository(root))
    assert [entry.paths for entry in found] == [("\x02:n.md",), (".gitattributes", "a.md")]
    assert found[0].trailers == ()


def test_a_merge_shows_what_it_brought(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    git(root, "switch", "-qc", "side")
    (root / "b.md").write_bytes(b"B\n")
    commit(root, "b")
    git(root, "switch", "-q", "main")
    (root / "c.md").write_bytes(b"C\n")
    commit(root, "c")
    git(root, "merge", "-q", "--no-edit", "side")
    merge = history.log(repository(root), limit=1)[0]
    assert (len(merge.parents), merge.paths) == (2, ("b.md",))


def test_a_store_in_a_larger_repository_sees_its_own_part(tmp_path: Path) -> None:
    top = make_store(tmp_path / "p", {"src.py": "x", "mem/a.md": "A\n"})
    (top / "src.py").write_bytes(b"y")
    commit(top, "code")
    (top / "mem/a.md").write_bytes(b"B\n")
    (top / "src.py").write_bytes(b"z")
    both = commit(top, "both")
    found = repository(top / "mem")
    assert [(entry.subject, entry.paths) for entry in history.log(found)] == [("both", ("a.md",)), ("start", ("a.md",))]
    assert history.entry(found, both[:10]).paths == ("a.md",)


def test_an_entry_is_found_by_the_beginning_of_its_id(store: Path) -> None:
    found = repository(store)
    wanted = history.log(found)[1]
    assert history.entry(found, wanted.commit[:8]) == wanted


@pytest.mark.parametrize("odd", ["", "zzz", "--all", "main..main", "f" * 40, "HEAD:a.md"])
def test_what_is_no_commit_can_t_be_undone(store: Path, odd: str) -> None:
    with pytest.raises(NothingToUndo):
        history.entry(repository(store), odd)


def test_texts_of_a_commit(store: Path) -> None:
    found = repository(store)
    newest, middle, _ = history.log(found)
    paths = ["a.md", "b c/d é.md", "new.md"]
    assert history.texts(found, newest.commit, paths) == {"a.md": b"A2\n", "b c/d é.md": None, "new.md": b"N\n"}
    assert history.texts(found, middle.commit, paths) == {"a.md": b"A2\n", "b c/d é.md": b"D\n", "new.md": None}
    assert history.texts(found, "", paths) == dict.fromkeys(paths)


def test_sessions_with_the_time_of_their_newest_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_store(tmp_path / "s", {})
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-06-01T00:00:00Z")  # made later than proposed
    commit(root, "one\n\nEngram-Session: aa\nEngram-Session: bb\n", "2026-01-01T00:00:00+02:00")
    commit(root, "two\n\nEngram-Session: bb\n", "2026-05-01T10:00:00-01:00")
    commit(root, "three, not a trailer\n\nEngram-Session: cc\nprose\nmore prose\nand more\nand more\n")
    found = repository(root)
    assert history.sessions_in(found) == {"aa": "2025-12-31T22:00:00Z", "bb": "2026-05-01T11:00:00Z"}
    assert history.sessions_in(found, "2026-07-01T00:00:00Z") == {}


def test_which_commit_comes_after_which(store: Path) -> None:
    found = repository(store)
    newest, middle, _ = (entry.commit for entry in history.log(found))
    assert history.descends(found, newest, middle)
    assert history.descends(found, newest, newest)
    assert not history.descends(found, middle, newest)
    assert not history.descends(found, newest, "f" * 40)
    assert not history.descends(found, "", newest)


def test_a_setting_to_check_signatures_starts_no_program(store: Path, tmp_path: Path) -> None:
    git(store, "config", "log.showSignature", "true")
    git(store, "config", "gpg.program", str(tmp_path / "never"))
    assert len(history.log(repository(store))) == 3
    assert history.sessions_in(repository(store)).keys() == {"s 1", "s2"}
