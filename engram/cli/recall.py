"""`engram recall`: what memory holds about something, and why."""

from __future__ import annotations

from typing import Any

import click

from engram.app import asking
from engram.app.recalling import Hit
from engram.cli.tree import Run, json_option


@click.command("recall")
@click.argument("query", nargs=-1)
@click.option("-k", "most", type=click.IntRange(1, 100), default=5, show_default=True, help="Notes at most.")
@click.option("--budget", type=click.IntRange(1, 9500), default=None, help="Tokens at most (else as the settings say).")
@click.option("--dir", "folders", multiple=True, metavar="DIR", help="Search this folder of notes; may be given again.")
@click.option(
    "--scope",
    type=click.Choice(["project", "user", "all"]),
    default="all",
    help="The project's store, the user's, or both (the default).",
)
@click.option("--project", default="", metavar="NAME", help="Another project's store (else ENGRAM_PROJECT, else here).")
@click.option("--all-projects", is_flag=True, help="The stores of all projects.")
@click.option("--type", "kind", default="", metavar="TYPE", help="Only notes of this type.")
@click.option(
    "--neighbours", is_flag=True, help="Find what stands near a candidate, near duplicates and old notes marked."
)
@click.option("--at", default="", metavar="DATE|COMMIT", help="Search memory as it stood then.")
@click.option("--explain", is_flag=True, help="Show what each score is made of, and what stood just below the bar.")
@click.option("--last", is_flag=True, help="Show what the hook brought lately, and what it left out.")
@json_option
@click.pass_obj
def command(
    run: Run, /, query: tuple[str, ...], budget: int | None, explain: bool, last: bool, as_json: bool, **how: Any
) -> None:
    """Search memory for QUERY, in the project's store and the user's together.

    The bar is lower than the prompt hook's, and each note says how sure the match is. Without QUERY: what a session
    opens with here.
    """
    if last:
        _last(run, as_json)
        return
    how["folders"] = tuple(how["folders"])
    wanted = asking.Wanted(text=" ".join(query), **how)
    with asking.asked(run.context, wanted) as found:
        opening = not wanted.text.strip()
        made = asking.opened_with(run.context, found, budget or 0) if opening else asking.told(found, budget or 0)
        if as_json:
            run.ui.json({"query": wanted.text, **asking.shown(found), "packet": made.text})
            return
        if made.text:
            run.ui.out(made.text)
        elif found.hits:
            run.ui.say(f"no note fits into this budget; the best of {len(found.hits)} is {found.hits[0].row.name}")
        else:
            run.ui.say("memory holds nothing about that" if not opening else "there is nothing to open a session with")
        if explain:
            _explain(run, found)
        for words in (found.why and f"searched by words alone: {found.why}", found.unfinished):
            if words:
                run.ui.say(words)


def _explain(run: Run, found: asking.Found) -> None:
    run.ui.out("")
    for hit in found.hits:
        run.ui.out(_terms(hit))
    if found.below:
        run.ui.out("just below the bar:")
    for hit in found.below:
        run.ui.out(_terms(hit))


def _terms(hit: Hit) -> str:
    ranked = hit.ranked
    made = ", ".join(f"{name} {value:.3f}" for name, value in ranked.terms.items())
    word = "over" if hit.over else "below"
    return (
        f"{hit.row.name} ({hit.source.place.scope}): score {ranked.score:.3f} = {made}; "
        f"relevance {ranked.relevance:.3f}, {word} the hook's floor of {hit.floor:.3f}"
    )


def _last(run: Run, as_json: bool) -> None:
    entries = asking.lately(run.context, 10)
    if as_json:
        run.ui.json({"recalls": entries})
        return
    if not entries:
        run.ui.say("the hook has recalled nothing yet")
    for entry in entries:
        run.ui.out(f"{entry.get('at')}  {entry.get('prompt')}")
        rows = [*_rows(entry, "notes"), *_rows(entry, "below")]
        for row in rows:
            run.ui.out(
                f"    {row.get('name')}: {row.get('how')}; relevance {row.get('relevance')}, floor {row.get('floor')}, "
                f"score {row.get('score')}"
            )
        if not rows:
            run.ui.out("    nothing came near")


def _rows(entry: dict[str, object], key: str) -> list[dict[str, Any]]:
    found = entry.get(key)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []
