"""Small sets written for what no public one asks: neighbours that differ in one word, negation, exact keywords,
identifiers in six languages, and a store of 12 notes alone and among 112."""

from __future__ import annotations

# ruff: noqa: E501 - tables
from benchmarks.sets import Bench, Question, Store, note
from benchmarks.sets.languages import EXACT, LANGUAGE_NOTES, PARTIAL
from engram.model.note import Note

_CONFUSABLE = (
    ("db-host-staging", "Where the staging database lives", "Host stg-db-2.internal, port 6432, through PgBouncer."),
    ("db-host-production", "Where the production database lives", "Host prd-db-1.internal, port 5432, direct."),
    ("backup-daily", "Daily backups", "A dump runs every night at 02:10 and is kept for fourteen days."),
    (
        "backup-monthly",
        "Monthly backups",
        "A full copy on the first of the month goes to cold storage for seven years.",
    ),
    ("anna-role", "Anna leads the payments team", "Anna Weiss decides about refunds and chargebacks. Ask her first."),
    (
        "anne-role",
        "Anne runs the design system",
        "Anne Whitfield owns buttons, colours and icons in the component kit.",
    ),
    ("python-backend", "The backend is on Python 3.12", "The API service runs Python 3.12; 3.13 waits for the ORM."),
    ("python-scripts", "Scripts stay on Python 3.9", "Maintenance scripts must run on the old jump hosts: Python 3.9."),
    ("cache-ttl-api", "API responses are cached for 60 seconds", "Varnish in front of the API keeps answers a minute."),
    ("cache-ttl-assets", "Assets are cached for a year", "Images, fonts and bundles carry a content hash: one year."),
    ("review-backend", "Backend reviews need two approvals", "Pull requests to services/ wait for two approvals."),
    ("review-docs", "Documentation merges with one approval", "Changes below docs/ need only one approval."),
    ("sprint-length", "Sprints are two weeks", "Planning every other Monday, retrospective on the Friday before."),
    ("release-rhythm", "Releases are every three weeks", "The train leaves every third Thursday, whatever is ready."),
    ("timezone-servers", "Servers run on UTC", "All machines and log lines are in UTC, without exception."),
    ("timezone-reports", "Reports use Berlin time", "Figures for finance are cut at midnight, Europe/Berlin."),
)
_CONFUSABLE_ASKED = (
    ("which host does the staging database have?", "db-host-staging"),
    ("connect me to the production db, what port?", "db-host-production"),
    ("how long do we keep the nightly dump?", "backup-daily"),
    ("how long are monthly copies kept?", "backup-monthly"),
    ("who decides about a refund?", "anna-role"),
    ("who owns the icons?", "anne-role"),
    ("which python can I use in the API?", "python-backend"),
    ("python version for a maintenance script on a jump host", "python-scripts"),
    ("how long does varnish keep an API answer?", "cache-ttl-api"),
    ("cache lifetime of fonts and images", "cache-ttl-assets"),
    ("how many approvals for a change in services/?", "review-backend"),
    ("approvals needed for a docs change", "review-docs"),
    ("when is sprint planning?", "sprint-length"),
    ("when does the next release train leave?", "release-rhythm"),
    ("which timezone are the log lines in?", "timezone-servers"),
    ("which timezone for the finance figures?", "timezone-reports"),
)
_NEGATION = (
    (
        "no-mocks-of-database",
        "Tests never mock the database",
        "Integration tests talk to a real Postgres in a container.",
    ),
    ("mocks-of-mail", "Mail is mocked in tests", "The SMTP client is replaced by a fake that keeps the messages."),
    ("no-default-exports", "No default exports in TypeScript", "Named exports only: renames stay visible in a diff."),
    ("default-branch", "The default branch is trunk", "Branches start from trunk; main is a read-only mirror."),
    ("no-friday-deploys", "Nothing is deployed on Fridays", "After Thursday 16:00 the deploy job is locked."),
    ("friday-demo", "The demo is on Fridays", "Each team shows what it finished, ten minutes, at 11:00 on Friday."),
    ("no-emoji", "User dislikes emoji in commit messages", "Commit subjects are plain words, imperative, no emoji."),
    ("emoji-in-chat", "Emoji are fine in the release notes", "Release notes for customers may be playful."),
    ("no-orm-in-reports", "Reports don't use the ORM", "Reporting queries are written in SQL by hand, for speed."),
    ("orm-elsewhere", "The ORM is SQLAlchemy 2", "All other code goes through SQLAlchemy sessions."),
    ("not-redis", "We decided against Redis for the job queue", "Jobs live in a Postgres table with SKIP LOCKED."),
    ("redis-sessions", "Sessions are kept in Redis", "Login sessions expire after twelve hours, kept in Redis."),
)
_NEGATION_ASKED = (
    ("should I mock postgres in this integration test?", "no-mocks-of-database"),
    ("how do tests deal with outgoing mail?", "mocks-of-mail"),
    ("can I write export default here?", "no-default-exports"),
    ("which branch do I start from?", "default-branch"),
    ("it's friday, can I roll this out?", "no-friday-deploys"),
    ("when do teams show what they finished?", "friday-demo"),
    ("commit this with a nice rocket emoji", "no-emoji"),
    ("may release notes be playful?", "emoji-in-chat"),
    ("write the revenue report with the ORM", "no-orm-in-reports"),
    ("let's put the job queue on redis", "not-redis"),
    ("where do login sessions live and for how long?", "redis-sessions"),
)
_KEYWORDS = (
    ("flag-rollout", "Feature flag for the new checkout", "The flag is `checkout_v2_enabled`; 5 % of users have it."),
    ("env-names", "Environment variables of the worker", "WORKER_CONCURRENCY defaults to 4; QUEUE_URL must be set."),
    ("flaky-test", "A known flaky test", "`test_reconnect_after_timeout` fails once in fifty runs; see ENG-4821."),
    ("error-quota", "What the quota error means", "`ERR_QUOTA_EXCEEDED: tenant over limit` comes from the proxy."),
    ("segfault", "Crash in the image resizer", "exit code 139 in libvips 8.14 with animated WebP; pin 8.13.3."),
    ("config-file", "Where limits are configured", "Limits stand in `config/limits.prod.toml`, not in the code."),
    ("make-target", "How fixtures are made anew", "Run `make fixtures-refresh` and commit what changed."),
    ("ticket", "Why exports are slow", "PLAT-903: the CSV writer flushes after every row."),
    ("port-number", "Port of the metrics endpoint", "Prometheus scrapes :9464/metrics on each pod."),
    ("class-name", "The retry wrapper", "Use `BackoffPolicy.withJitter()` from com.acme.net, not a loop."),
    ("hash", "First bad commit of the memory leak", "git bisect ended at 9f3c2ab: the cache of parsed templates."),
    ("cli-flag", "How to skip the slow checks", "`--skip-e2e` is honoured by scripts/verify.sh only."),
    ("hostname", "The jump host", "ssh through bastion-euw1.acme.dev; keys rotate monthly."),
    ("rust-error", "Borrow error in the tokenizer", "error[E0502]: clone the span before the mutable borrow."),
    ("sql-table", "Table of audit events", "`audit_events_2024` is partitioned by month; never VACUUM FULL."),
    ("npm-scope", "Our npm scope", "Packages are published as @acme-labs/ui-kit and @acme-labs/icons."),
)
_KEYWORDS_ASKED = (
    ("checkout_v2_enabled", "flag-rollout"), ("what is WORKER_CONCURRENCY set to", "env-names"),
    ("test_reconnect_after_timeout failed again", "flaky-test"), ("ENG-4821", "flaky-test"),
    ("ERR_QUOTA_EXCEEDED", "error-quota"), ("got: ERR_QUOTA_EXCEEDED: tenant over limit", "error-quota"),
    ("worker died with exit code 139", "segfault"), ("limits.prod.toml", "config-file"),
    ("open config/limits.prod.toml please", "config-file"), ("fixtures-refresh", "make-target"),
    ("PLAT-903 status?", "ticket"), ("9464", "port-number"), ("BackoffPolicy", "class-name"),
    ("withJitter", "class-name"), ("9f3c2ab", "hash"), ("--skip-e2e", "cli-flag"), ("bastion-euw1", "hostname"),
    ("E0502", "rust-error"), ("audit_events_2024", "sql-table"), ("audit events table", "sql-table"),
    ("@acme-labs/icons", "npm-scope"), ("libvips", "segfault"),
)  # fmt: skip
_TWELVE = (
    ("gpu-budget", "Budget for graphics cards", "At most 300 euro of rented GPU time a month, on spot machines."),
    ("cat-pictures", "Sample images", "Demo pages show pictures of Olga's cat, which may be used freely."),
    ("vim-user", "User edits in Neovim", "Give key sequences for Neovim, never menus of an IDE."),
    ("short-answers", "User wants short answers", "Two sentences, then the code. No summary at the end."),
    ("pnpm", "User wants pnpm", "Node packages are installed with pnpm; a package-lock.json is a mistake."),
    ("fish-shell", "User's shell is fish", "export FOO=bar does not work there: set -x FOO bar."),
    ("offline-train", "User works offline on trains", "On Tuesdays and Thursdays there is no network from 7 to 9."),
    ("licence-check", "Licences that may be used", "MIT, BSD and Apache; anything of the GPL family needs a talk."),
    ("arm-laptop", "User's laptop is ARM", "Docker images must be built for arm64 and amd64."),
    ("budget-api", "Ceiling for API spending", "Batch jobs against paid APIs stop at 20 dollars a day."),
    ("colour-blind", "User is red-green colour-blind", "Charts use blue and orange, with shapes as well."),
    ("tabs", "Makefiles and Go use tabs", "Everything else is indented with two spaces."),
)
_TWELVE_ASKED = (
    ("how much may I spend on rented graphics cards?", "gpu-budget"), ("images for the demo page", "cat-pictures"),
    ("how do I jump to a definition in my editor? neovim", "vim-user"), ("explain it, but keep it short", "short-answers"),
    ("add a node package", "pnpm"), ("set an environment variable in my fish shell", "fish-shell"),
    ("will I have network on the train on Tuesday?", "offline-train"), ("may we use a GPL library?", "licence-check"),
    ("build the docker image for my laptop", "arm-laptop"), ("the batch job costs money, where does it stop?", "budget-api"),
    ("pick colours for the chart", "colour-blind"), ("tabs or spaces in a Makefile?", "tabs"),
)  # fmt: skip

