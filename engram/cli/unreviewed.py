"""What stands in a store that nobody reviewed (hand edits, the client's own notes): adopted, edited or undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engram.app import proposals, stores, undone
from engram.app.writers import writer_of
from engram.cli.door import ask_about
from engram.cli.edit import as_note
from engram.cli.gate import through
from engram.cli.tree import Run
from engram.curate.diff import render
from engram.errors import FrontmatterBroken, StoreNotFound
from engram.model.act import Act
from engram.model.counted import counted
from engram.model.note import base_of
from engram.model.snapshot import TOC, Snapshot

HELP = """\
y - commit all of it as it stands, under whoever probably wrote it
n - leave it unreviewed (so do Enter and Ctrl-D)
s - go through the files one by one: adopt, edit or undo each
? - this"""

HELP_ONE = """\
y - commit this file as it stands
n - leave it unreviewed
e - commit it, then change its text and see that change as a diff
u - undo it: the file says again what was reviewed; git keeps the text, and `engram undone` brings it back
? - this"""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Is what a person wants with each file."""

    adopt: Sequence[str] = ()
    edit: Sequence[str] = ()
    """Of those, the ones to be edited afterwards."""
    undo: Sequence[str] = ()


def standing(run: Run, folder: str) -> tuple[stores.Store, Snapshot] | None:
    """Returns the store that is meant and what stands in it, where some of that is unreviewed."""
    try:
        store = run.open_store(folder)
    except StoreNotFound:
        return None
    snapshot = store.snapshot()
    return (store, snapshot) if store.repository is not None and snapshot.unreviewed else None


def named(snapshot: Snapshot) -> list[str]:
    """Returns the files that HEAD doesn't hold as they stand, MEMORY.md last."""
    return sorted(snapshot.unreviewed, key=lambda path: (path == TOC, path))


def offer(run: Run, folder: str) -> bool:
    """Shows what nobody reviewed and commits what the person adopts. Tells whether nothing of it is left.

    Raises SecretFound where it holds what looks like a secret and nobody said that it is none.
    """
    found = standing(run, folder)
    if found is None:
        return True
    store, snapshot = found
    paths = named(snapshot)
    differ = counted(len(paths), "file differs", "files differ")
    run.ui.say(f"{differ} from what was reviewed in {store.root}")
    for path in paths:
        run.ui.say(f"{path}: probably {writer_of(run.context, snapshot, path).why}")
    _show(run, store, snapshot, paths)
    chosen = _chosen(run, store, snapshot, paths)
    if not chosen.adopt and not chosen.undo:
        run.ui.say("nothing was written; it stays unreviewed")
        return False
    for path in chosen.undo:
        _undo(run, store, snapshot, path)
    _adopt(run, store, snapshot, chosen.adopt)
    for path in chosen.edit:
        _edit(run, store, path)
    return len(chosen.adopt) + len(chosen.undo) == len(paths)


def _adopt(run: Run, store: stores.Store, snapshot: Snapshot, paths: Sequence[str]) -> None:
    """Commits files as they stand, one commit for each of those who wrote them."""
    writers: dict[tuple[str, str] | None, list[str]] = {}
    for path in paths:
        writers.setdefault(writer_of(run.context, snapshot, path).author, []).append(path)
    for author, theirs in writers.items():
        plan, concerns = proposals.adoption_in(run.context, store, store.snapshot(), theirs, author)
        ask_about(run, concerns)
        proposals.waive_all(run.context, concerns)
        made = proposals.commit_adoption(run.context, store, plan)
        whose = "" if author is None else f", written by {author[0]}"
        run.ui.out(f"adopted {counted(len(theirs), 'file')} as {made[:12]}{whose}")


def _undo(run: Run, store: stores.Store, snapshot: Snapshot, path: str) -> None:
    name = undone.undo(run.context, store, snapshot, path)
    kept = f"; its text is kept, and `engram undone {name}` brings it back" if name else ""
    run.ui.out(f"undone: {path} says again what was reviewed{kept}")


def _edit(run: Run, store: stores.Store, path: str) -> None:
    snapshot = store.snapshot()
    standing = snapshot.work[path]
    text = run.ui.edit(standing, path, run.context.prepared("review"))
    if text is None:
        run.ui.say("left as it was")
        return
    try:
        written = text.decode("utf-8") if path == TOC else as_note(text, path)
    except (UnicodeDecodeError, FrontmatterBroken) as error:
        run.ui.say(f"that text can't stand, and {path} is left as it was: {error}")
        return
    through(run, proposals.propose_acts(run.context, store, [Act("EDIT", path, base_of(standing), text=written)]))


def _chosen(run: Run, store: stores.Store, snapshot: Snapshot, paths: Sequence[str]) -> _Chosen:
    """Returns what the person wants with the files."""
    while True:
        answer = (run.ui.ask("Adopt it as it stands? [y/N/s/?]") or "").lower()
        if answer in {"y", "yes"}:
            return _Chosen(paths)
        if answer in {"", "n", "no"}:
            return _Chosen()
        if answer == "s":
            return _one_by_one(run, store, snapshot, paths)
        run.ui.say(HELP)


def _one_by_one(run: Run, store: stores.Store, snapshot: Snapshot, paths: Sequence[str]) -> _Chosen:
    """Asks about each file; the end of the input is a no to all of them."""
    found: dict[str, list[str]] = {"y": [], "e": [], "u": []}
    for number, path in enumerate(paths, 1):
        _show(run, store, snapshot, [path])
        answer = _asked(run, f"({number}/{len(paths)}) {path}: adopt it? [y/N/e/u/?]")
        if answer is None:
            return _Chosen()
        if answer == "e" and snapshot.work.get(path) is None:
            run.ui.say("the file is gone; there is no text to edit")
            answer = "n"
        found.get(answer, []).append(path)
    return _Chosen([*found["y"], *found["e"]], found["e"], found["u"])


def _asked(run: Run, question: str) -> str | None:
    """Returns y, e, u or n; None at the end of the input."""
    while (typed := run.ui.ask(question)) is not None:
        answer = typed.lower()[:1]
        if answer in {"y", "e", "u"}:
            return answer
        if answer in {"", "n"}:
            return "n"
        run.ui.say(HELP_ONE)
    return None


def _show(run: Run, store: stores.Store, snapshot: Snapshot, paths: Sequence[str]) -> None:
    plan, concerns = proposals.adoption_in(run.context, store, snapshot, paths)
    run.ui.forget_typed()
    run.ui.show(render(plan, concerns, (), width=run.ui.width))
