"""The door: what a person approved becomes one commit, and the notes follow.

In order, under the store's lock: finish what an earlier run left; compare branch, HEAD and every file with the plan;
build blobs, tree and commit, which nothing names yet; write down what is intended; use the approval up; move the branch
by compare-and-swap; replace the files; put only those paths into the user's index; drop the intent. The branch's move
is the commit: before it nothing has changed, after it the next run finishes what is left (``recover``), over bytes that
are still those from before and over no others. See docs/decisions/0001-git-plumbing.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

from engram.curate import intent as intents
from engram.curate.intent import Intent, Step
from engram.curate.steps import id_of, index_after, steps_of, texts_of, tree_after
from engram.errors import CommitHalfMade, EngramError, NoteChanged, PlanChanged
from engram.model.plan import Approve, Edit, Plan
from engram.model.visible import visible_line
from engram.store import fit, history, plumbing, staged, write
from engram.store.git import Repository, Tracked
from engram.store.hold import folder_of, hold
from engram.store.message import message

APPROVED_BY = "Approved-By"
APPROVED_VIA = "Approved-Via"

STEPS = ("locked", "compared", "blobs", "tree", "commit", "intent", "spent", "ref", "file", "files", "index", "done")
"""What ``apply`` tells its ``step``, in order; ``file`` once for each file that is replaced."""


def apply(
    plan: Plan,
    approval: Approve,
    repository: Repository,
    *,
    now: datetime,
    proposed: datetime | None = None,
    spend: Callable[[str], None] = lambda _: None,
    step: Callable[[str], None] = lambda _: None,
) -> str:
    """Commits a plan and returns the commit's id; "" for a plan without edits, which needs none.

    ``proposed`` becomes the author's date, ``now`` the committer's: what a session said after the proposal isn't in it.
    ``spend`` is called once with the id, right before the branch moves, to use the approval up; where it raises,
    nothing has changed. ``step`` hears the name of each step as it ends. Any error but CommitHalfMade means that notes,
    index and HEAD are as they were. Raises PlanChanged, NoteChanged, NoteStaged, StoreLocked, StoreReadOnly, DiskFull,
    GitFiltered, SigningFailed and what ``Repository.check_fit`` and ``identity`` raise; CommitHalfMade for an earlier
    commit that was interrupted (once), or for this one where it can neither be finished nor taken back.
    """
    if plan.empty:
        return ""
    _check_plan(plan, repository)
    with _locked(repository) as folder:
        _finish(repository, folder)
        step("locked")
        head = repository.head()
        fit.check(repository.git_dir, repository.common_dir, head[0])
        person = repository.identity()
        people = plumbing.People(plan.author or person, person, now, proposed)
        steps = steps_of(plan.edits, repository.blob_id)
        tracked = _compare(plan, steps, repository, head)
        step("compared")
        text = message(plan.subject, (*plan.trailers, (APPROVED_BY, approval.by), (APPROVED_VIA, approval.via)))
        with plumbing.scratch(repository.root) as empty:
            plumbing.write_blobs(repository, empty, texts_of(steps, repository.blob_id))
            step("blobs")
            after = tree_after(steps, tracked, repository.blob_id)
            before = {each.path: each.head_before for each in steps}
            tree = plumbing.write_tree(repository, empty, plan.head, after, before)
            step("tree")
        new = plumbing.write_commit(repository, tree, plan.head, text, people)
        step("commit")
        intent = Intent(plan.ref, plan.head, new, os.getpid(), steps)
        try:
            intents.put(folder, intent)
            step("intent")
            with _dropped_unless_moved(repository, folder, intent):
                spend(new)
                step("spent")
                plumbing.move_ref(repository, intent.ref, new, intent.old, f"engram: {text.splitlines()[0]}")
            step("ref")
            _place(plan, repository, folder, intent, step)
            try:
                _settle(repository, steps, tracked)
            except EngramError:
                return new  # committed, and every note in place; the intent stays, and the next run settles the index
            step("index")
            intents.drop(folder)
            step("done")
        except KeyboardInterrupt:  # made or not made: whoever interrupts is told which
            _finish(repository, folder)
            if repository.commit_of(intent.ref) != new:
                raise
    return new


def recover(root: str, repository: Repository | None) -> str:
    """Finishes a commit that was interrupted; returns words about what was done, "" where there was nothing to do.

    Files that still are what they were before the commit become what they are after it; a file that was changed since
    then is left alone: it is an edit by hand, unreviewed, to be adopted or dropped like any other. That is told once,
    by CommitHalfMade, when everything else is finished. Raises StoreLocked, StoreReadOnly, DiskFull, GitLocked.
    """
    if repository is None or not os.path.lexists(intents.path_in(folder_of(root))):
        return ""
    with _locked(repository) as folder:
        return _finish(repository, folder)


def set_back(repository: Repository, path: str, work: bytes | None, *, ref: str, now: datetime) -> str:
    """Gives a file that nobody reviewed back the bytes that HEAD holds (none: it goes), and returns the commit that
    keeps what stood there, under a ref of its own; "" where nothing stood there.

    git has the text before the file changes. HEAD, branch and index stay as they are. ``work``: the bytes that the
    person was shown. Raises NoteChanged where the file holds others by now, and as :func:`apply`.
    """
    with _locked(repository) as folder:
        _finish(repository, folder)
        if write.current(repository.root, path) != work:
            raise NoteChanged(f"{path} was changed since it was shown; it was left as it is", place=path)
        _, head = repository.head()
        before = history.texts(repository, head, [path])[path]
        kept = "" if work is None else _kept(repository, path, (before, work), head, now)
        if kept:
            plumbing.move_ref(repository, ref, kept, "", f"engram: undone, {path}")
        write.replace(repository.root, path, work, before)
    return kept


def bring_back(repository: Repository, path: str, text: bytes) -> None:
    """Puts a text that was set back into its file again, unreviewed as it was.

    Raises NoteChanged where the file isn't what HEAD holds, and so may hold something that nothing else does.
    """
    with _locked(repository) as folder:
        _finish(repository, folder)
        _, head = repository.head()
        before = history.texts(repository, head, [path])[path]
        if write.current(repository.root, path) != before:
            raise NoteChanged(f"{path} says something else than the last commit; it was left as it is", place=path)
        write.replace(repository.root, path, before, text)


def half_made(root: str) -> bool:
    """Tells whether a commit is under way in a store, or was interrupted."""
    return os.path.lexists(intents.path_in(folder_of(root)))


def _kept(repository: Repository, path: str, texts: tuple[bytes | None, bytes], head: str, now: datetime) -> str:
    """Returns a commit that holds what HEAD does, but for one file as it stands in the folder."""
    before, work = texts
    steps = steps_of([Edit(path, before, work, before, work)], repository.blob_id)
    tracked = repository.entries(head, [path]) if head else {}
    person = repository.identity()
    with plumbing.scratch(repository.root) as empty:
        plumbing.write_blobs(repository, empty, texts_of(steps, repository.blob_id))
        tree = plumbing.write_tree(
            repository, empty, head, tree_after(steps, tracked, repository.blob_id), {path: steps[0].head_before}
        )
    people = plumbing.People(person, person, now, None)
    return plumbing.write_commit(repository, tree, head, f"undone: {visible_line(path)}\n", people)


# -- before the branch moves ------------------------------------------------------------------------------------------


def _check_plan(plan: Plan, repository: Repository) -> None:
    if plan.hand_edits:
        raise NoteChanged(
            f"{', '.join(plan.hand_edits)}: edited by hand, and not reviewed yet; nothing was committed",
            hint="`engram review` shows the edits and adopts them; then the change is planned anew",
        )
    if os.path.realpath(plan.root) != repository.root:
        raise PlanChanged(f"the plan was made for {plan.root}, not for {repository.root}", place=repository.root)
    reserved = [key for key, _ in plan.trailers if key.casefold().startswith("approved-")]
    if reserved or len({edit.path for edit in plan.edits}) < len(plan.edits):
        raise ValueError(f"this is no plan: {reserved or 'a path stands in it twice'}")


def _compare(
    plan: Plan, steps: tuple[Step, ...], repository: Repository, now: tuple[str, str]
) -> Mapping[str, Tracked]:
    """Returns what HEAD holds of the plan's paths.

    Raises where anything is not as it was when the plan was made.
    """
    if now != (plan.ref, plan.head):
        raise PlanChanged("the store has a new commit, or is on another branch, since the plan was made", place=now[0])
    for edit in plan.edits:
        if write.current(repository.root, edit.path) != edit.work_before:
            raise NoteChanged(
                f"{edit.path} was changed since the plan was made; nothing was committed", place=edit.path
            )
    paths = [edit.path for edit in plan.edits]
    staged.check_unfiltered(repository, paths)
    tracked = repository.entries(plan.head, paths)
    plumbing.check_regular(tracked)
    index_after(steps, tracked, repository.index_entries(paths), repository.blob_id)
    return tracked


@contextmanager
def _dropped_unless_moved(repository: Repository, folder: str, intent: Intent) -> Iterator[None]:
    """Drops the intent where an error ends the block and the branch hasn't moved.

    An interrupt leaves the intent: whether git got as far as moving the branch is for the next run to see.
    """
    try:
        yield
    except Exception:
        if repository.commit_of(intent.ref) == intent.new:
            return
        intents.drop(folder)
        raise


# -- after the branch moved -------------------------------------------------------------------------------------------


def _place(plan: Plan, repository: Repository, folder: str, intent: Intent, step: Callable[[str], None]) -> None:
    """Replaces the files. Where one can't be, puts the others and the branch back and raises what stood in the way."""
    try:
        for edit in plan.edits:
            if edit.work_before != edit.work_after:
                write.replace(repository.root, edit.path, edit.work_before, edit.work_after)
                step("file")
        step("files")
    except Exception as error:
        _take_back(plan, repository, folder, intent, error)
        raise


