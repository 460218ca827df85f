"""The shape of a note: dates that stay true, lengths that stay readable, the parts that its type asks for."""

from __future__ import annotations

import re

from engram.model.parts import PARTS, too_long_rollup

DESCRIPTION_LIMIT = 120
"""Characters."""
BODY_LIMIT = 150
"""Words."""
BODY_LIMIT_SIGNS = 600
"""Characters of a script that is written without spaces: about as much as 150 words."""
JOURNAL_LINES = (3, 6)

_LAST = r"(?:last|past|previous|next|this|coming|upcoming)"
_DAYS = r"monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_SPANS = rf"(?:week|month|year|quarter|sprint|weekend|night|spring|summer|autumn|fall|winter|{_DAYS})"
_FEW = r"\d{1,3}|an?|one|two|three|four|five|six|seven|ten|few|a few|a couple of|several"
_ENGLISH = (
    r"yesterday", r"tomorrow", r"tonight", r"today", r"day (?:before yesterday|after tomorrow)", rf"{_LAST} {_SPANS}",
    rf"(?:{_FEW}) (?:day|week|month|year|hour)s? ago",
    rf"in (?:{_FEW}) (?:day|week|month|year)s?(?= time|[.,;)]|$)",
    r"(?:the )?other day", r"recently(?! \w+ed\b)", r"just now", r"right now", r"nowadays",
    r"(?:earlier|later) (?:today|this (?:week|month|year))", r"end of (?:the |this )(?:week|month|quarter|year)",
)  # fmt: skip
_GERMAN = (
    r"gestern", r"vorgestern", r"heute", r"morgen früh", r"übermorgen", r"kürzlich", r"neulich",
    r"(?:letzte|vorige|vergangene|nächste|kommende|diese)[nrsm]? (?:woche|monat|jahr|quartal|wochenende|\w{4,8}tag)",
    r"vor (?:\d{1,3}|einer|einem|zwei|drei|ein paar|wenigen) (?:tag|woche|monat|jahr|stunde)e?n?",
)  # fmt: skip
_ROMANCE = (
    r"ayer", r"anteayer", r"hoy", r"mañana", r"pasado mañana", r"recientemente",
    r"la (?:semana|próxima semana) (?:pasada|que viene|próxima)", r"la próxima semana", r"el próximo (?:mes|año)",
    r"el (?:mes|año|lunes|martes|miércoles|jueves|viernes) (?:pasado|que viene|próximo)",
    r"hace (?:\d{1,3}|un|una|dos|tres|unos|unas|pocos) (?:días?|semanas?|mes(?:es)?|años?)",
    r"ontem", r"anteontem", r"hoje", r"amanhã", r"semana passada", r"próxima semana", r"mês passado", r"ano passado",
    r"há (?:\d{1,3}|um|uma|dois|duas) (?:dias?|semanas?|mês|meses|anos?)",
    r"hier", r"avant-hier", r"aujourd['’]hui", r"demain", r"récemment",
    r"(?:la semaine|le mois|l['’]an(?:née)?) (?:dernière?|passée?|prochaine?)",
    r"il y a (?:\d{1,3}|un|une|deux|trois|quelques) (?:jours?|semaines?|mois|ans?)",
    r"ieri", r"l['’]altro ieri", r"oggi", r"domani", r"(?:settimana|mese|anno) (?:scors[oa]|prossim[oa])",
    r"(?:\d{1,3}|un|una|due|tre) (?:giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa",
)  # fmt: skip
_OTHERS = (
    r"вчера", r"позавчера", r"сегодня", r"завтра", r"послезавтра", r"недавно",
    r"(?:прошл|следующ|эт)(?:ой|ая|ую|ом|ый|ий|ем|ей) (?:недел[еюя]|месяц[ае]?|год[уа]?|квартал[ае]?)",
    r"(?:день|дня|дней|неделю|недели|недель|месяц|месяца|месяцев|год|года|лет) назад",
    r"вчора", r"сьогодні", r"завтра", r"wczoraj", r"dzisiaj", r"jutro", r"gisteren", r"vandaag", r"vorige week",
    r"volgende week",
)  # fmt: skip
_WITHOUT_SPACES = (
    r"昨天|今天|明天|前天|后天|上周|下周|上个月|下个月|去年|明年|最近|昨日|今日|明日|先週|来週|先月|来月"
    r"|어제|오늘|내일|지난주|다음 ?주|지난달|다음 ?달"
)
_RELATIVE = re.compile(
    rf"(?<![\w-])(?:{'|'.join((*_ENGLISH, *_GERMAN, *_ROMANCE, *_OTHERS))})(?![\w-])|{_WITHOUT_SPACES}",
    re.IGNORECASE | re.MULTILINE,
)
_IS_GERMAN = re.compile(r"\b(?:der|die|das|und|ist|nicht|wird|ein|eine|mit|wir|für|im)\b", re.IGNORECASE)
"""A German "hier" is no French one: here, and not yesterday."""
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|^ {0,3}>[^\n]*$", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|„[^“”\n]{1,300}[“”]|(?<!\w)'[^'\n]{1,300}'(?!\w)"
)
_HABIT = re.compile(r"(?:yesterday|today|tomorrow)['’]s (?:date|day)|(?:until|as of|since) today['’]s", re.IGNORECASE)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def relative_dates(text: str) -> tuple[str, ...]:
    """Returns the words of a text that mean another day tomorrow, once each in order; quotes and code don't count."""
    prose = _HABIT.sub(" ", _QUOTED.sub(" ", _CODE.sub(" ", text)))
    found = dict.fromkeys(match[0].strip().casefold() for match in _RELATIVE.finditer(prose))
    if "hier" in found and _IS_GERMAN.search(prose):
        del found["hier"]
    return tuple(found)


def too_long_description(description: str) -> str:
    """Returns "" or how long the description is."""
    many = len(description)
    return f"the description has {many} characters; {DESCRIPTION_LIMIT} are enough" if many > DESCRIPTION_LIMIT else ""


def too_long_body(kind: str, body: str) -> str:
    """Returns "" or how long the body of a note of this type is."""
    if kind == "journal":
        lines = sum(1 for line in body.splitlines() if line.strip() and not line.lstrip().startswith("#"))
        low, high = JOURNAL_LINES
        return "" if low <= lines <= high else f"a journal entry has {low} to {high} lines; this one has {lines}"
    if kind == "rollup":
        return too_long_rollup(body)
    wide = len(_WIDE.findall(body))
    if wide > BODY_LIMIT_SIGNS:
        return f"the body has {wide} characters; about {BODY_LIMIT_SIGNS} are enough for one fact"
    many = len(_WIDE.sub(" ", body).split())
    return f"the body has {many} words; about {BODY_LIMIT} are enough for one fact" if many > BODY_LIMIT else ""


def missing_parts(kind: str, body: str) -> tuple[str, ...]:
    """Returns the parts that a note of this type should name and doesn't, as they are written: ``**Why:**``.

    The bold and the colon may stand in any order, and capitals don't matter.
    """
    plain = re.sub(r"[*_#]+", "", body).casefold()
    return tuple(
        f"**{part}**"
        for part in PARTS.get(kind, ())
        if not re.search(rf"(?m)^[ \t>-]*{re.escape(part[:-1].casefold())}[ \t]*[:：]", plain)
    )
