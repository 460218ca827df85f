"""docs/mcp.md says what the tools are."""

from __future__ import annotations

import re

import pytest

from engram.app.inbox import MOST_TEXTS
from engram.mcp.table import READING, TOOLS, WRITING
from engram.model.topic import FAMILIES
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^#### (\w+)\n(.*?)(?=^###|\Z)", PAGE, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_s_section_has_its_words_and_its_arguments(name: str) -> None:
    tool = TOOLS[name]
    section = " ".join(SECTIONS[name].split())
    assert tool.words in section
    rows = dict(re.findall(r"^\| `(\w+)`(\*?) \| ", SECTIONS[name], re.MULTILINE))
    assert rows == {one.name: "*" if one.needed else "" for one in tool.arguments}
    for one in tool.arguments:
        assert one.words in section
        assert all(f"`{choice}`" in section for choice in one.choices)


def test_the_page_has_every_tool_in_order_and_no_other() -> None:
    assert list(SECTIONS) == [tool.name for tool in (*READING, *WRITING)]
    assert PAGE.index("### Reading") < PAGE.index(f"#### {READING[0].name}")
    assert PAGE.index(f"#### {READING[-1].name}") < PAGE.index("### Proposing") < PAGE.index(f"#### {WRITING[0].name}")


def test_the_page_s_figures_are_the_code_s() -> None:
    assert f"the latest {MOST_TEXTS} of a session" in " ".join(PAGE.split())
    assert f"families are {', '.join(FAMILIES)}." in " ".join(PAGE.split())
