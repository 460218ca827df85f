"""Tells a secret from what stands where a secret would: placeholders, code, paths, words."""

from __future__ import annotations

import math
import re
from collections import Counter

_FILLER = re.compile(r"[xX]{5}|\*{3}|\.{3}|…|•{3}|<[^<>]*>|\$\{|\{\{|%\(|#\{")
_STAND_IN = re.compile(
    r"(?i)placeholder|redacted|change[_-]?me|your[_-]|[_-]here\b|insert[_-]|replace[_-]|masked|dummy"
)
_PUT_IN = re.compile(
    r"(?i)example|sample|fake|todo|fixme|xxx|foobar|lorem|some[_-]|my[_-]|the[_-]|test[_-]?(?:key|token|secret|pass)"
    r"|(?:key|token|secret|password|passwd|pass)[_-]?(?:here|name|value|goes)|abcdefgh|12345678|01234567"
)
_CODE = re.compile(
    r"[(){}\[\]<>|\\]|^\$|\$[({]|^[\"'`%@&]|^(?:os|process|env|self|this|config|settings|args|ctx|req|request|params|options|secrets)\."
    r"|::|=>|->|^(?:https?|file|op|vault|ssm|arn|aws|secret|env|ref|gs|s3)://?|^arn:|^op:"
)
_PATH = re.compile(
    r"(?:^|[\s=])(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]*)*$|\.(?:md|py|js|ts|json|ya?ml|toml|env|pem|txt|sh|rs|go|cs|log)\b"
)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d{1,8}|v\d{1,3}|[a-z]{1,10}\d{1,2}|")
_SPLIT = re.compile(r"[-_./:+= ]")
_HUMP = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])")
_MEASURE = re.compile(
    r"\d+[+-]?[a-z]*\+?|[a-z]+-?\d{1,2}|\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?(?:[T ].*)?|[vV]?\d+(?:\.\d+)+\S*"
)
_SYMBOL = re.compile(r"[!#%&*+=?@^~€£§]")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_NAMES = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+|--?[a-z-]+")

_ORDINARY_WORDS = (
    "password passwd pass passwort secret token user username admin root guest postgres mysql redis test none null nil "
    "true false string str text int number bytes bool boolean object required optional empty blank hidden stored unset "
    "set missing invalid wrong default disabled enabled encrypted hashed plain plaintext cleartext login reset prompt "
    "input field value values example changeme undefined void any unknown never always only not the and see same "
    "env environment vault keychain keyring manager bitwarden lastpass keepass onepassword github gitlab google azure "
    "bcrypt argon2 argon2id scrypt pbkdf2 sha1 sha256 sha512 md5 base64 hmac utf8 oauth oauth2 jwt ldap sso mfa totp "
    "basic bearer digest negotiate mutual is was has must should can will be are with from for via per local remote "
    "server client session cookie header minioadmin docker compose file path url uri json yaml toml async await "
    "requis obligatoire erforderlich requerido обязательно неверный нужен пусто"
)
_ORDINARY = frozenset(_ORDINARY_WORDS.split())


def entropy(text: str) -> float:
    """Returns the bits a character carries, by how often each stands in the text; 0.0 for an empty one."""
    total = len(text)
    return -sum(many / total * math.log2(many / total) for many in Counter(text).values()) if total else 0.0


def stands_for_another(text: str) -> bool:
    """Tells whether a text says of itself that it is no secret: ``xxxxx``, ``${TOKEN}``, ``<your key>``, ``your-key``."""
    return bool(_FILLER.search(text) or _STAND_IN.search(text))


def is_password(value: str, *, alone: bool) -> bool:
    """Tells whether what follows ``password:`` is one.

    ``alone``: it stands in quotes or is all that the line still says, so that a word may be a password too.
    """
    if not 4 <= len(value) <= 200 or value.casefold() in _ORDINARY or _is_no_value(value) or " " in value.strip():
        return False
    kinds = (
        any(char.islower() for char in value),
        any(char.isupper() for char in value[1:]),
        any(char.isdigit() for char in value),
        bool(_SYMBOL.search(value)),
    )
    if _MEASURE.fullmatch(value):
        return alone and ((value.isdigit() and len(value) >= 6) or (value[0].isalpha() and len(value) >= 7))
    if _NAMES.fullmatch(value) or _DOTTED.fullmatch(value):
        return False
    if sum(kinds) >= 2:
        return not (kinds[3] is False and kinds[2] is False and _HUMP.sub("", value[:1].upper() + value[1:]) == "")
    return alone and len(value) >= 8 and not set(_SPLIT.split(value.casefold())) & _ORDINARY


def is_token(value: str, *, least: int = 16, uuid: bool = False, bits: float = 3.2) -> bool:
    """Tells whether what is assigned to a key or token is random enough to be one, and no name, path, hash or date."""
    if not least <= len(value) <= 4000 or not value.isascii() or _is_no_value(value) or " " in value:
        return False
    if _UUID.fullmatch(value):
        return uuid
    if value.isdigit() or not any(char.isdigit() for char in value) or not any(char.isalpha() for char in value):
        return not value.isdigit() and len(value) >= 24 and _is_mixed(value)
    if all(_PART.fullmatch(part) for part in _SPLIT.split(value)):
        return False
    if _MEASURE.fullmatch(value) or _NAMES.fullmatch(value) or _DOTTED.fullmatch(value):
        return False
    return entropy(value) >= (min(2.8, bits) if _HEX.fullmatch(value) else bits) and _words_share(value) < 0.8


def _is_mixed(value: str) -> bool:
    return entropy(value) >= 4.0 and _words_share(value) < 0.5


def _words_share(value: str) -> float:
    """Returns the share of the text that reads as words of four letters and more."""
    return sum(len(word) for word in _HUMP.findall(value) if len(word) >= 4) / len(value)


def _is_no_value(value: str) -> bool:
    return bool(
        stands_for_another(value)
        or (_CODE.search(value) and not _UUID.search(value))
        or _PATH.search(value)
        or (_PUT_IN.search(value) and not _UUID.fullmatch(value))
        or len(set(value)) < 3
    )
