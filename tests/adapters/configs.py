"""Settings files as people have them: comments, tabs, other tools' hooks, odd line ends, nothing at all."""

from __future__ import annotations

import json

OTHER_SERVER = {"command": "npx", "args": ["-y", "@example/tracker-mcp"], "env": {"TRACKER_TEAM": "Küche"}}


def group(command: str) -> dict[str, object]:
    return {"hooks": [{"type": "command", "command": command}]}


def json_texts(event: str, servers: str, item: dict[str, object]) -> dict[str, str]:
    """Returns settings of one agent by what is odd about them.

    ``event``: one that engram serves there; ``servers``: the key of its MCP servers; ``item``: another tool's hook.
    """
    full = {"theme": "dark", "hooks": {event: [item], "Other": [item]}, servers: {"tracker": OTHER_SERVER}}
    line = json.dumps(item)
    return {
        "nothing": "",
        "a line end": "\n",
        "empty object": "{}",
        "empty object with a space": "{ }\n",
        "empty object over two lines": "{\n}\n",
        "one setting": '{"theme":"dark"}',
        "plain": json.dumps(full, indent=2) + "\n",
        "no last line end": json.dumps(full, indent=4),
        "tabs": json.dumps(full, indent="\t") + "\n",
        "minified": json.dumps(full, separators=(",", ":")),
        "CRLF": (json.dumps(full, indent=2) + "\n").replace("\n", "\r\n"),
        "BOM": "\ufeff" + json.dumps(full, indent=2, ensure_ascii=False) + "\n",
        "BOM and CRLF": "\ufeff" + json.dumps(full, indent=2).replace("\n", "\r\n"),
        "comments": (
            '// my settings\n{\n  // the look\n  "theme": "dark", // at night\n  /* what runs\n     when */\n'
            f'  "hooks": {{\n    "{event}": [\n      {line} // aloud\n    ] /* end */\n  }} // hooks\n}}\n// fin\n'
        ),
        "trailing commas": (
            f'{{\n  "theme": "dark",\n  "hooks": {{\n    "{event}": [\n      {line},\n    ],\n  }},\n'
            f'  "{servers}": {{"tracker": {{"command": "x",}},}},\n}}\n'
        ),
        "a comment in an empty list": f'{{\n  "theme": "dark",\n  "hooks": {{"{event}": [ /* none yet */ ]}}\n}}\n',
        "a commented-out entry": f'{{\n  "theme": "dark",\n  "hooks": {{\n    // "{event}": []\n  }}\n}}\n',
        "a list on one line": f'{{\n\t"theme": "dark",\n\t"hooks": {{ "{event}": [ {line}, {line} ] }}\n}}\n',
        "odd spacing": f'  {{\n\n "theme"   :   "dark"  ,\n\n\n   "hooks"\t: {{ "{event}":\n[]\n  }}\n\n  }}  \n\n\n',
        "non-ASCII": f'{{"theme": "dark", "name": "日本語 \\u00e9 😀", "hooks": {{"{event}": [{line}]}}}}\n',
        "empty containers": f'{{"theme": "dark", "hooks": {{}}, "{servers}": {{  }}, "x": [[], [[1], {{"y": []}}]]}}\n',
        "keys twice": f'{{"hooks": {{}}, "theme": "dark", "hooks": {{"{event}": [{line}]}}}}\n',
    }


BROKEN_JSON = {
    "cut off": '{"theme": "dark", "hooks": {',
    "two values": '{"theme": "dark"} {"hooks": {}}',
    "no colon": '{"theme" "dark"}',
    "single quotes": "{'theme': 'dark'}",
    "a stray comma": '{"theme": "dark",, "x": 1}',
    "open comment": '{"theme": "dark"} /* and',
    "a list": "[1, 2]",
    "a text": '"hooks"',
    "a raw line end": '{"theme": "da\nrk"}',
    "conflict marks": '{\n<<<<<<< HEAD\n  "theme": "dark"\n=======\n  "theme": "light"\n>>>>>>> other\n}\n',
    "hooks is a list": '{"hooks": [1]}',
    "too deep": '{"x": ' + "[" * 300 + "]" * 300 + "}",
}

TOML_TEXTS = {
    "nothing": "",
    "a line end": "\n",
    "a comment alone": "# my codex",
    "plain": 'model = "gpt-5.5"\n\n[features]\nhooks = true\n',
    "no last line end": 'model = "gpt-5.5"\n[features]\nhooks = true',
    "CRLF": 'model = "gpt-5.5"\r\n\r\n[features]\r\nhooks = true\r\n',
    "CRLF without the last": 'model = "gpt-5.5"\r\n[features]\r\nhooks = true',
    "BOM": '\ufeffmodel = "gpt-5.5"\n',
    "comments": '# top\nmodel = "gpt-5.5" # big\n\n# servers\n[mcp_servers.tracker] # mine\ncommand = "npx" # js\n',
    "odd spacing": 'model   =\t"gpt-5.5"\n\n\n\n[ mcp_servers . "tracker" ]\n  command="npx"\n   args = [ "x", ]\n\n\n',
    "tabs": '[mcp_servers]\n\t[mcp_servers.tracker]\n\tcommand = "npx"\n\t\t[mcp_servers.tracker.env]\n\t\tA = "1"\n',
    "dotted": 'model = "gpt-5.5"\nmcp_servers.tracker.command = "npx"\n',
    "trust": '[hooks.state."/a/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:0"\n[[profiles]]\nname = "ß"\n',
    "long texts": 'notice = """\n[mcp_servers.engram]\ncommand = 1\n"""\n',
    "non-ASCII": 'name = "日本語 é 😀"\n# ünï\n',
}

BROKEN_TOML = {
    "no value": "model =\n",
    "a key twice": 'model = "a"\nmodel = "b"\n',
    "an open table": "[features\nhooks = true\n",
    "an open text": 'model = "gpt\n',
    "inline servers": 'mcp_servers = { tracker = { command = "npx" } }\n',
    "a list of servers": '[[mcp_servers]]\nname = "tracker"\n',
}

MARKDOWN_TEXTS = {
    "nothing": "",
    "a line end": "\n",
    "plain": "# Rules\n\n- Use pnpm.\n",
    "no last line end": "# Rules\n\n- Use pnpm.",
    "two last line ends": "# Rules\n\n- Use pnpm.\n\n",
    "CRLF": "# Rules\r\n\r\n- Use pnpm.\r\n",
    "CRLF without the last": "# Rules\r\n\r\n- Use pnpm.",
    "BOM": "\ufeff# Rules\n",
    "another tool's block": "<!-- other:begin -->\nx\n<!-- other:end -->\n",
    "a fence": "```md\n<!-- engram -->\n```\n",
    "front matter": "---\napplyTo: '**'\n---\n\n# Rules\n",
    "non-ASCII": "# 規則\n\n- Größe 😀\n",
    "tabs and spaces": "#\tRules  \n\n\t- Use pnpm.   \n   \n",
}

BROKEN_MARKDOWN = {
    "begun, not ended": "# Rules\n<!-- engram:begin -->\nx\n",
    "ended, not begun": "# Rules\n<!-- engram:end -->\n",
    "two blocks": "<!-- engram:begin -->\n<!-- engram:end -->\n<!-- engram:begin -->\n<!-- engram:end -->\n",
    "the wrong way round": "<!-- engram:end -->\n<!-- engram:begin -->\n",
}