_MORE = (
    ("backup-nights", "When backups run", "The file server is copied every night at 02:30 to the other site."),
    ("office-hours", "When the team is reachable", "Between 10 and 15 o'clock; mornings and evenings are quiet."),
    ("font-choice", "Fonts of the web pages", "Headings are set in Archivo, text in Source Serif."),
    ("invoice-day", "When invoices go out", "On the second working day of a month, by the accounting job."),
    ("feature-freeze", "Freeze before a release", "Three days before a release only faults are mended."),
    ("map-tiles", "Where map tiles come from", "The tile server in Falkenstein; its cache holds two weeks."),
    (
        "translation-flow",
        "How texts are translated",
        "Strings go to the translators on Mondays and come back by Friday.",
    ),
    ("avatar-size", "Size of profile pictures", "256 pixels square, cut from the middle."),
    ("search-synonyms", "Synonyms of the product search", "Sofa and couch mean the same; so do lamp and light."),
    ("newsletter-tone", "Tone of the newsletter", "Friendly, no exclamation marks, one link at the end."),
    ("warehouse-codes", "Codes of the warehouses", "N1 is Narvik, K2 is Kiel, R3 is Rijeka."),
    ("rate-limits", "Limits of the public interface", "Sixty calls a minute for a key, ten without one."),
    ("retro-notes", "Where retrospectives are kept", "In the wiki below Team, one page a month."),
    (
        "sound-alerts",
        "Which alerts make a sound",
        "Only a full disk and a dead database; all else waits for the morning.",
    ),
)


