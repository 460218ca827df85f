"""Acknowledgements in many languages cost no search; whatever says something does."""

from __future__ import annotations

import pytest

from engram.recall.prompts import is_acknowledgement

BARE = (
    """
yes|Yes.|YES!|y|ok|OK, thanks|ok thanks!|continue|go on|go ahead|yes, please go ahead|sounds good|looks good to me|lgtm
👍|thank you very much|thanks a lot|no|nope|no thanks|no, don't|not yet|perfect, thanks|1|2.|do it|let's go|got it|hm
that's it|never mind|try again|ship it|да|да, давай дальше|хорошо, спасибо|продолжай|нет, не надо|понял|ещё раз
ja, mach weiter|danke|genau|oui, vas-y|d'accord, merci beaucoup
ça marche|sí, gracias|de acuerdo|perfecto|obrigado|va bene
好的|继续|谢谢|はい、お願いします|続けて|네, 감사합니다||   |...
""".replace("\n", "|")
    .strip("|")
    .split("|")
)

SAYS = (
    """
yes but use pnpm|no, the staging host|deploy|fix it in auth.py|continue with the billing export
what is this?|ok now the tests
which database?|thanks, now write the migration|ENG-1234|go to production|run the tests
да, но через vault|продолжай с тестами
ja, aber auf arm64|10|zebra|为什么|继续写测试|option 2 with redis|use tabs|yes to pnpm, no to npm
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


@pytest.mark.parametrize("prompt", BARE)
def test_a_bare_acknowledgement(prompt: str) -> None:
    assert is_acknowledgement(prompt)


@pytest.mark.parametrize("prompt", SAYS)
def test_a_prompt_that_says_something(prompt: str) -> None:
    assert not is_acknowledgement(prompt)


def test_a_long_row_of_acknowledgements_is_searched() -> None:
    assert not is_acknowledgement("yes " * 40)
