"""`engram edit`: a note's text as a person writes it."""

from __future__ import annotations

import click

from engram.app import proposals
from engram.cli.acting import reach
from engram.cli.gate import through
from engram.cli.source import body_text
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.errors import ApprovalNeeded, FrontmatterBroken, NoteProtected
from engram.model.act import Act
from engram.store.frontmatter import parse


@click.command("edit")
@click.argument("name")
@click.option("--body-file", "file", default="", metavar="FILE", help="The new body; - for standard input.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, name: str, file: str, folder: str, scope: str | None, as_json: bool) -> None:
    """Change a note: its whole text in your editor, or its body from a file. You see the diff first."""
    store, snapshot, note = reach(run, name, folder, scope)
    if note.protected:
        raise NoteProtected(f"{note.name} is protected", place=note.path)
    if file:
        act = Act("EDIT", note.path, note.base, body=body_text(run, file))
    else:
        if run.ui.alone:
            raise ApprovalNeeded(f"nobody can edit here: {run.ui.alone}", "give the body with --body-file")
        text = run.ui.edit(snapshot.work[note.path], note.path, run.context.prepared("review"))
        if text is None:
            run.ui.json({"result": "nothing"}) if as_json else run.ui.say("left as it was")
            return
        act = Act("EDIT", note.path, note.base, text=as_note(text, note.path))
    through(run, proposals.propose_acts(run.context, store, [act]))


def as_note(text: bytes, path: str) -> str:
    """Returns an edited text. Raises FrontmatterBroken where no note can be read from it any more."""
    read, findings = parse(text, path)
    if read is None:
        raise FrontmatterBroken(f"that text can't stand: it {findings[0].message}", place=path)
    return text.decode("utf-8")
