"""`engram audit`: what went round the door."""

from __future__ import annotations

import click

from engram.app.audit import WORDS, audit
from engram.cli.tree import Run, folder_option, json_option, scope_option


@click.command("audit")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, folder: str, scope: str | None, as_json: bool) -> int:
    """Check every commit of a store against the approval that is on record for it.

    Exits 1 where a commit differs from what was approved, or was made without engram.
    """
    found = audit(run.context, run.open_store(folder, scope or ""))
    bad = [one for one in found if one.verdict in {"mismatch", "outside"}]
    if as_json:
        rows = [
            {
                "commit": one.entry.commit,
                "at": one.entry.at,
                "subject": one.entry.subject,
                "verdict": one.verdict,
                "by": one.approval.by if one.approval else dict(one.entry.trailers).get("Approved-By", ""),
                "via": one.approval.via if one.approval else dict(one.entry.trailers).get("Approved-Via", ""),
            }
            for one in found
        ]
        run.ui.json({"commits": rows})
    else:
        for one in found:
            by = f" ({one.approval.by}, {one.approval.via})" if one.approval else ""
            run.ui.line(f"{one.entry.commit[:12]}  {one.verdict:9}  {one.entry.subject}")
            run.ui.line(f"    {WORDS[one.verdict]}{by}")
    return 1 if bad else 0
