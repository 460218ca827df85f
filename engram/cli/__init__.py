"""The terminal. Commands live in a table; nothing of a command is imported before it runs."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from engram import errors
from engram.errors import CommandLine

if TYPE_CHECKING:
    from engram.app.context import Context
    from engram.cli.ui import Ui


class Row(NamedTuple):
    """Is one command: its words, the module that holds it as ``command``, and its line in the help."""

    words: str
    module: str
    line: str


COMMANDS: tuple[Row, ...] = (
    Row("init", "init", "Make a store, or put a folder of notes under git."),
    Row("adapt", "adapt", "Put engram into an agent's settings, or take it out of them."),
    Row("where", "where", "Say which stores belong to this place, and why."),
    Row("status", "status", "Say what waits, what nobody reviewed, what was interrupted."),
    Row("list", "list_notes", "List the notes."),
    Row("show", "show", "Show one note."),
    Row("recall", "recall", "Search memory, and say why a note was found."),
    Row("index", "index", "Bring the index that recall searches up to date."),
    Row("log", "log", "Show the commits of memory, or of one note, with who approved them."),
    Row("blame", "blame", "Show which session taught which line of a note."),
    Row("why", "why", "Show what a note rests on."),
    Row("add", "add", "Write a note yourself."),
    Row("edit", "edit", "Change a note's text."),
    Row("pin", "pin", "Let a note hold for good."),
    Row("unpin", "unpin", "Give a pinned note the life span of its type."),
    Row("expire", "expire", "Set the last day on which a note holds."),
    Row("archive", "archive", "Put a note away, out of recall."),
    Row("restore", "restore", "Bring a note back from the archive."),
    Row("protect", "protect", "Let nothing change a note until you unprotect it."),
    Row("unprotect", "unprotect", "Let a protected note be changed again."),
    Row("reviewed", "reviewed", "Say that a note still holds."),
    Row("sweep", "sweep", "Propose to put away what has lapsed."),
    Row("purge", "purge", "Propose to remove what has lain in the archive long enough."),
    Row("review", "review", "Walk through the plans that wait, and commit what you accept."),
    Row("doctor", "doctor", "Examine a store: whether it is whole, and what mends it."),
    Row("undo", "undo", "Take a commit of memory back, as a new commit."),
    Row("undone", "undone", "List the texts that you undid in review, and bring one back."),
    Row("audit", "audit", "Check every commit against the approval on record."),
    Row("curate check", "curate_check", "Check a changeset and show what it would do; keep nothing."),
    Row("curate apply", "curate_apply", "Show a changeset as a diff, ask, and commit it."),
    Row("curate run", "curate_run", "Have an agent read the sessions that wait, and keep what it proposes."),
    Row("curate rejected", "curate_rejected", "List what was rejected, and why."),
    Row("curate schema", "curate_schema", "Print the JSON schema of a changeset."),
    Row("lesson applied", "lesson_applied", "Record that a lesson was applied."),
    Row("journal add", "journal_add", "Propose a journal entry of today."),
    Row("journal rollup", "journal_rollup", "Gather a month's entries, or propose their sum."),
    Row("hook", "hook", "Answer an agent's hook with what memory holds, or keep silent."),
    Row("mcp", "mcp", "Serve memory to an agent over the Model Context Protocol."),
    Row("pending add", "pending_add", "Queue a session, from a hook's JSON on stdin."),
    Row("pending list", "pending_list", "List the sessions that wait for curation."),
    Row("pending show", "pending_show", "Show what a curator needs of a session."),
    Row("pending clear", "pending_clear", "Let sessions go without curating them."),
    Row("config get", "config_get", "Show the settings."),
    Row("config set", "config_set", "Change a setting."),
    Row("demo", "demo", "Run the whole way once, in a store that is thrown away."),
)


def main(argv: Sequence[str] | None = None, *, context: Context | None = None, ui: Ui | None = None) -> int:
    """Runs one command. Returns its exit status (see `engram.errors`)."""
    from engram.app.context import real_context  # noqa: PLC0415 - imported when it is needed: hooks and --help start without it
    from engram.cli.ui import real_ui  # noqa: PLC0415 - imported when it is needed: hooks and --help start without it

    arguments = list(sys.argv[1:] if argv is None else argv)
    context = context or real_context()
    ui = ui or real_ui(context.env, json_asked="--json" in arguments)
    status = errors.EXIT_OK
    try:
        status = _ran(arguments, context, ui)
        ui.stdout.flush()
    except BrokenPipeError as error:  # whoever read the results left; what was refused is refused all the same
        if isinstance(error.__context__, errors.EngramError):
            status = error.__context__.exit_status
        _give_up(ui)
    return status


def _ran(arguments: list[str], context: Context, ui: Ui) -> int:
    import click  # noqa: PLC0415 - imported when it is needed: hooks and --help start without it

    from engram.cli.tree import Run, group  # noqa: PLC0415 - imported when it is needed: hooks and --help start without it
    from engram.model.visible import visible  # noqa: PLC0415 - imported when it is needed

    try:
        status = group().main(arguments, prog_name="engram", standalone_mode=False, obj=Run(context, ui))
    except errors.EngramError as error:
        return _told(error, ui)
    except click.ClickException as error:
        if ui.json_asked:
            return _told(CommandLine(error.format_message()), ui)
        shown = StringIO()
        error.show(file=shown)
        ui.stderr.write(visible(shown.getvalue()))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        words = str(error.__cause__ or error)  # click wraps the one in the other
        ui.say(f"interrupted; {words or 'nothing was written'}")
        return errors.EXIT_INTERRUPTED
    except BrokenPipeError:
        raise
    except OSError as error:
        return _told(_of_system(error), ui)
    except Exception:  # noqa: BLE001 - whatever else it is, it is our bug
        return _told(_bug(context), ui)
    return status if isinstance(status, int) else errors.EXIT_OK


def _told(error: errors.EngramError, ui: Ui) -> int:
    words = f"engram: {error.code}: {error.message}" + (f"\n  -> {error.hint}" if error.hint else "")
    try:
        ui.json(error.as_json()) if ui.json_asked else ui.say(words)
        ui.stdout.flush()
    except OSError:  # the disk behind the output is full: what can still be said is said, and the status tells
        _give_up(ui)
    return error.exit_status


def _give_up(ui: Ui) -> None:
    """Lets what is left of the output go, so that the end of the process doesn't stumble over it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), ui.stdout.fileno())


def _of_system(error: OSError) -> errors.EngramError:
    from engram.disk import named  # noqa: PLC0415 - imported when it is needed: hooks and --help start without it

    path = str(error.filename or "")
    known = named(error, path or "the file")
    if isinstance(known, errors.EngramError):
        return known
    return errors.InputUnreadable(f"{path + ': ' if path else ''}{error.strerror or error}", place=path)


def _bug(context: Context) -> errors.Bug:
    """Writes the traceback to a log of its own and returns the one line that names it."""
    from engram.disk import write_whole  # noqa: PLC0415 - imported when it is needed: hooks and --help start without it
    from engram.model.secrets import masked  # noqa: PLC0415 - imported when it is needed

    words = masked(traceback.format_exc())
    last = words.rstrip().rsplit("\n", 1)[-1]
    try:
        path = os.path.join(context.prepared("log"), f"bug-{context.now():%Y%m%dT%H%M%S}-{os.getpid()}.log")
        write_whole(path, words.encode("utf-8", "backslashreplace"))
    except Exception:  # noqa: BLE001 - whatever else it is, it is our bug
        return errors.Bug(f"this is a bug in engram: {last}", "please report it with the command that you ran")
    return errors.Bug("this is a bug in engram", f"please report it with {path}", path)
