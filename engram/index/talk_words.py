"""The terms of everyday prompts, by how many others have them. Made by ``benchmarks/talk_words.py``."""

from __future__ import annotations

# ruff: noqa: E501 - tables of words

PROMPTS = 626

_WORDS = """
15: error
13: test
12: write
10: new
9: last
8: good work
7: add first make say して
6: code file fix give go long name next tell time
5: chang help list mani play run
4: commit function job line move old read start take 什么
3: child day find friend hat kind march mean messag plan plant see think tri weekend year you この 줘
2: ar back birthday book brother build buy call class cook date depend differ drive explain fail famili feel game idea
import keep kid learn leav live look lose main modul money morn open paint parent parti present print recent request
review school script small someth still talk ten text two type variabl visit water week дел котор напиш тест स トを
1: abroad adopt advic anoth answer attend aunt away bakeri band bar becom best between bit blue branch break bus busi
ca car case cat celebr citi convert countri cours crash difficult dish dog dream egg enjoy erreur estc ever exampl
exit expect favourit finish fish flight geht group grow handl happen holiday home hous hurt inspir instrument invalid
invit key leo letter letzt listen log loop meet memori might mind moi mother much museum neighbour never news night
nil number often part paul pay peopl photo polit prueba pull quit rather realli recip recommend refactor remov renam
restaur return rice right room safe set show simon simplifi sit sleep sort sound stop studi summar summer support teh
temp tempo there thread three togeth train translat trip turn undo updat urlaub valu vim walk wed wine won word
yourself брат запуст ошибк перв подар последн провер работ скольк собак файл функц як لي ओ क ट त र いつ かな した はい は何 をし
スト テス 一下 么时 哪里 怎么 日の 时候 测试 这个 这段 이
"""


def _read() -> dict[str, int]:
    found, many = {}, 0
    for word in _WORDS.split():
        if word[-1] == ":":
            many = int(word[:-1])
        else:
            found[word] = many
    return found


TIMES = _read()
"""Terms and in how many prompts besides one they stand."""
