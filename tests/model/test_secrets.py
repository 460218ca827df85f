"""Secrets: what is found, what is not, and that no text takes long. Every key here is put together at run time."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import ConfigInvalid
from engram.model.secrets import fingerprint, masked, scan

RANDOM = "aZ3kQ9xW2pL7vB4nM8sT1dF6gH0jK5rCyE2uN7wX4tQ9mR6bV1cS8hJ3kL5pD0fG"
HEX = hashlib.sha256(b"no key at all").hexdigest()
GITHUB = "ghp_" + "a1B2" * 9

SHAPED = {
    "github-token": GITHUB,
    "github-fine-grained-token": "github_pat_" + RANDOM[:22] + "_" + (RANDOM * 2)[:59],
    "aws-access-key-id": "AK" + "IAQ3EGRZ7XWVN2KLMT",
    "gcp-api-key": "AI" + "za" + RANDOM[:35],
    "azure-client-secret": "abc8Q" + "~" + RANDOM[:33],
    "digitalocean-token": "dop_" + "v1_" + HEX,
    "gitlab-token": "gl" + "pat-" + RANDOM[:20],
    "npm-token": "np" + "m_" + RANDOM[:36],
    "pypi-token": "py" + "pi-AgEIcHlwaS5vcmc" + RANDOM,
    "docker-token": "dckr" + "_pat_" + RANDOM[:27],
    "vault-token": "hv" + "s." + RANDOM + RANDOM[:30],
    "terraform-token": RANDOM[:14] + ".atlas" + "v1." + RANDOM + "ab12",
    "pulumi-token": "pu" + "l-" + HEX[:40],
    "doppler-token": "dp." + "pt." + RANDOM[:43],
    "anthropic-key": "sk-" + "ant-api03-" + (RANDOM * 2)[:93] + "AA",
    "openai-key": "sk-" + "proj-" + RANDOM[:58] + "T3Blbk" + "FJ" + RANDOM[:58],
    "huggingface-token": "h" + "f_" + "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh",
    "slack-token": "xo" + "xb-123456789012-1234567890123-" + RANDOM[:24],
    "slack-webhook": "https://hooks.slack" + ".com/services/T0AB12CD3/B0EF45GH6/" + RANDOM[:24],
    "telegram-bot-token": "12345678" + "90:AA" + RANDOM[:33],
    "sendgrid-key": "S" + "G." + RANDOM[:22] + "." + RANDOM[:43],
    "mailgun-key": "ke" + "y-" + HEX[:32],
    "twilio-key": "S" + "K" + HEX[:32],
    "notion-token": "nt" + "n_12345678901" + RANDOM[:35],
    "linear-key": "lin_" + "api_" + RANDOM[:40],
    "atlassian-token": "ATA" + "TT3" + (RANDOM * 3)[:186],
    "airtable-token": "pat" + RANDOM[:14] + "." + HEX,
    "stripe-key": "sk_" + "live_" + RANDOM[:24],
    "shopify-token": "shp" + "at_" + HEX[:32],
    "square-token": "sq0" + "atp-" + RANDOM[:22],
    "databricks-token": "da" + "pi" + HEX[:32],
    "planetscale-secret": "pscale" + "_tkn_" + RANDOM[:43],
    "supabase-key": "sb" + "p_" + HEX[:40],
    "grafana-token": "gl" + "sa_" + RANDOM[:32] + "_" + HEX[:8],
    "new-relic-key": "NR" + "AK-" + RANDOM[:27].upper(),
    "sentry-token": "sntry" + "u_" + HEX,
    "postman-key": "PM" + "AK-" + HEX[:24] + "-" + HEX[:34],
    "dropbox-token": "s" + "l." + (RANDOM * 3)[:135],
    "facebook-token": "EA" + "AC" + (RANDOM * 3)[:120],
    "age-secret-key": "AGE-SECRET-" + "KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" * 2,
    "1password-secret-key": "A3" + "-ABC12D-EF34GH-5JK6L-7MN8P-9QR2S-3TU4V",
    "jwt": "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + RANDOM[:43],
    "private-key": "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + RANDOM + "\n-----END OPENSSH PRIVATE KEY-----",
}

PLACED = [
    ("password: hunt" + "er2", "hunter2"),
    ("Password: `S3cr3t" + "!pass`", "S3cr3t!pass"),
    ("DB_PASSWORD=correct-horse" + "-battery-staple", "correct-horse-battery-staple"),
    ("the db password is Tr0ub4" + "dor&3", "Tr0ub4dor&3"),
    ("пароль: Zima" + "2024!", "Zima2024!"),
    ("пароль от базы: qwer" + "ty123", "qwerty123"),
    ("contraseña: Sol1" + "2345", "Sol12345"),
    ("Passwort: Geh" + "eim!77", "Geheim!77"),
    ("mot de passe : Azer" + "ty123!", "Azerty123!"),
    ("密码：abc1" + "2345X", "abc12345X"),
    ("postgres://app:hunt" + "er2@db.internal/prod", "hunter2"),
    ("mongodb+srv://root:x8Kd" + "02mQ@cluster0.example.net", "x8Kd02mQ"),
    ("redis://:p4ss" + "w0rd!@cache:6379", "p4ssw0rd!"),
    ("jdbc:postgresql://db/app?user=x&password=Qw8z" + "k2mm", "Qw8zk2mm"),
    ("Server=db;User Id=sa;Password=Pa55" + "w0rd!;Database=x", "Pa55w0rd!"),
    ("SECRET_KEY=django-insecure-8f$" + "2kq!zx91m&%w3", "django-insecure-8f$2kq!zx91m&%w3"),
    ("token: " + RANDOM[:32], RANDOM[:32]),
    ("The API key is " + HEX[:32], HEX[:32]),
    ("heroku_api_key: 0b9f8c7d-6e5a-" + "4b3c-8d2e-1f0a9b8c7d6e", "0b9f8c7d-6e5a-4b3c-8d2e-1f0a9b8c7d6e"),
    ("<dropboxToken>\n    " + RANDOM[:15] + "\n</dropboxToken>", RANDOM[:15]),
    ('var airtableToken string = "' + RANDOM[:17] + '"', RANDOM[:17]),
    ("Authorization: Bearer " + RANDOM[:40], RANDOM[:40]),
    ('curl -H "X-Api-Key: ' + HEX[:32] + '" https://x.example', HEX[:32]),
    ("curl -u admin:Sup3r" + "S3cret https://x.example", "Sup3rS3cret"),
    ("mysql -u root -pS3cr" + "etPw app", "S3cretPw"),
    ("docker login -u me -p S3cr" + "3tXy9 registry.example", "S3cr3tXy9"),
    ("login: admin / Wint" + "er2023!", "Winter2023!"),
    ("Use password hunt" + "er2 for the admin account", "hunter2"),
]

HARMLESS = [
    "password: required", "Password: the one in 1Password", "pwd=$(pwd)", "password: process.env.DB_PASSWORD",
    "password: ***", "password: changeme", "password: min 12 characters", "PASSWORD_MIN_LENGTH=12",
    "token: <your-token>", "token: null", "API_KEY=xxxxxxxxxxxxxxxx", "api_key: your-api-key-here",
    "SECRET_KEY=${SECRET_KEY}", "GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}", "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>", "curl -u user:pass https://x.example", "max_tokens: 4096",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "sha256: " + HEX, "session 0f3c1a2b-1111-4222-8333-444455556666",
    "postgres://user:password@localhost/db", "postgres://$USER:$PASS@host/db", "postgres://<user>:<pass>@host",
    "postgres://postgres:postgres@localhost:5432/app", "Tokens are stored in the keychain",
    "The token is refreshed every 15 minutes", "use argon2id for password hashing: argon2id",
    "secret: my-app-db-credentials", "imagePullSecret: registry-cred-v2", "csrf_token = " + RANDOM[:32],
    "kms_key_id: 555ea4a3-d53a-4412-9c66-3a7cb667b0d6", "data:image/png;base64," + base64.b64encode(bytes(60)).decode(),
    "gh" + "p_" + "x" * 36, "read it with `op read op://vault/item/password`", "password -> pwd_hash (bcrypt)",
    "пароль: хранится в менеджере", "description-validation-bypass: per-PR",
    "minisat-master-keying:x64-uwp=fail", "key=value（逐行正则对齐，所有条目都在这里的说明）",
    "-----BEGIN PRIVATE " + "KEY-----\nanything\n-----END PRIVATE KEY-----",
]  # fmt: skip


@pytest.mark.parametrize("rule", SHAPED)
def test_a_key_of_a_known_shape_is_found_wherever_it_stands(rule: str) -> None:
    for text in (SHAPED[rule], f"Use `{SHAPED[rule]}` for it.", f"KEY='{SHAPED[rule]}'\n", f"({SHAPED[rule]})"):
        assert rule in [hit.rule for hit in scan(text)], text


@pytest.mark.parametrize(("text", "secret"), PLACED)
def test_a_secret_is_found_by_its_place(text: str, secret: str) -> None:
    hits = scan(text)
    assert [text[hit.start : hit.end] for hit in hits] == [secret]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_talks_of_secrets_is_none(text: str) -> None:
    assert scan(text) == ()


def test_hidden_characters_hide_no_secret_and_don_t_change_its_fingerprint() -> None:
    split = "Key \u200bis " + GITHUB[:8] + "\u200b\u2060" + GITHUB[8:] + " – ok"
    (hit,) = scan(split)
    assert hit.fingerprint == fingerprint(GITHUB) == hashlib.sha256(GITHUB.encode()).hexdigest()[:16]
    assert split[hit.start : hit.end].replace("\u200b", "").replace("\u2060", "") == GITHUB
    assert masked(split) == "Key \u200bis [secret: github-token] – ok"


def test_a_secret_within_base64_is_found() -> None:
    run = base64.b64encode(f"export TOKEN={GITHUB}".encode()).decode()
    assert [hit.rule for hit in scan(f"data {run} end")] == ["github-token-in-base64"]


def test_masking_takes_out_every_secret_and_nothing_else() -> None:
    text = f"a {GITHUB}, b password: hunt" + "er2\nc"
    assert masked(text) == "a [secret: github-token], b password: [secret: password]\nc"
    assert masked("nothing here") == "nothing here"


def test_one_place_is_one_hit_and_hits_come_in_order() -> None:
    text = f"token: {SHAPED['stripe-key']} and GITHUB_TOKEN={GITHUB}"
    assert [hit.rule for hit in scan(text)] == ["stripe-key", "github-token"]


def test_a_persons_own_pattern_counts_first_and_a_broken_one_is_named() -> None:
    (hit,) = scan("ticket ACME-4711", [r"ACME-(\d{4})"])
    assert (hit.rule, hit.start, hit.end) == ("your-own-pattern", 12, 16)
    assert scan("nothing", ["x*"]) == ()
    with pytest.raises(ConfigInvalid, match="redaction_patterns_extra"):
        scan("text", ["(unclosed"])


@given(st.text(alphabet=st.sampled_from("aA1 -_=:/.\n\"'`@\u200bпéyJ"), max_size=300))
@settings(max_examples=200, deadline=None)
def test_hits_are_ordered_within_the_text_and_masked_text_has_none_of_them(text: str) -> None:
    hits = scan(text)
    ends = [0, *(hit.end for hit in hits)]
    assert all(ends[place] <= hit.start < hit.end <= len(text) for place, hit in enumerate(hits))
    assert len(masked(text)) == len(text) - sum(hit.end - hit.start - len(f"[secret: {hit.rule}]") for hit in hits)


def test_no_text_takes_more_than_linear_time() -> None:
    program = (
        "from engram.model.secrets import scan\n"
        "for seed in ('eyJa.eyJ', 'password for ', 'pw=', '://a:', '-----BEGIN PRIVATE KEY-----', 'kind: Secret ',"
        " 'a-', 'sk-', '0x', 'curl -u a', ' ', 'token \"', '\\u200b', 'key='):\n"
        "    scan(seed * (1_000_000 // len(seed)))\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
