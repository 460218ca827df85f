"""Writes what something else knows better: docs/cli.md, errors.md, doctor.md, and the skills once more for Gemini CLI.

Gemini CLI copies the folder of an extension, and follows no link out of it. ``--check`` only compares.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from engram.cli.tree import group
from engram.doctor.table import GROUPS
from engram.errors import every_error

HERE = Path(__file__).parent
ROOT = HERE.parent

MEANINGS = {
    1: "You can fix this",
    2: "The command line is wrong",
    3: "Not approved; nothing was written",
    4: "The store moved; nothing was written",
    5: "The store needs mending",
    70: "A bug of engram's",
}

HELP = ("-h, --help", "Show this message and exit.")
"""Every command's; click makes it when a command is first run, and of the names that hold there."""

CLI_HEAD = """# Command line

Generated from the commands by `make docs`. Results go to stdout, words for people to stderr. Every command on a
store takes `--dir` for a folder of notes other than the project's or the user's. Exit statuses and error codes:
[errors.md](errors.md).
"""

ERRORS_HEAD = """# Errors

Generated from `engram/errors/` by `make docs`. The exit status says whose turn it is; codes never change, texts may.
With `--json` an error is `{"error": {"code", "message", "hint", "place"}}` on stdout. Besides these: 0 done, 130
interrupted. `engram pending add`, the hook, always exits 0.
"""


DOCTOR_HEAD = """# The doctor

Generated from `engram/doctor/table.py` by `make docs`. `engram doctor` examines a store and what is around it, and only
reads. It exits 0 where nothing has to be mended and 5 where something has; `--json` prints every finding with `code`,
`level`, `path`, `line`, `others`, `message`, `next` and `fix`. Codes never change, texts may.

- `error`: memory is at risk, or doesn't work. `warn`: should be mended. `info`: worth knowing, all is well.
- `engram doctor --fix` repairs at once what is derived or machine-local, and proposes the rest as one plan: asked about
  at a terminal, else it waits in `engram review` (exit status 3). Protected notes are left to their owner. In a folder
  that is not under git nothing is proposed.
- What it knows of projects (which store belongs to which repository) stands in `$ENGRAM_HOME/.engram/projects/`,
  recorded when a store is made, committed to, or examined.
"""


def commands(command: click.Command, name: str, above: click.Context | None = None) -> Iterator[click.Context]:
    """Yields a command and those below it, each as it runs below the others, in the order of ``--help``."""
    context = click.Context(
        command,
        above,
        info_name=name,
        **{**command.context_settings, "max_content_width": 10_000},
        terminal_width=10_000,
    )
    yield context
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            if below is not None and not below.hidden:
                yield from commands(below, each, context)


def cli_page() -> str:
    """Returns docs/cli.md."""
    lines = [CLI_HEAD]
    for context in commands(group(), "engram"):
        name, command = context.command_path, context.command
        lines += [f"## {name}", "", "```text", " ".join([name, *command.collect_usage_pieces(context)]), "```", ""]
        help_ = (command.help or "").replace("\b\n", "")
        lines += [paragraph(part) + "\n" for part in help_.split("\n\n") if part.strip()]
        options = [each for each in command.params if isinstance(each, click.Option)]
        rows = [record for each in options if (record := each.get_help_record(context))]
        lines += ["| option | |", "|---|---|"]
        lines += [f"| `{cell(option)}` | {cell(words)} |" for option, words in [*rows, HELP]]
        lines.append("")
        if isinstance(command, click.Group):
            lines += ["| command | |", "|---|---|"]
            for each in command.list_commands(context):
                below = command.get_command(context, each)
                if below is not None and not below.hidden:
                    anchor = f"{name} {each}".replace(" ", "-")
                    lines.append(f"| [`{each}`](#{anchor}) | {cell(below.get_short_help_str(200))} |")
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def errors_page() -> str:
    """Returns docs/errors.md."""
    lines = [ERRORS_HEAD]
    for status, meaning in MEANINGS.items():
        lines += [f"## {status}: {meaning}", "", "| code | meaning | what to do |", "|---|---|---|"]
        for kind in every_error():
            if kind.exit_status == status:
                meant = paragraph((kind.__doc__ or "").split("\n\n", 1)[0])
                lines.append(f"| `{kind.code}` | {cell(meant)} | {cell(kind.hint)} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def doctor_page() -> str:
    """Returns docs/doctor.md."""
    lines = [DOCTOR_HEAD]
    for title, checks in GROUPS:
        lines += [f"## {title}", "", "| code | meaning | what `--fix` does |", "|---|---|---|"]
        lines += [f"| `{check.code}` | {cell(check.meaning)} | {cell(check.fix)} |" for check in checks]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def paragraph(text: str) -> str:
    return " ".join(text.split())


def cell(text: str) -> str:
    return paragraph(text).replace("|", "\\|")


def pages() -> dict[str, str]:
    """Returns everything that is generated, by its path in the checkout."""
    skills = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("skills/*/SKILL.md"))]
    return {
        "docs/cli.md": cli_page(),
        "docs/errors.md": errors_page(),
        "docs/doctor.md": doctor_page(),
        **{f"extensions/gemini/{name}": (ROOT / name).read_text(encoding="utf-8") for name in skills},
    }


def main() -> int:
    """Writes them, or with ``--check`` returns 1 where one differs from what it would be."""
    stale = []
    for name, text in pages().items():
        path = ROOT / name
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        print(f"{' and '.join(stale)} differ from what they are made of: run `make docs`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
