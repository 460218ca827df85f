"""What is around the store: settings, folders that are kept in step with elsewhere, a second store under Windows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding

_SYNCED = (
    ("Dropbox", re.compile(r"dropbox(?: \(.+\))?", re.IGNORECASE)),
    ("OneDrive", re.compile(r"onedrive(?: - .+|-.+)?", re.IGNORECASE)),
    ("Google Drive", re.compile(r"(?:google ?drive(?:-.+)?|my drive|googledrive-.+)", re.IGNORECASE)),
    ("iCloud", re.compile(r"(?:icloud ?drive|com~apple~clouddocs|mobile documents)", re.IGNORECASE)),
    ("Box", re.compile(r"(?:box sync|box-box)", re.IGNORECASE)),
    ("Nextcloud", re.compile(r"(?:nextcloud|owncloud)", re.IGNORECASE)),
    ("a cloud service", re.compile(r"cloudstorage", re.IGNORECASE)),
)
"""Services, and what the folder that each keeps in step is called, on any platform."""


def synced(facts: Facts) -> Iterator[Finding]:
    service = keeper_of(facts.root, facts.around.synced)
    if facts.exists and service:
        words = f"the store lies in a folder that {service} keeps in step: your memory goes to that account too"
        do = "move the store and set ENGRAM_HOME, unless you chose this; two machines that write at once can break git"
        yield Finding("store-synced", "warn", words, facts.root, next=do)


def keeper_of(path: str, known: Mapping[str, str]) -> str:
    """Returns the service that keeps a folder in step by its name or by its own word (``known``); "" for none."""
    plain = path.replace("\\", "/").rstrip("/")
    for root, service in known.items():
        top = root.replace("\\", "/").rstrip("/")
        if top and (plain == top or plain.casefold().startswith(f"{top.casefold()}/")):
            return service
    for part in plain.split("/"):
        for service, pattern in _SYNCED:
            if pattern.fullmatch(part):
                return service
    return ""


def second_store(facts: Facts) -> Iterator[Finding]:
    """Yields a store on the Windows side of a Linux that runs under Windows. Which one holds is the person's word."""
    if not facts.around.wsl or facts.scope != "user":
        return
    for path in facts.around.windows_stores:
        if path != facts.root:
            words = f"a second store stands on the Windows side: {path}; agents there and here remember apart"
            do = f"`export ENGRAM_HOME={path}` in your shell's profile makes this side use that one"
            yield Finding("second-store", "info", words, path, next=do)


def config_invalid(facts: Facts) -> Iterator[Finding]:
    for file in facts.configs:
        if file.trouble and not file.newer:
            yield Finding("config-invalid", "error", file.trouble, file.path, next="mend or remove the file")


def config_newer(facts: Facts) -> Iterator[Finding]:
    for file in facts.configs:
        if file.newer:
            yield Finding("config-newer", "error", file.trouble, file.path, next="update engram")


def config_unknown(facts: Facts) -> Iterator[Finding]:
    for file in facts.configs:
        if file.unknown:
            words = f"settings that engram doesn't know, kept as they are: {', '.join(file.unknown)}"
            yield Finding("config-unknown", "info", words, file.path, next="`engram config get` lists those it knows")
