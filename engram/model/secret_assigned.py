"""Secrets that only their place gives away: assigned to a name, put into a URL, a header or a command line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engram.model.secret_rules import PROVIDERS
from engram.model.secret_values import entropy, is_password, is_token, stands_for_another

_FIRST = (
    r"pass(?:word|wd|phrase|code|wort)|pwd|psw|kennwort|contrase[ñn]a|mot[ _]de[ _]passe|mdp|senha|wachtwoord|l[öo]senord"
    r"|has[łl]o|parola|пароль|паролем|пароля|密码|密碼|口令|パスワード|비밀번호|şifre|sifre|(?<![a-z])pass(?=[\"'`*_]{0,3}[ \t]{0,3}[:=])"
    r"|(?<![a-z])pw(?=[\"'`*_]{0,3}[ \t]{0,3}[:=])|(?<![a-z])clave(?=[\"'`*_]{0,3}[ \t]{0,3}[:=])|(?<![a-z])creds?(?=[ \t]{0,3}[:=])"
)
_KEY = (
    r"(?:api|access|secret|private|encryption|signing|master|auth|license|licence|storage|account|deploy|service|app"
    r"|application|webhook|bot|client|consumer|shared|session|admin|jwt|hmac|cipher|root|server)[ _.-]?key"
    r"|[ _-]?api[ _-]?key|secret|token|credential|bearer|auth(?=[\"'`]{0,2}[ \t]{0,3}[:=])|ключ[ _]api|токен|секрет"
    r"|key(?=[\"'`]{0,2}[ \t]{0,3}[:=])|api[ _-]?schl[üu]ssel|cl[ée] api|clave api|chave api|chiave api|密钥|令牌|トークン"
)
_NAME = re.compile(
    rf"(?P<password>{_FIRST})|(?P<key>{_KEY})|(?<![a-z])(?P<maker>{'|'.join(sorted(PROVIDERS, key=len, reverse=True))})"
)
_LINK = re.compile(
    r"(?P<tail>[\w.-]{0,24})"
    r"(?:[ \t]{1,3}(?:for|of|to|in|on|at|für|von|zu|для|от|к|para|del?|pour|du|per|di|da|do)[ \t]{1,3}[\w.@/-]{1,30}(?:[ \t][\w.-]{1,20}){0,2})?"
    r"(?:[ \t]?\([^()\n]{1,30}\))?[\"'`*_\])»”]{0,3}"
    r"(?:[ \t]{0,3}:[ \t]{0,2}(?:string|str|text|&str)(?=[ \t]{0,3}=))?"
    r"(?:[ \t]{1,3}(?:string|str)(?=[ \t]{0,3}:?=))?"
    r"(?:[ \t]{0,6}(?P<sign>=>|->|→|:{1,3}=|\|\|=?|[?+.]=|={1,3}|：|:{1,2}|>[ \t]{0,2}\n?|,(?=[ \t]{0,3}[\"'`]))"
    r"|[ \t]{1,3}(?P<verb>is|=|was|ist|lautet|es|est|é|è|это|:|—|–|-|value=|равен|jest)(?=[ \t]))"
    r"[ \t=]{0,6}(?:[*_]{2,3}[ \t]?)?(?P<scheme>(?:bearer|basic|token|bot)[ \t]{1,3})?"
)
_QUOTED = re.compile(r"(?P<quote>\\?[\"'`“«„]|&quot;)(?P<value>[^\"'`“”«»\n]{1,400}?)\\?[\"'`”»]|&quot;")
_BARE = re.compile(r"[^\s\"'`<>|,;“”«»]{1,400}")
_NOT_SECRET = re.compile(
    r"(?i)(?:id|ids|name|names|url|uri|file|path|length|len|size|version|type|hash|count|limit|budget|prefix|suffix|format"
    r"|class|policy|store|field|manager|provider|endpoint|scope|env|arn|hint|column|label|regex|pattern|expir\w*|ttl|date"
    r"|at|ref|identifier|rotation|algorithm|alg|index|usage|param|header|var|variable)$"
)
_PUBLIC = re.compile(
    r"(?i)(?:public|pub|csrf|xsrf|next|page|continuation|cursor|cancellation|idempotency|cache|sync|no|max|total|primary|foreign)[ _.-]?$"
)
_URL = re.compile(
    r"(?<![\w+.-])[A-Za-z][\w+.-]{1,20}://(?P<user>[^\s/:@\"'<>`]{0,80}):(?P<value>[^\s/@\"'<>`]{2,200})@(?=[\w\[$({.-])"
)
_HEADER = re.compile(
    r"(?i)\b(?:proxy-)?authorization[\"']?[ \t]{0,3}[:=,][ \t]{0,5}[\"'`]?(?:(?:bearer|basic|token|api-?token|apikey|key|bot|digest|negotiate)[ \t]{1,3})?"
    r"(?P<value>[\w=~@.+/:-]{8,2000})"
    r"|\bx-(?:[a-z]{1,20}-){0,3}(?:api-?)?(?:key|token|secret)[\"']?[ \t]{0,3}[:=,][ \t]{0,5}[\"'`]?(?P<other>[\w=~@.+/-]{8,400})"
    r"|\bbearer[ \t]{1,3}(?P<bearer>[\w=~.+/-]{16,2000})"
)
_COMMAND = re.compile(
    r"\b(?:curl|wget|http|https|httpie)\b[^\n]{0,300}?[ \t](?:-u|--user|--auth|-a)[ =]?[ \t]{0,3}[\"']?[^\s:\"']{1,80}[\"']?:[\"']?(?P<user>[^\s\"']{3,200})"
    r"|\bsshpass\b[ \t]{1,3}-p[ \t]{0,3}[\"']?(?P<sshpass>[^\s\"']{3,200})"
    r"|\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,120}?[ \t]-p(?P<mysql>[^\s\"'=-][^\s\"']{2,100})"
    r"|\b(?:docker|podman|helm|az|oc|nerdctl)\b[^\n]{0,60}?\blogin\b[^\n]{0,120}?[ \t](?:-p|--password)[ =]?[ \t]{0,3}[\"']?(?P<login>[^\s\"'-][^\s\"']{3,200})"
    r"|\b(?:[Uu]se|using|with|[Ee]nter|[Tt]ype)[ \t]{1,3}(?:the[ \t]{1,3})?(?:\w{1,12}[ \t]{1,3})?(?:password|passphrase|passwort|пароль)[ \t]{1,3}[\"'`]?(?P<sentence>[^\s\"'`:=,;]{5,100})"
    r"|[ \t]--?(?:password|passwd|pass|token|api-?key|secret|auth-?token|access-?token)[ \t]{1,3}[\"']?(?P<option>[^\s\"'<>-][^\s\"'<>]{3,400})"
    r"|\b(?:login|logins|credentials|creds|log in with|zugangsdaten|логин)\b[ \t]{0,2}[:=]?[ \t]{0,3}[\"'`]?[\w.@+-]{2,60}[\"'`]?[ \t]{0,2}[/:][ \t]{0,2}[\"'`]?(?P<pair>[^\s\"'`/:,;]{4,100})"
)
_UUID_MAKERS = frozenset(("heroku", "hubspot", "snyk", "squarespace", "sendbird", "kucoin", "messagebird"))
"""Makers whose keys are UUIDs."""
_HIGH_WORDS = 40
"""How many characters before a name may belong to it."""


def assigned(text: str) -> Iterator[tuple[str, int, int]]:
    """Yields ``(rule, start, end)`` of values that their place makes secrets."""
    yield from _in_urls(text)
    yield from _in_headers(text)
    yield from _in_commands(text)
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    for name in _NAME.finditer(lowered):
        link = _LINK.match(lowered, name.end())
        if link is None:
            continue
        value = _value_at(text, link.end())
        if value is None:
            continue
        rule = _judged(text, name, link, *value)
        if rule:
            yield (rule, value[0], value[1])


def _value_at(text: str, place: int) -> tuple[int, int, bool] | None:
    """Returns where the value that begins here starts and ends, and whether it stands alone."""
    quoted = _QUOTED.match(text, place)
    if quoted and quoted["value"]:
        return quoted.start("value"), quoted.end("value"), True
    if text.startswith(('"', "'", "`"), place):
        place += 1  # the quote that closes it stands on another line, or nowhere
    bare = _BARE.match(text, place)
    if bare is None:
        return None
    value = re.split(r"&\w+=|\\[nr]|[.:)\]]+$", bare[0], maxsplit=1)[0]
    if text.startswith(("...", "…"), place + len(value)):
        return None
    rest = text[place + len(value) : place + len(bare[0]) + 3].split("\n", 1)[0]
    return place, place + len(value), not rest.strip(" \t.;,)\"'`*_")


def _judged(text: str, name: re.Match[str], link: re.Match[str], start: int, end: int, alone: bool) -> str:
    """Returns the rule that the value breaks; "" where it is no secret."""
    value, tail = text[start:end], link["tail"]
    before = re.split(r"[\s\"'`=:,;(]", text[max(0, name.start() - _HIGH_WORDS) : name.start()])[-1]
    if (tail and _NOT_SECRET.search(tail)) or _PUBLIC.search(before):
        return ""
    if name["password"]:
        if link["verb"] and not _is_striking(value, alone):
            return ""
        return "password" if is_password(value, alone=alone and not link["verb"]) else ""
    if link["sign"] and link["sign"].startswith(">") and not (before or tail):
        return ""
    if name["key"]:
        plain = name["key"] == "key" or not link["sign"]
        return "assigned-secret" if is_token(value, least=24 if plain else 10, uuid=not tail and not plain) else ""
    return (
        f"{name['maker']}-key"
        if link["sign"] and is_token(value, least=14, bits=2.9, uuid=bool(tail) or name["maker"] in _UUID_MAKERS)
        else ""
    )


def _is_striking(value: str, alone: bool) -> bool:
    """Tells whether a word in a sentence can be nothing but a password: quoted, or of letters, digits and signs."""
    return (
        len(value) >= 6
        and any(char.isdigit() or char in "!#$%&*+=?@^~" for char in value)
        and (alone or len(value) >= 7)
    )


def _in_urls(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _URL.finditer(text):
        value = match["value"]
        plain = value.casefold()
        known = plain in {
            "password",
            "pass",
            "passwd",
            "pwd",
            "pw",
            "user",
            "username",
            "admin",
            "root",
            "guest",
            "postgres",
            "test",
            "changeme",
            "port",
        }
        if not (
            known
            or plain == match["user"].casefold()
            or stands_for_another(value)
            or re.search(r"[${}%]\w|\{", value)
            or len(set(value)) < 3
        ):
            yield ("password-in-url", match.start("value"), match.end("value"))


def _in_headers(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _HEADER.finditer(text):
        group = match.lastgroup or "value"
        if _is_random(match[group]):
            yield ("authorization-header", match.start(group), match.end(group))


def _is_random(value: str) -> bool:
    return (
        entropy(value) >= 2.75
        and any(char.isdigit() for char in value)
        and not stands_for_another(value)
        and (is_token(value, least=8, uuid=True, bits=2.75) or len(value) > 60)
    )


def _in_commands(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _COMMAND.finditer(text):
        group = match.lastgroup or "user"
        value = match[group].rstrip(".,;)")
        if is_password(value, alone=group not in ("pair", "option")) and (
            group != "sentence" or _is_striking(value, alone=True)
        ):
            yield (
                "password" if group in ("pair", "sentence") else "password-on-command-line",
                match.start(group),
                match.start(group) + len(value),
            )
