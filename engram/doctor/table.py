"""The table of checks: each a code that stays, what it means, what ``--fix`` does, and the function that finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from engram.doctor import (
    around,
    contents,
    derived,
    files,
    hosts,
    likeness,
    links,
    names,
    origin,
    projects,
    repository,
    safety,
    spans,
    store,
    texts,
    waiting,
)
from engram.doctor.facts import Facts
from engram.doctor.finding import Finding, claimed, ordered


class Check(NamedTuple):
    """Is one row. ``fix``: what ``--fix`` does, in words; "" where it leaves it to a person."""

    code: str
    meaning: str
    fix: str
    find: Callable[[Facts], Iterable[Finding]]


class Group(NamedTuple):
    """Is the checks of one subject."""

    title: str
    checks: tuple[Check, ...]


_INDEX = "at once: makes the index anew, or brings it up to date"

GROUPS: tuple[Group, ...] = (
    Group(
        "The store",
        (
            Check("store-missing", "No store stands there.", "", store.missing),
            Check("store-read-only", "It can be read and not written to.", "", store.read_only),
            Check("store-not-versioned", "It is no git repository: read, never written.", "", repository.unversioned),
            Check("store-enclosed", "It lies in a repository that nobody chose.", "", repository.enclosed),
            Check(
                "store-synced", "A cloud service keeps its folder in step (by its name or its word).", "", around.synced
            ),
            Check("second-store", "Windows and the Linux under it have a store each.", "", around.second_store),
            Check("state-link", "`.engram`, or a file in it, is a link.", "", store.state_link),
            Check("state-tracked", "git tracks files of `.engram`.", "", store.state_tracked),
            Check(
                "state-unignored",
                "A folder of state doesn't keep itself out of git.",
                "at once: writes its `.gitignore`",
                store.state_unignored,
            ),
            Check(
                "leftover-files",
                "Temporary files of killed runs, an hour old or more.",
                "at once: removes them",
                store.leftovers,
            ),
            Check("archive-large", "The archive has over 500 notes or 5 MB.", "", store.archive_large),
            Check("conflicts-open", "Texts in `conflicts/` wait to be merged.", "", store.conflicts_open),
        ),
    ),
    Group(
        "Git",
        (
            Check("git-missing", "git is not installed, or too old.", "", repository.git_missing),
            Check("git-unusable", "git can't work in the store (owner, bare, damaged).", "", repository.git_unusable),
            Check("git-detached-head", "HEAD names no branch.", "", repository.detached),
            Check("git-busy", "A merge, rebase or the like is under way.", "", repository.busy),
            Check("git-identity-missing", "git doesn't know whose name to put on a commit.", "", repository.nobody),
            Check("git-filtered", "git would send notes through a program.", "", repository.filtered),
            Check(
                "stale-lock",
                "A lock of git's has stood for an hour or more.",
                "at once: removes it, if it still is the same",
                repository.stale_locks,
            ),
            Check(
                "commit-half-made",
                "A commit of engram's was interrupted.",
                "at once: finishes it, over bytes that are still those from before",
                repository.half_made,
            ),
            Check("intent-damaged", "The record of such a commit can't be read.", "", repository.damaged_intent),
            Check("unreviewed", "Files that differ from the last commit.", "", repository.unreviewed),
        ),
    ),
    Group(
        "Files and names",
        (
            Check("unreadable-file", "The system refuses to read it.", "", files.told("unreadable-file")),
            Check("unreadable-folder", "The system refuses to list it.", "", files.told("unreadable-folder")),
            Check("name-not-utf8", "A file's name is not UTF-8.", "", files.told("name-not-utf8")),
            Check("symlink", "A link is not followed.", "", files.told("symlink")),
            Check("no-regular-file", "A pipe, socket or device with a note's name.", "", files.told("no-regular-file")),
            Check("too-large", "Over 2 MB.", "", files.told("too-large")),
            Check("not-utf8", "The text is not UTF-8.", "", files.told("not-utf8")),
            Check("not-text", "It holds NUL characters.", "", files.told("not-text")),
            Check("frontmatter-unclosed", "The closing `---` is missing.", "", files.told("frontmatter-unclosed")),
            Check("frontmatter-missing", "Notes without frontmatter.", "", files.bare),
            Check("conflict-markers", "An unfinished merge stands in it.", "", files.told("conflict-markers")),
            Check(
                "yaml-invalid",
                "A field that is no YAML; it is read as the text that stands there.",
                "proposes that text in quotes, where it is one line",
                files.told("yaml-invalid"),
            ),
            Check("duplicate-key", "A field stands twice; the last one counts.", "", files.told("duplicate-key")),
            Check("stray-line", "A line that belongs to no field.", "", files.told("stray-line")),
            Check(
                "curly-quotes",
                "Typographic quotes that became part of a text.",
                "proposes the text without them",
                files.told("curly-quotes"),
            ),
            Check(
                "comment-in-value",
                "What follows ` #` in a name or description is lost.",
                "",
                files.told("comment-in-value"),
            ),
            Check("nested-toc", "A MEMORY.md below the top is no note.", "", files.told("nested-toc")),
            Check("case-collision", "Paths that some systems take for one.", "", files.told("case-collision")),
            Check("name-taken-twice", "Several notes of one name, regardless of case.", "", names.taken_twice),
            Check("name-odd", "Names that a new note could not have.", "", names.odd),
            Check("description-missing", "Notes without a description.", "", names.undescribed),
        ),
    ),
    Group(
        "MEMORY.md",
        (
            Check(
                "toc-missing",
                "There is none.",
                "proposes one with a line for each note that holds, where they fit",
                contents.missing,
            ),
            Check(
                "toc-unlisted",
                "A note that holds and that it doesn't list.",
                "proposes the line, where all of them fit",
                contents.unlisted,
            ),
            Check(
                "toc-dangling",
                "A line for a file that is not there.",
                "proposes to take the line out; a link in prose stays",
                contents.dangling,
            ),
            Check(
                "toc-over",
                "A line for an archived or invalidated note.",
                "proposes to take the line out",
                contents.over,
            ),
            Check("toc-crowded", "Near or over 200 lines or 25 kB: the rest is cut off.", "", contents.full),
        ),
    ),
    Group(
        "What notes say",
        (
            Check(
                "hash-drift",
                "`hash` is not that of the text: edited by hand.",
                "proposes the hash and `updated` anew",
                texts.hash_drift,
            ),
            Check("note-long", "Over 150 words, or as much in scripts without spaces.", "", texts.long_note),
            Check("description-long", "Over 120 characters.", "", texts.long_description),
            Check("part-missing", "A part that the note's type asks for.", "", texts.part_missing),
            Check("relative-date", "Words that mean another day tomorrow.", "", texts.relative_date),
            Check("secret", "A file of the store holds text shaped like a secret.", "", safety.secrets),
            Check("secret-waiting", "What waits (queue, review, rejections) holds one.", "", safety.waiting_secrets),
            Check("instruction-styled", "A note that reads like an order to its reader.", "", safety.instructions),
            Check("hidden-text", "Characters that can't be seen.", "", safety.hidden_text),
            Check("duplicate", "Notes with one and the same text.", "", likeness.same),
            Check("near-duplicate", "Notes that say almost the same.", "", likeness.near),
            Check("unsourced", "Notes without session, agent or evidence.", "", origin.unsourced),
            Check("never-recalled", "Not served in 50 sessions that searched the store.", "", origin.never_recalled),
        ),
    ),
    Group(
        "Links",
        (
            Check("link-dangling", "A name that no note has: legal, and worth writing.", "", links.dangling),
            Check("link-dead", "A link to a note that holds no more.", "", links.dead),
            Check("link-ambiguous", "A link that several notes answer to.", "", links.ambiguous),
            Check("relation-odd", "A relation of no known kind.", "", links.relation_odd),
            Check(
                "successor-missing",
                "An invalidated note whose successor is gone.",
                "proposes the day in its place",
                links.successor_missing,
            ),
        ),
    ),
    Group(
        "Life spans",
        (
            Check("lapsed", "Its day is over.", "proposes to archive it, as `engram sweep` does", spans.over),
            Check("lapsed-protected", "Its day is over, and it is protected.", "", spans.over_protected),
            Check("overdue", "Due for another look.", "", spans.unlooked),
            Check(
                "date-unreadable",
                "A day that is none.",
                "proposes it as YYYY-MM-DD, where year, month and day stand in that order",
                spans.unreadable_date,
            ),
            Check(
                "importance-unreadable",
                "No number from 1 to 10.",
                "proposes the nearest one, where it is a number",
                spans.unreadable_weight,
            ),
            Check(
                "archived-undated",
                "A note of the archive that doesn't say since when.",
                "proposes today",
                spans.undated,
            ),
        ),
    ),
    Group(
        "What waits",
        (
            Check("queue-old", "Sessions wait for 14 days or more.", "", waiting.queue_old),
            Check("queue-gone", "A queued session whose transcript is gone.", "", waiting.transcripts_gone),
            Check("review-old", "Plans wait for 7 days or more.", "", waiting.review_old),
            Check("review-gone", "A plan for a store that is gone.", "", waiting.stores_gone),
            Check("record-damaged", "A record in queue or review can't be read.", "", waiting.damaged),
        ),
    ),
    Group(
        "Recall and hooks",
        (
            Check("index-missing", "No index yet.", _INDEX, derived.missing),
            Check("index-old", "Of another version, or from another place.", _INDEX, derived.old),
            Check("index-damaged", "It can't be read.", _INDEX, derived.damaged),
            Check("index-behind", "Notes changed since.", _INDEX, derived.behind),
            Check("index-uncalibrated", "The relevance floor is not found yet.", _INDEX, derived.uncalibrated),
            Check("hook-faults", "Hooks noted faults in the last 7 days.", "", hosts.faults),
            Check("hook-missing", "An agent is here and runs no hook of engram's.", "", hosts.not_installed),
            Check("hook-version", "The plugin is of another version than engram.", "", hosts.other_version),
            Check("hook-silent", "A hook was never heard of, or not for 30 days.", "", hosts.unheard),
        ),
    ),
    Group(
        "Settings and projects",
        (
            Check("config-invalid", "A settings file doesn't hold what it must.", "", around.config_invalid),
            Check("config-newer", "A newer engram wrote it.", "", around.config_newer),
            Check("config-unknown", "Settings that engram doesn't know.", "", around.config_unknown),
            Check("project-mixed", "Two projects share the store.", "", projects.mixed),
            Check(
                "project-replaced",
                "The notes were written for another project.",
                "asks at a terminal whether they are this one's",
                projects.replaced,
            ),
            Check(
                "project-moved",
                "This project's notes stand where it was before.",
                "asks at a terminal, then links its place to them",
                projects.moved,
            ),
        ),
    ),
)

CHECKS: tuple[Check, ...] = tuple(check for group in GROUPS for check in group.checks)


def examined(facts: Facts) -> tuple[Finding, ...]:
    """Returns all that the checks find, the gravest first. Where nothing can be committed, nothing is offered."""
    return ordered(claimed(finding, facts) for check in CHECKS for finding in check.find(facts))
