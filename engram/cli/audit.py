"""`engram audit`: what went round the door."""

from __future__ import annotations

import click

from engram.app.audit import WORDS, audit, strays
from engram.cli.tree import Run, folder_option, json_option, scope_option


@click.command("audit")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, folder: str, scope: str | None, as_json: bool) -> int:
    """Check every commit of a store against the approval that is on record for it.

    A yes that came through a client is looked up again, in the session's transcript and among the tokens of dialogs.
    Exits 1 where a commit differs from what was approved, was made without engram, or rests on a yes that nothing shows
    any more; and where an approval lies there that nobody can have given.
    """
    store = run.open_store(folder, scope or "")
    found, left = audit(run.context, store), strays(run.context, store)
    bad = [*left, *(one for one in found if one.verdict in {"mismatch", "outside", "unproven"})]
    if as_json:
        rows = [
            {
                "commit": one.entry.commit,
                "at": one.entry.at,
                "subject": one.entry.subject,
                "verdict": one.verdict,
                "doubt": one.doubt,
                "by": one.approval.by if one.approval else dict(one.entry.trailers).get("Approved-By", ""),
                "via": one.approval.via if one.approval else dict(one.entry.trailers).get("Approved-Via", ""),
            }
            for one in found
        ]
        stray = [{"digest": one.approval.digest, "via": one.approval.via, "doubt": one.why} for one in left]
        run.ui.json({"commits": rows, "approvals": stray})
    else:
        for one in found:
            by = f" ({one.approval.by}, {one.approval.via})" if one.approval else ""
            run.ui.line(f"{one.entry.commit[:12]}  {one.verdict:9}  {one.entry.subject}")
            run.ui.line(f"    {WORDS[one.verdict]}{f': {one.doubt}' if one.doubt else ''}{by}")
        for stray_one in left:
            run.ui.line(
                f"approval {stray_one.approval.digest[:12]}  unspent  {stray_one.why}; left by a crash, or forged"
            )
    return 1 if bad else 0
