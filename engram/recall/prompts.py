"""Prompts that ask for nothing: a bare yes, thanks, go on. They cost no search. Pure.

On the hot path of the prompt hook: the standard library alone, and little of it.
"""

from __future__ import annotations

# ruff: noqa: E501, SIM905 - tables of words

LONGEST = 60
"""Characters; a longer prompt says something."""

_WORDS = frozenset("""
y yes yep yeah yup ya n no nope nah ok okay k kk okey alright right correct exactly precisely agreed sure certainly
absolutely definitely fine good great perfect nice cool awesome excellent amazing wonderful lovely super understood thanks
thx ty cheers please pls continue proceed go next both again retry stop wait nevermind skip done ready hm hmm mhm oh ah aha
lol haha wow hi hello hey bye goodbye idk maybe whatever approved approve accept accepted confirm confirmed lgtm works it
that then so just now and all very much indeed too claude
да ага угу нет неа ок окей ладно хорошо отлично супер круто класс понятно понял поняла ясно спасибо благодарю пожалуйста
верно точно правильно согласен согласна конечно давай давайте дальше продолжай продолжить продолжайте вперед делай сделай
еще повтори стоп подожди хватит готово все привет пока неважно можно большое очень
ja jo jep nein ne nee doch klar gut prima toll passt genau richtig stimmt danke schon bitte weiter los nochmal stopp warte
fertig verstanden hallo sehr
oui non daccord bien tres parfait merci beaucoup allez encore attends exactement
si vale muy perfecto genial gracias muchas claro continua sigue adelante espera
sim nao certo obrigado obrigada perfeito va bene grazie mille avanti
tak nie dobrze dzieki dziekuje dalej kontynuuj так ні добре дякую далі evet hayir tamam tesekkurler devam et
是 是的 对 对的 好 好的 好吧 可以 行 不 不用 不是 谢谢 多谢 继续 请继续 明白 明白了 知道了 没问题 很好 完成
はい いいえ うん いや お願いします 了解 了解です 分かりました わかりました ありがとう ありがとうございます 続けて 続けてください 大丈夫 大丈夫です
네 예 아니요 아니 좋아 좋아요 알겠습니다 알겠어요 감사합니다 고마워 고마워요 계속 계속해 계속해줘 계속하세요 그래
""".split())  # fmt: skip

_PHRASES = sorted(
    (f" {phrase.strip()} " for phrase in """
do it, do that, do so, don t, not yet, all right, of course, by me, that s, well done, good job, nice work, great job,
great work, good work, looks good, looks great, looks good to me, sounds good, sounds great, that works, works for me,
got it, i see, makes sense, fair enough, thank you, a lot, many thanks, much appreciated, go on, go ahead, go for it,
carry on, keep going, next one, one more, more of them, of them, once more, try again, hold on, one moment, a moment,
never mind, forget it, good morning, good night, good evening, see you, i agree, i don t know, no problem, you re welcome,
ship it, merge it, run it, push it, commit it, let s go, let s do it, let s continue, i m done, you re right,
не надо, все так, так и есть, не знаю, еще раз, мне нравится, mach weiter, mach das, tu das, noch mal, so ist es,
d accord, vas y, c est bon, ca marche, de acuerdo, otra vez, esta bien, pode ser, tudo bem, devam et
""".replace("\n", " ").split(",")),
    key=len,
    reverse=True,
)  # fmt: skip

_FOLDS = str.maketrans("áàâäãåéèêëíìîïóòôöõúùûüçñłśźżćńęąёışğ", "aaaaaaeeeeiiiiooooouuuucnlszzcneaеisg")


def is_acknowledgement(prompt: str) -> bool:
    """Tells whether a prompt only agrees, declines, thanks, greets or says to go on; an empty one does as well."""
    text = prompt.strip()
    if len(text) > LONGEST:
        return False
    kept = "".join([letter if letter.isalnum() else " " for letter in text.lower().translate(_FOLDS)])
    left = f" {' '.join(kept.split())} "
    for phrase in _PHRASES:
        left = left.replace(phrase, " ")
    return all(word in _WORDS or (word.isdigit() and len(word) == 1) for word in left.split())
