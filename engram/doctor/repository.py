"""Git under the store: whether a commit can be made, whether one was interrupted, what nobody reviewed."""

from __future__ import annotations

from collections.abc import Iterator

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding
from engram.doctor.store import STALE
from engram.model.counted import counted
from engram.model.snapshot import TOC


def _why(facts: Facts, code: str) -> Iterator[Finding]:
    if facts.exists and facts.git.why is not None and facts.git.why[0] == code:
        yield Finding(code, "warn", facts.git.why[1], next=facts.git.why[2])


def unversioned(facts: Facts) -> Iterator[Finding]:
    yield from _why(facts, "store-not-versioned")


def enclosed(facts: Facts) -> Iterator[Finding]:
    yield from _why(facts, "store-enclosed")


def git_missing(facts: Facts) -> Iterator[Finding]:
    yield from _why(facts, "git-missing")


def git_unusable(facts: Facts) -> Iterator[Finding]:
    """Yields any other reason: another owner, a bare or damaged repository."""
    known = ("store-not-versioned", "store-enclosed", "git-missing")
    if facts.exists and facts.git.why is not None and facts.git.why[0] not in known:
        yield Finding("git-unusable", "error", facts.git.why[1], next=facts.git.why[2])


def detached(facts: Facts) -> Iterator[Finding]:
    if facts.git.detached:
        words = "HEAD is detached: nothing is committed to the store before it is on a branch"
        yield Finding("git-detached-head", "warn", words, next="`git switch main` in the store")


def busy(facts: Facts) -> Iterator[Finding]:
    if facts.git.under_way:
        words = f"{facts.git.under_way} is under way in the store: nothing is committed before it is over"
        yield Finding("git-busy", "warn", words, next="finish or abort it in the store")


def nobody(facts: Facts) -> Iterator[Finding]:
    if facts.git.nobody is not None:
        message, hint = facts.git.nobody
        yield Finding("git-identity-missing", "warn", message, next=hint)


def filtered(facts: Facts) -> Iterator[Finding]:
    if facts.git.filtered:
        do = "`*.md !filter` in the store's .gitattributes takes the notes out of it"
        yield Finding("git-filtered", "warn", f"{facts.git.filtered}, which engram's commits do not", next=do)


def stale_locks(facts: Facts) -> Iterator[Finding]:
    for lock in facts.git.locks:
        if lock.age >= STALE:
            words = f"a lock of git's has stood for {counted(int(lock.age // 3600), 'hour')}; whoever took it is gone"
            yield Finding("stale-lock", "warn", words, lock.path, repair="clear-locks")


def half_made(facts: Facts) -> Iterator[Finding]:
    if facts.state.half_made:
        words = "a commit was interrupted; the next command that opens the store finishes it as well"
        yield Finding("commit-half-made", "error", words, facts.state.half_made, repair="finish-commit")


def damaged_intent(facts: Facts) -> Iterator[Finding]:
    if facts.state.damaged_intent:
        words = "the record of an interrupted commit could not be read and was put aside; notes may differ from HEAD"
        do = "`engram status` names notes that differ from the last commit; then remove the file"
        yield Finding("intent-damaged", "warn", words, facts.state.damaged_intent, next=do)


def unreviewed(facts: Facts) -> Iterator[Finding]:
    if not facts.snapshot.versioned:
        return
    paths = sorted(facts.snapshot.unreviewed, key=lambda path: (path == TOC, path))
    if paths:
        differ = "differs" if len(paths) == 1 else "differ"
        words = f"{counted(len(paths), 'file')} {differ} from the last commit: nobody reviewed what stands there"
        yield Finding("unreviewed", "info", words, paths[0], tuple(paths[1:]), next="`engram review`")
