"""What stands in a store that nobody reviewed (hand edits, the client's own notes): shown, and adopted on a yes."""

from __future__ import annotations

from collections.abc import Sequence

from engram.app import proposals, stores
from engram.cli.door import ask_about
from engram.cli.tree import Run
from engram.curate.diff import render
from engram.errors import StoreNotFound
from engram.model.snapshot import TOC, Snapshot

HELP = """\
y - commit all of it as it stands, as yours
n - leave it unreviewed (so do Enter and Ctrl-D)
s - go through the files one by one
? - this"""


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
    many = "1 file differs" if len(paths) == 1 else f"{len(paths)} files differ"
    run.ui.say(f"{many} from what was reviewed in {store.root}")
    _show(run, store, snapshot, paths)
    taken = _taken(run, store, snapshot, paths)
    if not taken:
        run.ui.say("nothing was written; it stays unreviewed")
        return False
    plan, concerns = proposals.adoption_in(run.context, store, snapshot, taken)
    ask_about(run, concerns)
    proposals.waive_all(run.context, concerns)
    made = proposals.commit_adoption(run.context, store, plan)
    run.ui.out(f"adopted {len(taken)} file{'' if len(taken) == 1 else 's'} as {made[:12]}")
    return len(taken) == len(paths)


def _taken(run: Run, store: stores.Store, snapshot: Snapshot, paths: Sequence[str]) -> Sequence[str]:
    """Returns what the person adopts of it."""
    while True:
        answer = (run.ui.ask("Adopt it as yours? [y/N/s/?]") or "").lower()
        if answer in {"y", "yes"}:
            return paths
        if answer in {"", "n", "no"}:
            return ()
        if answer == "s":
            return _one_by_one(run, store, snapshot, paths)
        run.ui.say(HELP)


def _one_by_one(run: Run, store: stores.Store, snapshot: Snapshot, paths: Sequence[str]) -> list[str]:
    """Asks about each file; the end of the input is a no to all of them."""
    taken = []
    for number, path in enumerate(paths, 1):
        _show(run, store, snapshot, [path])
        answer = run.ui.ask(f"({number}/{len(paths)}) {path}: adopt it? [y/N]")
        if answer is None:
            return []
        if answer.lower() in {"y", "yes"}:
            taken.append(path)
    return taken


def _show(run: Run, store: stores.Store, snapshot: Snapshot, paths: Sequence[str]) -> None:
    plan, concerns = proposals.adoption_in(run.context, store, snapshot, paths)
    run.ui.forget_typed()
    run.ui.show(render(plan, concerns, (), width=run.ui.width))