def _take_back(plan: Plan, repository: Repository, folder: str, intent: Intent, cause: Exception) -> None:
    try:
        for edit in plan.edits:
            if edit.work_before != edit.work_after and write.current(repository.root, edit.path) == edit.work_after:
                write.replace(repository.root, edit.path, edit.work_after, edit.work_before)
        plumbing.move_ref(
            repository, intent.ref, intent.old, intent.new, "engram: taken back, a note could not be written"
        )
        intents.drop(folder)
    except (EngramError, OSError) as error:
        raise CommitHalfMade(
            f"commit {intent.new[:12]} is made, and not every note could be written: {cause}",
            hint="see to the cause; the next engram command finishes the commit",
        ) from error


def _finish(repository: Repository, folder: str) -> str:
    """Finishes the intent that stands, if any: see ``recover``."""
    try:
        intent = intents.take(folder, write.inside)
    except intents.Damaged as error:
        raise CommitHalfMade(
            f"the record of an interrupted commit can't be read; it was moved to {intents.set_aside(folder)}",
            hint="`engram status` shows notes that differ from the last commit",
        ) from error
    if intent is None:
        return ""
    _, head = repository.head()
    write.sweep(repository.root, intent.paths, intent.pid)
    if not history.descends(repository, head, intent.new):
        intents.drop(folder)
        return "a commit was interrupted before it was made (or was taken back since); the store is as it was"
    changed = _catch_up(repository, head, intent)
    intents.drop(folder)
    if changed:
        raise CommitHalfMade(
            f"commit {intent.new[:12]} was interrupted, and is finished now but for what was changed since then and "
            f"left as it is: {', '.join(changed)}",
            hint="nothing is lost: the last commit holds the reviewed text, the folder yours. `engram status` names the"
            " notes, `engram review` adopts your edits; then try again",
        )
    return f"commit {intent.new[:12]} was interrupted; it is finished now"


