"""Words that every text has, as terms: what is asked is never about them."""

from __future__ import annotations

# ruff: noqa: E501 - tables of words

_WORDS = """
a about after again all also am an and any are as at be because been before being but by can cannot could did do does
doing done down during each few for from further had has have having he her here hers him his how i if in into is it its
just like me more most my myself no nor not now of off on once only or other our ours out over own please same she should
so some such than that the their them then there these they this those through to too under until up us very was we were
what when where which while who whom whose why will with would you your yours im ive id ill dont doesnt didnt cant wont
isnt arent wasnt werent hasnt havent youre thats whats lets theres let get got want need hey hi hello thanks thank ok okay
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о
из ему теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять уж вам ведь там потом себя ничего
ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет ж тогда кто
этот того потому этого какой совсем ним здесь этом один почти мой тем чтобы нее сейчас были куда зачем всех никогда можно
при наконец два об другой хоть после над больше тот через эти нас про всего них какая много разве эту моя впрочем хорошо
свою этой перед иногда лучше чуть том нельзя такой им более всегда конечно всю между это мне нам нужно пожалуйста привет
спасибо почему какие какое
der die das den dem ein eine einen einem einer eines und oder aber nicht ist sind waren sein haben wird werden
ich du er sie es wir ihr mir mich dir dich uns euch zu zum zur von vom auf aus bei nach vor fur uber unter durch gegen
wie was wer wo wann warum welche welcher welches dass wenn als auch noch nur schon so sehr kann konnen muss mussen soll bitte
le la les un une du de et ou mais ne est sont etait etre avoir as avons avez ont je tu il elle nous vous ils elles
ce cet cette ces mon ma mes ta tes sa ses notre votre leur leurs que qui quoi dont quand comment pourquoi quel quelle
quels quelles dans sur sous avec sans pour par tres aussi se si en au aux y
el los las lo uno unos unas del al o pero no es ser estar esta estan este estos estas ese esa hay han he
yo ella nosotros ellos ellas mi tu su sus nuestro que quien cual cuando donde como porque por para con sin sobre entre muy
mas tambien ya se le les me te nos
il lo gli i uno dei delle della dello nel nella con su per tra fra ma non e sono essere avere ho hai abbiamo hanno
che chi cosa quale quando dove come perche piu molto anche mi ti vi si
uma uns umas dos das no na nos nas em pelo pela mas nao e sao foi ser ter tem eu ele ela eles elas voce meu minha seu sua
que quem qual onde porque muito tambem
"""

_CHANGED = """
any are because before being does doing during has having hers its once only ours please very was why yours ive youre
thats whats lets theres thanks она его только было меня еще ему теперь когда даже если уже или быть него нибудь опять
ведь потом себя ничего может они есть надо ней тебя была будто чего тоже себе будет тогда того потому этого какой
совсем здесь этом почти мой чтобы нее были куда зачем никогда можно другой хоть после больше эти всего какая много
разве эту моя впрочем хорошо свою этой иногда лучше чуть нельзя такой более всегда конечно между это нужно пожалуйста
привет спасибо почему какие какое das eine eines uns welche welches als bitte les une etre avons elle ils elles cette
ces mes tes ses notre votre leurs quelle quels quelles dans sans tres los las unos unas este estos estas ese nosotros
ellos ellas donde porque sobre entre mas nos delle essere avere quale perche anche umas dos nas ele eles elas onde
"""
_STEMS = """
al anch ani ar aver avon be becaus befor bitt ce cett da dan dell do doe dond dure ein el ela ell ella ello entr es
esser est esta esto etr ha have her il it iv la le let leur lo ma me na no nosotro notr onc ond onli our perch pleas
porqu qual quel quell san se sobr te thank that there tre uma un una uno veri votr wa welch what whi your бол больш
буд будт был быт вед впроч всег всегд даж друг ег ем есл ест ещ зач зде ил иногд как когд конечн куд лучш межд мен
мног мо мож можн над не нег нельз нибуд никогд нич нужн он оп пожалуйст посл пот поч почт прив разв сво себ совс
спасиб так теб тепер тог тогд тож тольк уж хорош хот чег чтоб чут эт
"""
"""What the rules of `stems` make of some of the words: to stem them all costs a hook three milliseconds."""

STOP_WORDS: frozenset[str] = frozenset(_WORDS.split()).difference(_CHANGED.split()).union(_STEMS.split())
"""Stems: English, Russian, German, French, Spanish, Italian, Portuguese, without diacritics."""
