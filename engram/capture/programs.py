"""The programs that a command line is judged by: which run others, which open a terminal, whose words are only prose.

On the hot path of a tool's hook, where a command names engram: tables and nothing else.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SHELLS = frozenset((
    "sh", "bash", "rbash", "zsh", "dash", "ash", "ksh", "mksh", "yash", "fish", "csh", "tcsh", "nu", "xonsh", "elvish",
    "busybox", "pwsh", "powershell", "cmd", "eval", "wsl", "iex", "invoke-expression",
))  # fmt: skip
EVALUATING = frozenset(("eval", "iex", "invoke-expression"))
WINDOWS_SHELLS = frozenset(("cmd", "pwsh", "powershell"))
SHELL_CODE = frozenset(("-c", "/c", "/k", "-command", "-encodedcommand"))
INTERPRETERS = frozenset((
    "python", "pythonw", "pypy", "ipython", "node", "nodejs", "deno", "bun", "perl", "ruby", "php", "awk", "gawk",
    "mawk", "nawk", "lua", "luajit", "osascript", "tclsh",
))  # fmt: skip


def is_interpreter(program: str, among: frozenset[str] = INTERPRETERS) -> bool:
    """Tells whether a program is an interpreter of programs, whatever its version: ``python3.12`` is one."""
    return program.rstrip("0123456789.") in among


WRAPPERS: Mapping[str, tuple[str, ...]] = {
    "sudo": ("-u", "-g", "-h", "-p", "-C", "-r", "-t"), "doas": ("-u", "-C"), "nohup": (), "setsid": (),
    "time": ("-f", "-o"), "command": (), "exec": ("-a",), "builtin": (), "nice": ("-n",), "ionice": ("-c", "-n", "-p"),
    "stdbuf": ("-i", "-o", "-e"), "timeout": ("-s", "-k", "--signal", "--kill-after"), "gtimeout": ("-s", "-k"),
    "xargs": ("-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E"), "watch": ("-n", "--interval"),
    "env": ("-u", "--unset", "-C", "--chdir"), "strace": ("-e", "-o", "-p", "-s"),
    "uvx": ("--from", "--with", "-p", "--python"),
    "uv": ("--with", "-p", "--python", "--from", "--project", "--directory"), "pipx": ("--spec", "--python"),
    "poetry": ("-C", "-P"), "hatch": ("-e",), "start": (), "call": (), "then": (), "do": (), "else": (), "if": (),
    "elif": (),
    "while": (), "until": (), "!": (), "{": (), "start-process": (), "flock": ("-w",), "chrt": (),
    "taskset": ("-c",), "unshare": (), "caffeinate": (), "parallel": ("-j",), "coproc": (),
}  # fmt: skip
"""Programs that run the program behind them, with their options that have a value."""
THROUGH = {"uv": ("run", "tool"), "pipx": ("run",), "poetry": ("run",), "hatch": ("run",)}
PTY = frozenset((
    "script", "expect", "unbuffer", "autoexpect", "dtach", "abduco", "reptyr", "faketty", "winpty", "ttyrec",
    "asciinema", "zellij", "tmux", "screen", "socat", "conpty", "sshpass", "empty", "rlwrap", "systemd-run",
    "xterm", "uxterm", "urxvt", "rxvt", "konsole", "kitty", "alacritty", "foot", "ghostty", "wezterm", "wt",
    "terminator", "tilix", "kgx", "ptyxis", "terminology", "qterminal", "gnome-terminal", "xfce4-terminal",
    "mate-terminal", "lxterminal", "x-terminal-emulator",
))  # fmt: skip
"""Programs that give another one a terminal, or type into one."""
PTY_STDIN = frozenset(("script", "expect", "unbuffer"))
"""Those that run what they read."""
TYPING = ("send", "stuff", "paste", "set-buffer", "type", "keystroke", "write", "key", "inject")
"""By the beginning of a word: what makes one of these programs type."""
TYPISTS = frozenset((
    "tmux", "screen", "zellij", "kitty", "kitten", "wezterm", "xdotool", "ydotool", "dotool", "wtype", "osascript",
    "powershell", "pwsh", "byobu", "cliclick", "autohotkey",
))  # fmt: skip
LATER = frozenset(("at", "batch", "crontab"))
"""Programs that run later what they read."""
COMMANDS_IN = ("PAGER", "EDITOR", "ASKPASS", "COMMAND", "BROWSER")
"""How variables end whose value another program runs."""
HOMES = frozenset(("ENGRAM_HOME", "HOME", "USERPROFILE", "$env:ENGRAM_HOME", "$env:USERPROFILE"))
"""Variables that say where the settings are."""
PTY_CODE = ("pty", "pexpect", "ptyprocess", "openpty", "forkpty", "winpty", "node-pty", "posix_openpt", "expect")
TEXT_OF = {
    "git": ("-m", "--message", "-F", "--grep", "-S", "-G", "--author", "--trailer", "--body"),
    "gh": ("-b", "--body", "-t", "--title", "-n", "--notes", "-m", "-S", "--search", "-q", "--jq"),
    "glab": ("-d", "--description", "-t", "--title", "-m"), "hub": ("-m", "--message"), "jj": ("-m", "--message"),
    "hg": ("-m", "--message"), "svn": ("-m", "--message"),
}  # fmt: skip
"""Options whose value is prose or a pattern and names no file."""
SAYING = frozenset(("echo", "printf", "write-output", "write-host", ":"))
QUIET = SAYING | frozenset(TEXT_OF) | frozenset((
    "ls", "dir", "cat", "bat", "head", "tail", "less", "more", "wc", "cd", "pushd", "cp", "mv", "rm", "ln", "mkdir",
    "rmdir", "touch", "chmod", "chown", "stat", "file", "tree", "du", "diff", "cmp", "sort", "uniq", "cut", "jq", "yq",
    "which", "type", "where", "whereis", "hash", "man", "apropos", "basename", "dirname", "realpath", "readlink", "tar",
    "zip", "unzip", "rsync", "scp", "curl", "wget", "ps", "pgrep", "pkill", "killall", "pip", "pip3", "brew", "apt",
    "apt-get", "apt-cache", "pytest", "ruff", "mypy", "code", "cursor", "open", "for", "foreach", "case", "select", "[",
    "[[", "test", "grep", "egrep", "fgrep", "rg", "ag", "ack", "select-string", "findstr", "sed", "export", "declare",
    "local", "typeset", "readonly", "read", "return", "function", "get-content", "get-childitem", "get-command",
    "claude", "codex", "gemini", "copilot", "opencode", "notify-send", "say", "find", "fd", "fdfind",
))  # fmt: skip
"""Programs whose words are names and prose, and are not run."""
SEARCHING = frozenset(("grep", "egrep", "fgrep", "rg", "ag", "ack", "select-string", "findstr", "sed"))
UNSETTING = frozenset(("unset", "remove-item", "ri", "del", "clear-item", "remove-variable"))
OFF = frozenset(("", "0", "false", "no", "off"))
"""Values with which a variable counts as not set."""
