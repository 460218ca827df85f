"""The programs that a command line is judged by: which run others, which open a terminal, whose words are only prose.

On the hot path of a tool's hook, where a command names engram: tables and nothing else.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "fish", "busybox", "pwsh", "powershell", "cmd", "eval", "wsl"))
SHELL_CODE = frozenset(("-c", "/c", "/k", "-command", "-lc", "-ic", "-ec", "-xc", "-lic", "-encodedcommand"))
INTERPRETERS = (
    "python", "pypy", "node", "deno", "bun", "perl", "ruby", "php", "awk", "gawk", "lua", "osascript", "tclsh",
)  # fmt: skip
"""By the beginning of their names: ``python3.12`` is one."""
WRAPPERS: Mapping[str, tuple[str, ...]] = {
    "sudo": ("-u", "-g", "-h", "-p", "-C", "-r", "-t"), "doas": ("-u", "-C"), "nohup": (), "setsid": (),
    "time": ("-f", "-o"), "command": (), "exec": ("-a",), "builtin": (), "nice": ("-n",), "ionice": ("-c", "-n", "-p"),
    "stdbuf": ("-i", "-o", "-e"), "timeout": ("-s", "-k", "--signal", "--kill-after"), "gtimeout": ("-s", "-k"),
    "xargs": ("-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E"), "watch": ("-n", "--interval"),
    "env": ("-u", "--unset", "-C", "--chdir"), "strace": ("-e", "-o", "-p", "-s"),
    "uvx": ("--from", "--with", "-p", "--python"),
    "uv": ("--with", "-p", "--python", "--from", "--project", "--directory"), "pipx": ("--spec", "--python"),
    "poetry": ("-C", "-P"), "hatch": ("-e",), "start": (), "call": (), "then": (), "do": (), "else": (), "if": (),
    "while": (), "until": (), "!": (), "{": (), "start-process": (), "iex": (), "flock": ("-w",), "chrt": (),
    "taskset": ("-c",), "unshare": (), "caffeinate": (), "parallel": ("-j",), "coproc": (), "invoke-expression": (),
}  # fmt: skip
"""Programs that run the program behind them, with their options that have a value."""
THROUGH = {"uv": ("run", "tool"), "pipx": ("run",), "poetry": ("run",), "hatch": ("run",)}
PTY = frozenset((
    "script", "expect", "unbuffer", "autoexpect", "dtach", "abduco", "reptyr", "faketty", "winpty", "ttyrec",
    "asciinema", "zellij", "tmux", "screen", "socat", "conpty", "sshpass", "empty", "rlwrap", "systemd-run",
))  # fmt: skip
"""Programs that give another one a terminal, or type into one."""
PTY_CODE = ("pty", "pexpect", "ptyprocess", "openpty", "forkpty", "winpty", "node-pty", "posix_openpt", "expect")
TEXT_OF = {
    "git": ("-m", "--message", "-F", "--grep", "-S", "-G", "--author", "--trailer", "--body"),
    "gh": ("-b", "--body", "-t", "--title", "-n", "--notes", "-m", "-S", "--search", "-q", "--jq"),
    "glab": ("-d", "--description", "-t", "--title", "-m"), "hub": ("-m", "--message"), "jj": ("-m", "--message"),
    "hg": ("-m", "--message"), "svn": ("-m", "--message"),
}  # fmt: skip
"""Options whose value is prose or a pattern and names no file."""
SAYING = frozenset(("echo", "printf", "write-output", "write-host", ":"))
SEARCHING = frozenset(("grep", "egrep", "fgrep", "rg", "ag", "ack", "select-string", "findstr", "sed"))
UNSETTING = frozenset(("unset", "remove-item", "ri", "del", "clear-item", "remove-variable"))
OFF = frozenset(("", "0", "false", "no", "off"))
"""Values with which a variable counts as not set."""
