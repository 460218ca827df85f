"""`engram curate apply`: a changeset becomes a commit once a person has read the diff and said yes."""

from __future__ import annotations

import click

from engram.app import proposals
from engram.app.proposals import Proposal
from engram.cli.gate import through, told
from engram.cli.source import changeset_text
from engram.cli.tree import Run, folder_option, json_option
from engram.curate import waiting
from engram.errors import GateRefused


@click.command("apply")
@click.argument("file", metavar="FILE|-", required=False, default="")
@folder_option
@click.option(
    "--auto-threshold",
    type=click.FloatRange(0, 1),
    default=None,
    metavar="T",
    help="Commit without asking where every change has this confidence and the user's own words behind it; "
    "only where gate.auto is on, and never under gate.auto_threshold.",
)
@click.option("--yes", is_flag=True, help="Commit a plan that a person has approved already; needs --plan.")
@click.option("--plan", "digest", default="", metavar="DIGEST", help="The approved plan.")
@click.option("--token", default="", hidden=True, help="What a client's dialog adds to the command that it let pass.")
@json_option
@click.pass_obj
def command(
    run: Run,
    file: str,
    folder: str,
    auto_threshold: float | None,
    yes: bool,
    digest: str,
    token: str,
    as_json: bool,  # noqa: ARG001 - click names it
) -> None:
    """Show a changeset as a diff, ask, and commit it on a yes.

    Where no person can be asked (no terminal, or one that belongs to an agent), the plan waits for `engram review`
    and the exit status is 3.
    """
    if yes:
        _approved(run, file, folder, digest, token)
        return
    if digest or token or not file:
        raise click.UsageError("name a changeset FILE, or - for standard input; --plan goes with --yes")
    through(run, proposals.propose(run.context, changeset_text(run, file), folder=folder), auto_threshold)


def _approved(run: Run, file: str, folder: str, digest: str, token: str) -> None:
    if not digest:
        raise GateRefused(
            "--yes alone approves nothing: an approval belongs to one plan that a person has seen",
            "a person runs `engram review` in a terminal of their own",
        )
    proposal = _of_digest(run, file, folder, digest, token)
    if token:
        made = proposals.commit_allowed(run.context, proposal, digest, token)
    else:
        made = proposals.commit_approved(run.context, proposal, digest)
    told(run, "committed" if made else "released", made, len(proposal.plan.lines), proposal)


def _of_digest(run: Run, file: str, folder: str, digest: str, token: str) -> Proposal:
    """Returns the plan to commit. An approval is looked for first: without one nothing is read at all."""
    if token:
        if proposals.require_token(run.context, token) != digest:
            raise GateRefused("this token is for another plan", "the person decides, about each plan by itself")
    else:
        proposals.require_approval(run.context, digest)
    if file:
        return proposals.propose(run.context, changeset_text(run, file), folder=folder)
    return proposals.again(run.context, waiting.find(run.context.folder("review"), digest))
