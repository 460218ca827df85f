"""What surrounds a git command: the variables it must not inherit, the settings it gets. Pure."""

from __future__ import annotations

from collections.abc import MutableMapping

LOCAL_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR", "GIT_REFERENCE_BACKEND",
)  # fmt: skip
"""What ``git rev-parse --local-env-vars`` lists: variables that name another repository, or a setting for one."""

OTHER_VARIABLES = (
    "GIT_QUARANTINE_PATH", "GIT_NAMESPACE", "GIT_ATTR_SOURCE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_DEFAULT_REF_FORMAT", "GIT_EXTERNAL_DIFF", "GIT_TEMPLATE_DIR",
)  # fmt: skip
"""Not on git's list; inherited from a hook or a script, they bend what a command means all the same."""

NEUTRAL = (
    "-c", "core.hooksPath=/dev/null",  # nothing can stand below it, while an empty folder can be filled
    "-c", "core.fsmonitor=false",
    "-c", "log.showSignature=false",
    "-c", "i18n.commitEncoding=UTF-8",
    "-c", "i18n.logOutputEncoding=UTF-8",
    "-c", "trailer.separators=:",
    "-c", "core.commentChar=#",  # git reads no line as a trailer that begins with the user's own
    "-c", "core.commentString=#",
    "-c", "diff.orderFile=/dev/null",  # one that isn't there stops every log
    "--no-pager",
    "--literal-pathspecs",
)  # fmt: skip
"""Options before every command: no hook, no monitor, no program to check signatures, UTF-8."""

ADDED = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
"""Variables of every command. Reading never locks the user's index."""


def scrub(env: MutableMapping[str, str]) -> None:
    """Removes the variables that would send git to another repository; sets ``GIT_NO_REPLACE_OBJECTS``.

    ``GIT_CONFIG_GLOBAL``, ``GIT_CONFIG_NOSYSTEM`` and ``GIT_SSH*`` stay: they are the user's settings.
    """
    for name in (*LOCAL_VARIABLES, *OTHER_VARIABLES):
        env.pop(name, None)
    env["GIT_NO_REPLACE_OBJECTS"] = "1"
