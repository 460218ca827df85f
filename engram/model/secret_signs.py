"""A cheap first look for secrets: tells texts that can't hold one from those that have to be scanned.

:mod:`engram.model.secrets` compiles some two hundred patterns before its first scan, which costs a hook more than all
the rest of its work. Most notes have neither a word that goes with a secret nor a run of signs that could be one.

On the hot path of the prompt hook: the standard library alone, and little of it.
"""

from __future__ import annotations

from itertools import pairwise

_ALONE = (
    "passw passphrase passcode pwd psw kennwort contrase mdp senha wachtwoord senord lösenord haslo hasło parola парол "
    "密码 密碼 口令 パスワード 비밀번호 şifre sifre sshpass service_account contribsys -----begin zugangsdaten логин "
    "authorization a3-"
)
_PHRASES = ("mot de passe", "mot_de_passe", "log in with", " -token", " --token", " -secret", " --secret")
_SIGNED = ("pass", "pw", "clave", "cred", "creds", "login", "logins", "credentials", "auth")
"""Words that give a secret away where a sign follows them."""
_NEAR = (
    "key token secret credential bearer auth schlüssel schlussel ключ токен секрет clé clave chave chiave 密钥 令牌 "
    "トークン api"
)
"""Words beside which a shorter run of letters and digits may be a secret."""
_OPTIONS = (" -u", " --user", " --auth", " -a", " -p", " --pass", " --api", " --access")
_TOOLS = ("curl", "wget", "http ", "https ", "httpie", "mysql", "mariadb", "login")
_RUN = r"[A-Za-z0-9]{7,}"
_LONG = 16
_SHORT = 8
_WORDS = tuple(_ALONE.split())
_BESIDE = tuple(_NEAR.split())


def may_hold_secret(text: str) -> bool:
    """Tells whether a text has to be scanned for secrets; False only where :func:`engram.model.secrets.scan` would
    find none but with patterns of the user's own."""
    lowered = text.lower()
    if any(word in lowered for word in _WORDS) or any(phrase in lowered for phrase in _PHRASES):
        return True
    if ("://" in text and "@" in text) or any(_signed(word, lowered) for word in _SIGNED):
        return True
    if any(tool in lowered for tool in _TOOLS) and any(option in lowered for option in _OPTIONS):
        return True
    if "kind" in lowered and "secret" in lowered and "data" in lowered:
        return True
    if not text.isascii() and _conceals(text):
        return True
    beside = any(word in lowered for word in _BESIDE) or _made(lowered)
    return any(_random(chunk, beside) for chunk in text.split() if len(chunk) >= _SHORT)


def _signed(word: str, lowered: str) -> bool:
    at = lowered.find(word)
    while at >= 0:
        behind = lowered[at + len(word) : at + len(word) + 8]
        if any(sign in behind for sign in ":=/→：>"):
            return True
        at = lowered.find(word, at + 1)
    return False


def _made(lowered: str) -> bool:
    """Tells whether a text names a maker whose keys have no shape of their own."""
    from engram.model.secret_rules import PROVIDERS  # noqa: PLC0415 - texts with a plainer sign need none

    return any(maker in lowered for maker in PROVIDERS)


def _random(chunk: str, beside: bool) -> bool:
    """Tells whether a run of signs without white space could be a key: long, and no words."""
    digits = any(char.isdigit() for char in chunk)
    if beside and (digits or len(chunk) >= 24) and any(char.isalpha() for char in chunk):
        return True
    if len(chunk) < _LONG:
        return False
    import re  # noqa: PLC0415 - most texts have no such run

    return any(_mixed(run) for run in re.findall(_RUN, chunk))


def _mixed(run: str) -> bool:
    """Tells whether a run of letters and digits is longer than a name, changes between the two twice, or between cases
    as no name does."""
    if len(run) >= 30:
        return True
    kinds = ["0" if char.isdigit() else "a" for char in run]
    if sum(one != other for one, other in pairwise(kinds)) >= 2:
        return True
    cases = sum(one.islower() != other.islower() for one, other in pairwise(run))
    return len(run) >= 16 and cases >= len(run) // 3


def _conceals(text: str) -> bool:
    """Tells whether a text has characters that can't be seen, which may stand within a secret."""
    import unicodedata  # noqa: PLC0415 - English needs none

    return any(unicodedata.category(char) == "Cf" for char in set(text))