def _catch_up(repository: Repository, head: str, intent: Intent) -> list[str]:
    """Brings files and index to where the commit left HEAD; returns the paths that were changed since the commit."""
    tracked = repository.entries(head, intent.paths)
    # a later commit of the user's own decides about the files it touched
    steps = [step for step in intent.steps if _held(tracked, step.path) == id_of(step.head_after, repository.blob_id)]
    changed = [step.path for step in steps if not _caught_up(repository, step)]
    with plumbing.scratch(repository.root) as folder:
        plumbing.write_blobs(repository, folder, texts_of(steps, repository.blob_id))
    _settle(repository, steps, tracked)
    return changed


def _settle(repository: Repository, steps: Sequence[Step], tracked: Mapping[str, Tracked]) -> None:
    """Lets the user's index follow for the plan's paths; what they staged since the plan was compared stays."""
    now = repository.index_entries([step.path for step in steps])
    staged.settle(repository, index_after(steps, tracked, now, repository.blob_id, lenient=True))


def _held(tracked: Mapping[str, Tracked], path: str) -> str:
    return tracked[path].id if path in tracked else ""


def _caught_up(repository: Repository, step: Step) -> bool:
    try:
        now = write.current(repository.root, step.path)
        if now == step.work_after:
            return True
        if id_of(now, repository.blob_id) != step.work_before:
            return False
        write.replace(repository.root, step.path, now, step.work_after)
    except NoteChanged:
        return False
    return True


@contextmanager
def _locked(repository: Repository) -> Iterator[str]:
    """Holds the store's lock, git's children too; gives the machine-local folder."""
    with hold(repository.root) as descriptor, repository.holding(descriptor):
        yield folder_of(repository.root)
