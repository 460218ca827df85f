"""Memory for coding agents that nothing enters until a person has read the diff and said yes.

The rooms, in the order in which a memory passes through them. A module imports only from rooms below
its own; rooms on one line don't know each other (``pyproject.toml`` holds it, ``docs/architecture.md`` tells why).

- ``__main__``: argv; hooks start here without click
- ``cli``: the terminal: a table of commands, one printer, one file per command
- ``mcp``: memory over the Model Context Protocol: reads, and proposes; none of it commits
- ``app``: composition root: the one reader of environment, clock and home
- ``adapters``: one file per agent: what its hooks accept, and where it keeps its settings
- ``doctor``: facts about a store become findings, and findings the acts that mend them
- ``capture``: what an agent did: hook payloads and transcripts become sessions
- ``curate``: the door: validate, plan, check, diff, gate, commit
- ``recall``: the few notes that matter, ranked, within a budget; or silence
- ``lifecycle``: time and use become acts: expiry, holding, review, lessons, journal
- ``store``: notes as markdown in git
- ``index``: words, vectors and edges of the notes: derived, disposable
- ``queue``: sessions that wait for curation
- ``config``: settings and their defaults
- ``resources``: files that ship with the package
- ``disk``: whole writes and locks
- ``model``: the words everything else speaks in
- ``errors``: every error a user can meet
"""

__version__ = "0.1.0"