def sets() -> list[Bench]:
    """Returns the sets that are written here."""
    twelve = _notes(_TWELVE)
    others = _notes(_CONFUSABLE) + _notes(_NEGATION) + _notes(_KEYWORDS) + language_notes() + _notes(_MORE)
    return [
        _bench("confusable neighbours", _notes(_CONFUSABLE), _CONFUSABLE_ASKED),
        _bench("negation", _notes(_NEGATION), _NEGATION_ASKED),
        _bench("exact keywords", _notes(_KEYWORDS), _KEYWORDS_ASKED),
        _bench("six languages, exact", language_notes(), EXACT),
        _bench("six languages, partial", language_notes(), PARTIAL),
        _bench("12 notes", twelve, _TWELVE_ASKED),
        _bench("12 among 112", (twelve + others)[:112], _TWELVE_ASKED),
    ]


def language_notes() -> tuple[Note, ...]:
    """Returns the notes of six languages."""
    return _notes(LANGUAGE_NOTES)


def _notes(rows: tuple[tuple[str, str, str], ...]) -> tuple[Note, ...]:
    return tuple(note(f"{slug}.md", description=description, body=body) for slug, description, body in rows)


def _bench(name: str, notes: tuple[Note, ...], asked: tuple[tuple[str, str], ...]) -> Bench:
    questions = tuple(Question(text, frozenset([f"{slug}.md"])) for text, slug in asked)
    return Bench(name, (Store(name, notes, questions),), "written here")
