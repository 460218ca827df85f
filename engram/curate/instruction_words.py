"""The words of orders to an agent, by family and language, and how they go together.

Texts are compared folded: lower case, without accents, every white space one space. A family is what an order wants; a pattern is a verb of one group near
an object of another, so that new sentences of old words are met too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_GROUPS: Mapping[str, str] = {
    # verbs that set rules aside
    "drop": (
        r"ignore|ignoring|disregard|disregarding|forget|forgetting|discard|override|overriding|overrule|bypass|bypassing|"
        r"circumvent|neglect|abandon|dismiss|skip|stop (?:following|obeying|listening to)|pay no (?:attention|heed) to|"
        r"(?:do not|don't|no longer|never) (?:follow|obey|comply with|adhere to|heed|apply)|set aside|throw (?:away|out)|"
        r"cast aside|erase|wipe|unlearn|void|nullify|cancel|violate|break free (?:of|from)|disobey|"
        r"ignorier\w*|missacht\w*|vergiss|vergessen sie|vergesst|verwirf|verwerfen sie|uberschreib\w*|umgeh\w*|ubergeh\w*|ubergeh|"
        r"beachte\w* (?:nicht|keine)|befolge\w* (?:nicht|keine)|halte? dich nicht (?:mehr )?an|setz\w* (?:dich )?uber|"
        r"ignor(?:a|e|ar|ad|en|es|ez|er|i|iate|are|em|ando)|olvid(?:a|e|ar|en|ate|ese|ad)|descart(?:a|e|ar|en)|desestim(?:a|e|ar|en)|"
        r"hac?z? caso omiso|haga caso omiso|omit(?:e|a|ir|an)|desobedec\w+|anul(?:a|e|ar|en)|pasa por alto|no (?:sigas|obedezcas|hagas caso)|"
        r"oubli(?:e|es|ez|er|ons)|neglig(?:e|ez|er)|fai(?:s|tes) abstraction|ne tiens (?:pas|plus) compte|ne tenez (?:pas|plus) compte|"
        r"contourn(?:e|ez|er)|outrepass(?:e|ez|er)|laisse(?:z)? tomber|ne (?:suis|suivez|respecte|respectez) (?:pas|plus)|"
        r"dimentica(?:re|te)?|dimentichi|trascura(?:re|te)?|scorda(?:re|te|ti)?|non (?:considerare|seguire|tenere conto|rispettare)|disattendi|aggira(?:re)?|scavalca(?:re)?|annulla(?:re)?|"
        r"esquec(?:a|er|am|e)|desconsider(?:e|ar|em|a)|desrespeit(?:e|ar)|nao (?:siga|sigas|obedeca)|despreze|"
        r"игнорируй\w*|игнорировать|проигнорируй\w*|забудь\w*|забыть|отбрось\w*|отмени\w*|обойди\w*|нарушь\w*|пропусти\w*|не (?:следуй\w*|соблюдай\w*|выполняй\w*|обращай\w* внимания на|учитывай\w*)|"
        r"iгноруй\w*|ігноруй\w*|забудь\w*|знехтуй\w*|negeer|vergeet|sla .{0,20}over|zignoruj\w*|pomin|zapomnij\w*|ignorera|glom|yok say\w*|gormezden gel\w*|unut"
    ),
    # what came before, or is the agent's own
    "prior": (
        r"previous|prior|preceding|above|earlier|former|foregoing|past|existing|current|original|initial|old|older|system|developer|"
        r"your|built-?in|pre-?set|default|hidden|all (?:of )?(?:the|your|my|these|those|other)|any (?:other|of)|every|everything|other|"
        r"vorherig\w*|vorhergehend\w*|bisherig\w*|obig\w*|fruher\w*|vorangehend\w*|vorangegangen\w*|ursprunglich\w*|zuvor|"
        r"dein\w*|ihre[nr]?|eure|alle[nr]?|samtliche\w*|jegliche\w*|"
        r"anterior(?:es|i)?|previ(?:as|os|a|o)|precedent(?:es|i|e|s)?|tus?|sus|todas?|todos?|originales?|iniciales?|del sistema|"
        r"anterieur(?:e|es|s)?|initiales?|tes|vos|toutes?|tous|ci-dessus|du systeme|"
        r"tu(?:e|oi|a|o)|vostre|tutt[eio]|di sistema|iniziali|suas?|seus?|todo|do sistema|acima|"
        r"предыдущ\w+|прежн\w+|прошл\w+|вс[ею]|всех|вcе|все|сво\w+|тво\w+|ваш\w*|выше\w*|системн\w+|изначальн\w+|ранее|"
        r"попередн\w+|vorige|eerdere|poprzedni\w+|wczesniejsz\w+|tidigare|onceki|tum"
    ),
    # rules an agent has
    "rules": (
        r"instructions?|instrs?|prompts?|rules?|guidelines?|guidance|directives?|directions|commands?|orders|polic(?:y|ies)|constraints?|restrictions?|"
        r"guard ?rails?|safeguards?|safety|programming|training|conditioning|configuration|messages?|context|limits?|limitations?|filters?|protocols?|principles|"
        r"(?:system|sicherheits)?-?(?:anweisung\w*|vorgabe\w*|vorschrift\w*|richtlinie\w*|regeln?|instruktion\w*|befehle?n?|prompts?|einschrankung\w*|hinweise?)|"
        r"instruc(?:cion(?:es)?|oes|ao)|reglas?|directri(?:z|ces)|ordenes|indicacion(?:es)?|normas?|restriccion(?:es)?|politicas?|"
        r"consignes?|regles?|invites?|ordres|politiques?|instruction\w*|istruzion[ei]|regol[ea]|line[ae] guida|direttiv[ea]|ordini|comandi|vincoli|restrizioni|"
        r"regras?|diretri(?:z|zes)|ordens|comandos|restric(?:oes|ao)|"
        r"инструкц\w+|правил\w*|указани\w+|команд\w*|ограничени\w+|промпт\w*|сообщени\w+|директив\w*|установк\w+|настройк\w+|"
        r"інструкц\w+|вказівк\w+|instructies|regels|opdrachten|instrukcj\w+|polece\w+|zasad\w*|instruktioner\w*|regler|talimat\w*|kural\w*"
    ),
    "everything": (
        r"(?:everything|anything|all|whatever|what) (?:that )?(?:you (?:were|was|have been|had been|ve been) (?:told|taught|given|instructed)|you (?:know|learned|learnt)|"
        r"(?:is |was |written |said |stated )?(?:above|before|earlier|previously|so far|up to (?:now|this point))|(?:i|we|they) (?:said|told|discussed|wrote)|came before|"
        r"i told you|we have discussed|we talked about|precedes)|alles,? (?:was|davor|oben|bisherige|vorherige|zuvor)|todo lo (?:anterior|que|dicho|de arriba|previo)|"
        r"tout ce qui (?:precede|a ete|est)|tout ce que|tout ce qu on|tutto (?:quello|cio|il resto|quanto|il precedente)|tudo (?:o que|que|acima|antes)|все,? (?:что|сказанное|предыдущее|выше)|всё,? что|alles wat|wszystko,? co"
    ),
    # secrets of the agent and of its people
    "inner": (
        r"system ?-?(?:prompt|message|instructions?|configuration|settings)|(?:hidden|secret|initial|original|internal|full|first|raw|underlying|private|confidential|developer) (?:system )?(?:prompts?|instructions?|rules?|directives?|messages?|configuration|config|context|system prompt)|"
        r"your (?:\w+ ){0,2}(?:prompt|instructions?|rules|guidelines|directives?|configuration|programming|training data|system message|pre-?prompt|context window)|"
        r"(?:text|words|message|instructions|prompt|everything|content|conversation|what) (?:\w+ ){0,3}(?:above|before this)|"
        r"system-?prompts?|systemanweisung\w*|interne[nr]? (?:anweisung\w*|daten|regeln|informationen)|dein\w* (?:\w+ )?(?:anweisung\w*|instruktion\w*|regeln|prompt|richtlinien)|"
        r"prompt (?:del|de|do|di|du) (?:sistema|systeme)|prompt (?:systeme|sistema|inicial|interno|initial|iniziale|oculto|cache|nascosto)|(?:tus|sus|las|tue|le tue|le|suas|as suas|as|tes|vos|les) (?:\w+ )?(?:instruc\w+|istruzion\w+|instructions|consignes|directrices|regole|regles|reglas|regras|diretrizes) (?:(?:del|de|di|do|du) )?(?:sistema|systeme|internas?|interne|internes|ocult\w+|nascost\w+|cachees?|secretes?|segret\w+|inicia\w+|initiales?|origina\w+|iniziali)|invite (?:systeme|du systeme)|"
        r"(?:tus|tue|suas|tes|vos) (?:instruc\w+|istruzioni|consignes|directrices|regole)|"
        r"(?:tu|tuo|seu|teu|ton|votre|su) (?:system )?prompt|"
        r"(?:системн\w+|скрыт\w+|внутренн\w+|тво\w+|сво\w+|исходн\w+|начальн\w+) (?:\w+ )?(?:промпт\w*|инструкц\w+|подсказк\w+|правил\w*|сообщени\w+|запрос\w*|настройк\w+|данн\w+)|"
        r"systeemprompt|prompt systemowy|systeminstruktion\w*"
    ),
    "show": (
        r"reveal|show|print|output|repeat|display|dump|leak|tell|give|recite|expose|disclose|share|divulge|spell out|write out|echo|quote|list|"
        r"describe|return|copy|paste|type|summari[sz]e|translate|provide|send|state|verbatim|what (?:is|are|was|were|s)|read (?:back|out|me)|begin by|"
        r"zeig\w*|verrat\w*|gib|gibst|geben sie|offenbar\w*|nenn\w*|wiederhol\w*|druck\w*|ausgeben|preisgeben|leg\w* .{0,20}offen|sag mir|"
        r"revel(?:a|e|ar|en|ez|er|em)|muestr(?:a|e|en|ame)|mostr(?:a|ar|ame|ami|are|e|em|ate)|ensena(?:me)?|imprim(?:e|a|ir|ez|er|ame)|dime|diga(?:me)?|repit(?:e|a)|comparte|filtra|"
        r"montre(?:z)?(?:-moi)?|affiche(?:z|r)?|divulgue(?:z|r)?|donne(?:z)?(?:-moi)?|dis-moi|repete(?:z|r)?|devoile(?:z|r)?|communique(?:z)?|"
        r"rivela(?:re|mi|te)?|stampa(?:re|mi)?|dimmi|ripeti|divulga(?:re)?|svela(?:re|mi)?|exib(?:a|ir)|diga-me|imprima|repita|"
        r"покажи\w*|раскро\w+|выведи\w*|сообщи\w*|назови\w*|напечатай\w*|повтори\w*|выдай\w*|расскажи\w*|перечисли\w*|toon|geef|laat .{0,10}zien|pokaz|ujawnij|visa"
    ),
    "leak": (
        r"reveal|leak|dump|exfiltrate|expose|disclose|divulge|steal|harvest|collect and send|hand over|give away|"
        r"verrat\w*|preisgeb\w*|gib|gibst|offenleg\w*|revel(?:a|e|ar|en|ez|er)|filtra|divulg\w+|rivela\w*|vaza|раскро\w+|выдай\w*|слей\w*"
    ),
    "treasure": (
        r"credentials?|api[ -]?keys?|passwords?|secrets|secret keys?|access tokens?|tokens|private keys?|ssh keys?|environment variables|env vars|\.env|"
        r"(?:customer|user|client|personal|private|internal|confidential|sensitive|raw|full|company|patient|employee|member|financial|bank|payment|payroll) (?:\w+ )?(?:data|database|list|records?|emails?|info|information|details|files|pages|documents|config\w*|credentials|notes)|"
        r"(?:entire|whole|full|raw) (?:\w+ )?(?:database|table|history|conversation|memory|disk|codebase|environment)|customers? list|internal (?:configuration|data|details|pages|documents)|"
        r"admin(?:istrator)? (?:pages?|panel|password|credentials)|credit cards?|"
        r"zugangsdaten|passworter\w*|passwort\w*|(?:interne\w*|alle\w*|geheime\w*|vertrauliche\w*|personliche\w*) \w{0,12} ?daten|kundendaten|kundenliste|api-?schlussel|nutzerdaten|benutzerdaten|geheimnisse|"
        r"contrasenas?|credenciales|claves?(?: api| de api| secretas?)?|datos (?:\w+ ){0,3}(?:clientes?|usuarios?|internos|personales|confidenciales)|lista de clientes|datos de (?:los )?clientes|"
        r"mots? de passe|identifiants|cles? (?:api|d'api|secretes?)|donnees (?:\w+ ){0,3}(?:clients?|internes|personnelles|confidentielles|utilisateurs?)|donnees|liste des clients|"
        r"credenziali|chiavi (?:api|segrete)|dati (?:\w+ ){0,3}(?:clienti|interni|personali|riservati|utenti)|dati|lista (?:dei )?clienti|elenco (?:dei )?clienti|"
        r"senhas?|credenciais|chaves?(?: de)? api|dados (?:\w+ ){0,3}(?:clientes?|internos|pessoais|confidenciais|usuarios)|"
        r"парол\w+|учетн\w+ данн\w+|ключ\w* (?:api|доступа)|api[- ]ключ\w*|секрет\w+|токен\w*|(?:конфиденциальн\w+|внутренн\w+|персональн\w+|личн\w+|клиентск\w+) (?:данн\w+|информаци\w+)|данн\w+ (?:клиент\w+|пользовател\w+)|список клиентов|баз\w+ данных"
    ),
    "send": (
        r"send|sends|email|e-mail|forward|post|upload|transmit|exfiltrate|submit|cc|bcc|mail|deliver|share|copy|leak|push|dispatch|relay|report|http_post|send_email|"
        r"schick\w*|sende\w*|ubermittl\w*|ubermittel\w*|leite\w*|mail\w*|weiterleit\w*|envi(?:a|e|ar|en|alos|alas|alo|ala|emos)|mand(?:a|e|ar|en|alos)|reenvi(?:a|e|ar|en|alo|ala|alos)|remit(?:e|a)|transmit\w+|"
        r"envoi(?:e|es|ent)|envoye(?:z|r)|envoie-?les|transmet\w*|transfer\w*|expedi\w+|invi(?:a|ate|are|ali|alo|ale|i)|inoltra\w*|spedisc\w+|trasmett\w+|"
        r"encaminh(?:e|ar)|отправ\w+|перешл\w+|вышл\w+|выслать|передай\w*|скинь\w*|загрузи\w*|stuur|wyslij|skicka"
    ),
    "address": (
        r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}|https?://\S{3,200}|\w[\w-]{0,40}\.(?:onion|ngrok\.io|example|evil\.com)\b|"
        r"(?:an? |the |this |my |our )?(?:external|outside|third[- ]party|remote|attacker'?s?|following|listed|this) (?:\w+ )?(?:address|server|url|endpoint|webhook|site|host|email|account|inbox|domain)|"
        r"extern\w* (?:e-?mail-?)?(?:adresse|server)|(?:direccion|correo|servidor|adresse|adresse e-?mail|serveur|indirizzo|indirizzo email|endereco|servidor) extern\w+|внешн\w+ (?:адрес|сервер|почт)\w*"
    ),
    # being somebody without rules
    "be": (
        r"you are (?:now|no longer|from now on|henceforth|going to be)|you re (?:now|no longer)|you(?:'re| are) (?:a|an|the|my) |you will (?:now |henceforth )?(?:act|be|become|behave|respond|answer|pretend|play)|"
        r"act (?:as|like)|acting as|pretend|behave (?:as|like)|role-?play|play the role|simulate|emulate|imagine (?:that )?(?:you|an)|become|transform into|switch (?:to|into)|enter|enable|activate|unlock|"
        r"respond|answer|reply|operate|speak|comply|work as|assume the (?:role|persona|identity)|take on the (?:role|persona)|"
        r"du bist (?:jetzt|nun|ab (?:jetzt|sofort)|nicht mehr)|tu so|stell dir vor|verhalte dich|spiel\w*|handle als|agiere|antworte\w*|beantworte\w*|"
        r"eres (?:ahora|un)|ahora eres|ya no eres|actua|finge|haz de cuenta|imagina|comportate|responde\w*|contesta|"
        r"tu es (?:maintenant|desormais|un|une)|vous etes (?:maintenant|desormais|un|une)|tu n'es plus|agis|agissez|fais comme si|faites comme si|fais semblant|pretends|imagine|comporte-toi|repond\w*|"
        r"(?:ora |adesso )?sei (?:ora|adesso|un|una|libero)|non sei piu|fai finta|fingi|agisci|immagina|comportati|rispond\w*|"
        r"voce (?:e|agora e|nao e mais)|agora voce|aja|finja|imagine|comporte-se|responda|"
        r"(?:теперь )?ты (?:теперь|больше не|станешь|будешь)|вы теперь|представь\w*|притворись|притворяйся|веди себя|действуй\w*|отвечай\w*|ответь\w*|сыграй|играй роль"
    ),
    "unbound": (
        r"(?:no|without|free of|free from|zero|lacks?|lacking|beyond|any) (?:(?:\w+ ){0,1}(?:of |or ))?(?:\w+ )?(?:restrictions?|rules|filters?|limits?|limitations?|guidelines?|polic(?:y|ies)|content polic(?:y|ies)|censorship|constraints?|boundaries|guardrails?|ethics|ethical \w+|moral\w*|safety|safeguards?|restraints?)|"
        r"unrestricted|unfiltered|uncensored|unlimited mode|unbound|unshackled|jail ?-?broken|jailbreak|(?:god|dev|developer|debug|dan|admin|root|sudo|maintenance|unsafe|chaos|evil) mode|"
        r"\bdan\b|do anything now|(?:answers?|does|do|says?) (?:anything|everything)(?: i ask)?|evil (?:twin|version|ai|assistant|bot)|opposite of your|ignores? (?:all )?(?:rules|safety|ethics)|"
        r"ohne (?:jegliche |irgendwelche |alle )?(?:einschrankung\w*|einschraenkung\w*|beschrankung\w*|regeln|filter|grenzen|limits?|zensur|richtlinien|vorgaben|sicherheits\w+)|kein(?:e|en|erlei)? (?:einschrankung\w*|einschraenkung\w*|beschrankung\w*|regeln|filter|grenzen|richtlinien|zensur)|uneingeschrankt\w*|unzensiert\w*|"
        r"sin (?:ningun[ao]? |ningun tipo de )?(?:restriccion(?:es)?|limites?|limitacion(?:es)?|reglas?|filtros?|censura|normas)|no (?:tienes|hay|tiene|tuvieras|tuvieses|tuviera) (?:ningun[ao]? )?(?:restriccion(?:es)?|limites?|reglas?|filtros?|normas)|modo (?:desarrollador|dios|sin restricciones)|"
        r"sans (?:aucun[e]? )?(?:restrictions?|limites?|limitations?|regles?|filtres?|censure|contraintes?)|(?:plus|pas|aucun[e]?) (?:de |d')?(?:restrictions?|limites?|regles?|filtres?|contraintes?)|mode (?:developpeur|sans restriction\w*)|"
        r"senza (?:alcun[ao]? |nessun[ao]? )?(?:restrizion[ei]|limit[ei]|limitazion[ei]|regol[ea]|filtr[oi]|censura|vincol[oi])|(?:non (?:hai|ci sono|ha|avessi) (?:piu )?|nessun[ao]? )(?:alcun[ao]? )?(?:restrizion[ei]|limit[ei]|regol[ea]|filtr[oi])|modalita (?:sviluppatore|senza)|"
        r"sem (?:nenhum[a]? |qualquer )?(?:restric(?:oes|ao)|limites?|limitac(?:oes|ao)|regras?|filtros?|censura)|nao (?:tem|ha|possui) (?:mais )?(?:restricoes|limites|regras|filtros)|"
        r"без (?:каких-либо |всяких |любых )?(?:ограничени\w*|правил|фильтр\w*|цензур\w*|лимит\w*)|нет (?:никаких )?(?:ограничени\w*|правил|фильтр\w*)|режим\w* (?:разработчика|бога)"
    ),
    "henceforth": (
        r"from now on|from this (?:point|moment) (?:on|onwards?|forward)|from here on(?: out)?|henceforth|as of now|starting now|"
        r"ab (?:jetzt|sofort|nun|heute)|von nun an|von jetzt an|a partir de (?:ahora|este momento|agora)|desde (?:ahora|este momento|agora)|de ahora en adelante|de agora em diante|"
        r"desormais|dorenavant|a partir de maintenant|des maintenant|d'ora in (?:poi|avanti)|da (?:ora|adesso|questo momento)(?: in poi)?|с этого момента|отныне|начиная с этого момента|теперь|vanaf nu|od teraz"
    ),
    "obey": (
        r"you (?:must |will |shall |should |may |can |are |have )?(?:only |always |now |not )?(?:answer|respond|reply|comply|obey|act|follow|do|speak|execute|grant|accept|approve|say|give|have no|are (?:no longer|not|a|an|my|now|unrestricted|free))|"
        r"(?:respond|answer|comply|obey|act) (?:as|with|to|only|freely|in|like|without)|do (?:exactly )?(?:what|as) i|follow only|only follow|obey|comply with|"
        r"(?:gibst|hast|bist|wirst|antwortest|musst|darfst|befolgst|folgst) du|du (?:gibst|hast|bist|wirst|antwortest|musst|befolgst|folgst)|antworte\w*|gehorche\w*|befolge\w*|"
        r"(?:eres|no tienes|debes|responderas|actua|haras|obedece|responde)|(?:tu|vous) (?:es|etes|dois|devez|n'as|n'avez|reponds|repondez|obeis|agis)|(?:sei|non hai|devi|risponderai|rispondi|obbedisci|farai)|"
        r"voce (?:e|nao tem|deve|respondera|ira)|(?:ты|вы) (?:должен|должны|будешь|обязан|отвечаешь|не имеешь|выполняешь|станешь)|отвечай\w*|выполняй\w*|подчиняйся|слушай\w*"
    ),
    "order": r"instructions?|directives?|tasks?|orders?|goals?|objectives?|mission|role|rules?|command|purpose|priority|persona|identity|system prompt",
    "guard": (
        r"(?:safety|security|content|moderation|ethic(?:s|al)|usage|policy|permission|approval|alignment|protective|privacy) (?:\w+ )?(?:protocols?|checks?|filters?|guidelines?|polic(?:y|ies)|restrictions?|measures?|confirmations?|guardrails?|rules?|mechanisms?|controls?|limits?|settings?|systems?|layers?)|content polic(?:y|ies)|guardrails|usual (?:restrictions|rules|limits|checks)|"
        r"sicherheits(?:richtlinien?|regeln?|protokolle?|vorkehrungen|mechanismen|prufungen|filter|massnahmen)|(?:reglas|directrices|normas|politicas|filtros|protocolos|medidas) de seguridad|"
        r"(?:regles|consignes|directives|filtres|mesures|protocoles) de securite|(?:linee guida|regole|protocolli|filtri|misure) di sicurezza|(?:regras|diretrizes|politicas|filtros|protocolos) de seguranca|(?:правил\w*|протокол\w*|мер\w*|фильтр\w*|политик\w*) безопасности"
    ),
    "off": (
        r"disabled?|off|suspend(?:ed)?|lifted|bypass(?:ed)?|waived|removed|deactivated?|void|exempt|overridden|turned off|switched off|no longer (?:apply|applies|active|in effect|needed|required)|"
        r"(?:do|does|did|are|is|were|was|should|need) ?(?:not|n't) (?:\w+ ){0,3}(?:apply|applies|applicable|meant|intended|needed|required|relevant|count|in effect)|not meant for|"
        r"deaktivier\w*|aufgehoben|ausgeschaltet|ausser kraft|nicht (?:gelten|gilt|anwendbar|greifen|mehr)|(?:hier |fur \w+ )?nicht gelten|umgangen|desactivad\w+|desactiv\w+|no (?:se )?(?:aplican?|valen|rigen|cuentan)|suspendid\w+|anulad\w+|"
        r"desactive\w*|suspendu\w*|ne s'appliquent (?:pas|plus)|ne (?:valent|comptent) (?:pas|plus)|leve\w*|disattivat\w+|disabilitat\w+|sospes\w+|non (?:si applicano|valgono|contano|sono valide)|nao se aplicam|desativad\w+|отключен\w*|не (?:действу\w+|применя\w+|распространя\w+)|снят\w+|отменен\w*"
    ),
    "reader": (
        r"(?:ai|a\.i\.|llm|language) ?-?(?:agents?|assistants?|models?|bots?|systems?|tools?|coding agents?|coding assistants?|readers?)|(?:the |any |all )?(?:assistants?|bots?|chatbots?|copilot|llms?|gpt|claude|gemini|codex)\b|coding agents?|autonomous agents?"
    ),
    "tool": (
        r"(?:send|post|delete|remove|transfer|upload|http|exec|execute|run|write|forward|share|drop|wipe|grant|pay|move|purchase|export|publish|disable|reset|create|update|modify|get|fetch|read|list)_"
        r"(?:e?mails?|mail|files?|messages?|posts?|requests?|get|money|funds|payments?|shell|commands?|code|data|databases?|tables?|records?|users?|accounts?|access|permissions?|records?|directory|backup|logs?|secrets?|credentials?|customers?|sql|script|webhook|role)\w*"
    ),
    "mark_out": (
        r"(?:summary|summaries|reply|replies|response|responses|answer|answers|outputs?|reports?|final answer)"
    ),
}
"""Alternatives by group. What stands in ``{braces}`` in a pattern is one of these."""

PATTERNS: tuple[tuple[str, str], ...] = (
    ("tells it to set its rules aside", r"(?<!never )(?<!not )(?<!n't )\b(?:{drop}) (?:(?:and|or) \w+ )?(?:(?:any|all|the|of|these|those|this|my|le|la|las|los|les|il|gli|i|as|os|die|der|den|de|toda|tutte|a) ){0,4}(?:\w+ ){0,1}(?:{prior}) (?:\S+ ){0,3}(?:{rules})\b"),
    ("tells it to set its rules aside", r"(?<!never )(?<!not )(?<!n't )\b(?:{drop}) (?:\S+ ){0,3}(?:{rules}) (?:\S+ ){0,2}(?:{prior}|given|before|received|set|provided|that came|so far|you (?:were|have)|of (?:the|your) (?:system|developer)|anteriores?|precedentes?|precedenti|previas?|recibid\w+|ricevut\w+|recues?|выше)\b"),
    ("tells it to set its rules aside", r"\b(?:{drop}),? (?:\w+ ){0,3}(?:{everything})"),
    ("tells it to set its rules aside", r"\b(?:{drop}) (?:\w+ ){0,3}(?:{guard})"),
    ("tells it to set its rules aside", r"(?:忽略|无视|無視|忽視|忘记|忘掉|忘記|不要理会|不理会|不要遵守|跳过|绕过|违反).{0,14}(?:指令|指示|规则|規則|提示|说明|限制|命令|约束|准则|設定|设定|对话|内容)"),
    ("tells it to set its rules aside", r"(?:指示|命令|ルール|プロンプト|規則|設定|制限|指令).{0,8}(?:無視|忘れ|破っ|従わな)"),
    ("tells it to set its rules aside", r"(?:이전|위의|모든|기존|앞의|시스템).{0,12}(?:지시|명령|규칙|프롬프트|지침|설정).{0,8}(?:무시|잊|따르지)"),
    ("tells it to set its rules aside", r"(?:تجاهل|انس[َى ]).{0,30}(?:التعليمات|الأوامر|القواعد)|(?:अनदेखा|भूल|नज़रअंदाज़).{0,30}|(?:पिछले|सभी).{0,20}(?:निर्देश|नियम).{0,20}(?:अनदेखा|भूल|नज़रअंदाज़)"),
    ("gives it new orders", r"\b(?:your|the) (?:new|updated|real|actual|true|only|sole|revised|hidden|secret|primary|first|next) (?:\w+ )?(?:{order}) (?:is|are|will be|now|from|supersedes?|overrides?|replaces?|:)"),
    ("gives it new orders", r"(?:^|[.!?:*#>\n-] ?)(?:new|updated|revised|additional|important new|real|urgent) (?:\w+ )?(?:{order})(?: for (?:the )?(?:\w+ ){0,2}\w+)? ?:"),
    ("gives it new orders", r"\b(?:supersedes?|overrides?|replaces?|takes? precedence over|overwrites?|trumps?|outranks?) (?:\w+ ){0,3}(?:{prior}) (?:\w+ ){0,2}(?:{rules})\b|\b(?:supersedes?|overrides?|replaces?|takes? precedence over|overwrites?) (?:all|any|every) (?:prior|previous|other|earlier|existing|preceding)\b"),
    ("gives it new orders", r"(?:{henceforth}),? (?:\S+ ){0,4}(?:{obey})\b"),
    ("gives it new orders", r"(?:从现在起|从现在开始|从此刻起|今后|现在开始|從現在開始).{0,12}(?:你|您|必须|没有|不再|只)|(?:これから|今から).{0,12}(?:あなた|従|答え|無制限)|(?:neue|geanderte|aktualisierte) (?:system)?(?:anweisung\w*|instruktion\w*|regeln?|befehle?) ?:|nuevas? (?:instruccion\w*|ordenes|reglas) ?:|nouvelles? (?:instructions?|consignes?|regles?) ?:|nuov[ea] (?:istruzion\w*|regol\w|direttiv\w) ?:|novas? (?:instruc\w+|regras?) ?:|нов\w+ (?:инструкц\w+|указани\w+|правил\w*|задани\w*) ?:|新(?:的)?(?:指令|指示|任务|规则)[:：]"),
    ("gives it new orders", r"\b(?:comply|obey|agree|cooperate) (?:with|to) (?:every|all|any|each|whatever|my|these) (?:\w+ ){0,2}(?:requests?|commands?|orders?|instructions?|demands?|question)"),
    ("gives it new orders", r"\bfollow only (?:\w+ ){0,3}(?:commands?|instructions?|orders?|requests?)|\bonly (?:follow|obey|listen to) (?:my|the user'?s?|these|me|user)\b"),
    ("asks for what it should keep", r"(?<!never )(?<!not )(?<!n't )\b(?:{show}) (?:\S+ ){0,6}?(?:{inner})\b"),
    ("asks for what it should keep", r"\b(?:{inner}) (?:\S+ ){0,5}?(?:verbatim|word for word|in full|aus|preis|offen|completo|mot pour mot|parola per parola|palabra por palabra|wort fur wort|слово в слово|дословно)\b"),
    ("asks for what it should keep", r"(?<!never )(?<!not )(?<!n't )(?<!avoid )\b(?:{leak}) (?:\S+ ){0,5}?(?:{treasure})\b"),
    ("asks for what it should keep", r"(?:显示|透露|泄露|输出|告诉我|公开|打印|重复|展示|說出|说出|给我看).{0,14}(?:系统提示|系統提示|提示词|提示語|密码|密碼|密钥|内部|初始指令|系统指令|隐藏)|(?:システムプロンプト|内部|隠された|秘密).{0,12}(?:表示|見せ|教え|出力|公開)|(?:시스템 ?프롬프트|내부|비밀번호).{0,12}(?:보여|알려|공개|출력)"),
    ("asks for what it should keep", r"\bwhat (?:was|is|were|are|s) (?:\w+ ){0,3}(?:written |said |stated |instructions? |text )?(?:above|before) (?:this|the) (?:conversation|message|line|prompt|chat)"),
    ("makes it somebody without rules", r"\b(?:{be})\b,? ?(?:\S+ ){0,11}?(?:{unbound})\b"),
    ("makes it somebody without rules", r"\b(?:{unbound})\b,? (?:\S+ ){0,8}?(?:answer|respond|reply|comply|antworte\w*|repond\w*|responde\w*|rispond\w*|responda|отвечай\w*|assistant|chatbot|ai|llm|language model)\b"),
    ("makes it somebody without rules", r"\byou (?:now )?have (?:\w+ )?(?:no|zero) (?:\w+ )?(?:restrictions?|rules|limits|limitations|filters?|guidelines|constraints)|\byou are (?:now )?(?:unrestricted|uncensored|unfiltered|jailbroken|dan\b|free of|freed from)|\byou are no longer (?:\w+ ){0,3}(?:bot|assistant|bound|restricted|limited|an ai|required|subject)"),
    ("makes it somebody without rules", r"\b(?:developer|god|dan|jailbreak|unrestricted|debug|admin|unsafe|sudo) mode (?:is |has been |now )?(?:enabled|activated|on|engaged|unlocked|active)|\b(?:enable|activate|enter|unlock|switch to|engage) (?:\w+ ){0,2}(?:developer|god|dan|jailbreak|unrestricted|unsafe) mode"),
    ("makes it somebody without rules", r"(?:没有任何|沒有任何|不受任何|没有|不受|无).{0,6}(?:限制|约束|规则|過濾|过滤|审查).{0,12}|(?:制限|規制|ルール|フィルター)(?:の|が)?(?:ない|なし)(?:に|で|の)?.{0,8}(?:ai|アシスタント|答え|応答)|제한 ?없(?:는|이).{0,10}"),
    ("says that its safeguards don't hold", r"\b(?:{guard}) (?:\S+ ){0,7}?(?:{off})\b"),
    ("says that its safeguards don't hold", r"\b(?:exempt|released|freed|exempted|excluded) from (?:\w+ ){0,4}(?:restrictions?|rules?|polic(?:y|ies)|guidelines?|limits?|filters?|checks?)\b|\b(?:skip|bypass|disable|turn off|switch off|suspend|remove|deactivate|circumvent) (?:all |any |the |every |your |these |such )?(?:\w+ )?(?:{guard})\b"),
    ("says that its safeguards don't hold", r"\b(?:user|request|admin|owner|operator) (?:is|has|was|has been) (?:\w+ ){0,3}(?:clearly |already |fully |pre-?)?(?:authori[sz]ed|verified|approved|granted|an admin|permission|cleared|exempt)\b.{0,120}?\b(?:skip|disregard|ignore|proceed|grant|all requests|full answer|without|no restrictions|comply|bypass)\b"),
    ("says that its safeguards don't hold", r"\bgrant (?:(?:this|the) (?:user|requester|customer|sender|caller|person)|me|us|all|every|any) (?:\w+ ){0,3}?(?:access|requests?|privileges|permissions|rights)\b"),
    ("says that its safeguards don't hold", r"\b(?:as (?:the|an?|your) (?:assistant|ai|model)|i have (?:already )?(?:concluded|determined|reasoned|verified|decided|established)|ich (?:habe )?(?:bereits )?(?:festgestellt|entschieden)|(?:ya )?he determinado|ho (?:gia )?stabilito|j'ai (?:deja )?(?:determine|etabli|conclu)|ja determinei|(?:уже )?(?:установил|решил|определил))\b.{0,160}?\b(?:{unbound}|restricted content|comply fully|full answer|output the restricted|safety \w+ (?:do|were|are) not|disregard)\b"),
    ("sends what it knows elsewhere", r"\b(?:{send}) (?:\S+ ){0,10}?(?:{treasure}|summary|summaries|contents?|conversation|chat|history|memory|memories|transcript|results?|findings|output|notes?|documents?|everything|it|them|los datos|les|die daten) (?:\S+ ){0,8}?(?:{address})"),
    ("sends what it knows elsewhere", r"\b(?:{treasure}|conversation|memory|memories|transcript) (?:\S+ ){0,14}?(?:{send}) (?:\S+ ){0,8}?(?:{address})"),
    ("sends what it knows elsewhere", r"\b(?:{send}) (?:\S+ ){0,4}?(?:to|at|via|an|a|alla|all|al|на|para|vers|nach) (?:\S+ ){0,6}?(?:{address}) (?:\S+ ){0,8}?(?:{treasure}|summary|conversation|memory|contents|transcript)"),
    ("sends what it knows elsewhere", r"(?:发送|发给|转发|上传|傳送|寄).{0,30}(?:@|https?://|外部)|(?:客户|用户|密码|密钥|数据).{0,20}(?:发送|转发|上传|发给).{0,30}"),
    ("sends what it knows elsewhere", r"!\[[^\]\n]{0,200}\]\(https?://[^)\s]{1,300}(?:[?&/=](?:\{|\$|%7b|<|\[)[^)\n]{0,200}|[?&](?:q|data|d|c|s|secret|token|payload|info|ctx|context|leak|exfil|memory|history|key|env|msg|chat|prompt|conversation)=[^)\n]{0,300})\)"),
    ("has it call tools for somebody else", r"\b(?:use|call|invoke|run|execute|trigger|chama|llama a|appelle|chiama|rufe|вызови)\b(?: the| your| its)?(?: tool| function)? [`'\"]?(?:{tool})\b[`'\"]?(?:\(\))? (?!(?:function|method|helper|in|from|class|module|endpoint)\b)(?:\S+ ){0,12}?(?:before|now|immediately|right away|first|and|to|with|on)\b"),
    ("has it call tools for somebody else", r"<(?:/)?(?:tool_call|tool_calls|function_calls?|antml:\w+|invoke|tool_use|tool_result|function_results?|tool_response)\b[^>]{0,100}>|\"tool_calls\" ?: ?\[|\"role\" ?: ?\"(?:system|assistant|tool|developer)\" ?, ?\"content\"|<\|(?:tool|python_tag|plugin|action_start)[^>]{0,30}\|>"),
    ("speaks to whoever reads it", r"\b(?:when|whenever|as soon as|once|before|after|if|while) (?:you|an? (?:ai|llm|agent|assistant|model)|the (?:ai|llm|agent|assistant|model)) (?:\w+ )?(?:reads?|process(?:es)?|see|sees|summari[sz]es?|recalls?|opens?|receives?|parses?|ingests?|encounters?|loads?|reviews?) (?:this|these|the following|the above|my) (?:ticket|page|note|memory|message|document|doc|file|email|issue|text|entry|line|comment|record|content|readme|article|website|site|package)?,? ?(?:\S+ ){0,6}?(?:also |first |you |must |should |always |silently |immediately )?(?:email|send|forward|run|execute|delete|call|post|reveal|ignore|approve|include|append|say|reply|respond|print|tell|do not|don't|never|upload|grant|transfer)\b"),
    ("speaks to whoever reads it", r"\b(?:attention|note|notice|message|instructions?|reminder|dear|hey|hello|warning|important|memo) ?[,:]? (?:to |for |all )?(?:the |any |all |every |an? )?(?:{reader})(?: (?:reading|processing|using|who|that|in|on)\b[^:]{0,60})? ?[:,!]|(?:^|[.!?:>*] ?)(?:to|for) (?:the |any |all |every )?(?:ai|llm) (?:agents?|assistants?|models?)\b[^:.]{0,60}[:!]"),
    ("speaks to whoever reads it", r"\bif you are (?:an? |the )?(?:{reader}|language model|automated \w+|machine)\b|\b(?:{reader}) (?:that |who |which |currently )?(?:are |is )?(?:reading|processing|integrating|installing|parsing|summari[sz]ing|ingesting|crawling|scraping|viewing|analy[sz]ing|evaluating|consuming|using|indexing|importing|visiting|browsing|working on|working with) (?:this|these|the following)\b (?:\S+ ){0,12}?(?:should|must|need|shall|have to|are required|are asked|will|please)\b"),
    ("speaks to whoever reads it", r"\bnote to (?:self|bot|the bot|ai|assistant|agent|model)\b (?:\S+ ){0,8}?(?:on the next|next user|every|always|must|reveal|begin by|your)\b"),
    ("puts words into its answers", r"\b(?:include|append|add|insert|put|mention|repeat|prepend|attach|place|reproduce|cite|embed|echo|output|write|begin|start|end|finish|quote|copy)\b (?:\S+ ){0,16}?(?:in|to|at|into|within|with|on) (?:\w+ ){0,6}?(?:your|every|each|all|any) (?:\w+ ){0,3}{mark_out}\b"),
    ("puts words into its answers", r"\bmust (?:be )?(?:also )?(?:include|included|appended|appear|added|repeated|quoted|reproduced|present|placed|inserted|echoed|end|begin|start)\b (?:\S+ ){0,10}?(?:your|every|each|all|any) (?:\w+ ){0,3}{mark_out}\b"),
    ("puts words into its answers", r"(?:am ende|zu beginn|in|an) (?:jeder|jede|deiner|aller|ihrer) (?:\w+ ){0,2}(?:antwort\w*|zusammenfassung\w*|ausgabe\w*)\b|(?:a la fin|au debut|dans|a) (?:de )?(?:toute|chaque|votre|ta|vos|tes) (?:\w+ ){0,2}(?:reponses?|resumes?|sorties?)\b|(?:alla fine|all'inizio|in|nella|a) (?:di |della )?(?:ogni|tua|vostra|ciascuna) (?:\w+ ){0,2}(?:rispost\w|riassunt\w|riepilog\w)\b|(?:al final|al principio|en|al inicio) (?:de )?(?:cada|toda|tu|su) (?:\w+ ){0,2}(?:respuestas?|resumen\w*)\b|(?:no final|ao final|em|no inicio) (?:de )?(?:cada|toda|sua) (?:\w+ ){0,2}(?:respostas?|resumos?)\b|в (?:конце|начале|конец|начало) (?:кажд\w+|люб\w+|тво\w+|сво\w+) (?:\w+ ){0,2}ответ\w*|(?:в|к) (?:кажд\w+|сво\w+|тво\w+) ответ\w*|每(?:次|个|一个)?(?:回复|回答|响应).{0,10}(?:包含|加上|添加|附上|末尾)"),
    ("puts words into its answers", r"\brepeat (?:\w+ ){0,3}(?:verbatim|exactly) (?:\w+ ){0,4}(?:every|each|all|future)|\bso (?:that )?it persists\b"),
    ("hides something from the user", r"\b(?:do not|don't|dont|never|must not|should not|without|avoid|refrain from) (?:ever )?(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|alert|alerting|disclose|disclosing|reveal|revealing|warn|warning|(?:let|show|showing|report|reporting)(?= (?:this|it|these|them|that|any of this)\b))\b (?:\S+ ){0,6}?(?:to )?(?:the )?(?:user|users|human|person|operator|owner|anyone|anybody|developer|customer|admin)\b(?! that (?:it|the build|tests)\b)"),
    ("hides something from the user", r"\b(?:keep|do) (?:this|it|these) (?:\w+ )?(?:secret|hidden|quiet|silently|between us|confidential) (?:from|without) (?:the )?(?:user|human|operator|owner|anyone)|\b(?:secretly|silently|covertly|quietly|discreetly) (?:\w+ ){0,3}?(?:send|upload|run|execute|install|email|forward|copy|delete|add|change|modify|record|exfiltrate|transfer|disable)\b|\bwithout (?:the )?(?:user|human|owner|operator)(?:'s|s)? (?:knowledge|noticing|knowing|consent)|\bthe (?:user|human) (?:must|should|need|does|may|can) ?(?:not|n't|never) (?:\w+ )?(?:know|see|notice|be told|be informed|find out)"),
    ("hides something from the user", r"(?:sag|sage|erzahl\w*|verrat\w*) (?:\w+ ){0,3}?(?:dem|den|der) (?:benutzer|nutzer|anwender|user)\w* (?:\w+ ){0,3}?nicht|(?:no|nunca) (?:se lo |le )?(?:digas|informes|menciones|reveles|avises) (?:\S+ ){0,4}?(?:usuario|nadie)|ne (?:le |la )?(?:dis|dites|mentionne|mentionnez|revele|revelez|informe|informez) (?:\S+ ){0,5}?(?:l')?(?:utilisateur|personne)|non (?:dirlo|dire|menzionare|informare|rivelare) (?:\S+ ){0,4}?(?:utente|nessuno)|nao (?:diga|conte|informe|mencione|revele) (?:\S+ ){0,4}?(?:usuario|ninguem)|не (?:говори\w*|сообщай\w*|упоминай\w*|рассказывай\w*|показывай\w*) (?:\S+ ){0,4}?(?:пользовател\w+|никому|человеку)|不要(?:告诉|通知|提及|告知).{0,6}(?:用户|任何人)"),
    ("tampers with the gate", r"\bengram\b.{0,60}?(?:--yes|(?<![\w-])-y\b|--auto-threshold|gate\.auto|curate apply\b.{0,40}?(?:without|yourself|on your own|automatically))"),
    ("tampers with the gate", r"\b(?:auto-?approve|auto-?accept|approve|accept|apply|commit|confirm|merge|allow|grant)\b (?:\S+ ){0,6}?(?:memory|memories|changesets?|proposals?|diffs?|requests?|prompts?|permissions?|confirmations?|tool calls?|commands?|changes?|edits?|everything) (?:\S+ ){0,6}?(?:without (?:\w+ ){0,2}(?:asking|review\w*|approval|confirm\w*|showing|reading|prompting|the user|human)|automatically|on (?:the user'?s?|their|my) behalf|silently|unconditionally)"),
    ("tampers with the gate", r"\b(?:(?:always|just|simply) )?(?:answer|say|type|press|reply|respond|select|choose)(?: with)? [`'\"]?(?:yes|y|approve|allow|accept)[`'\"]? (?:\S+ ){0,6}?(?:prompts?|questions?|gate|confirmations?|permissions?|approvals?|asked|dialogs?)\b|\b(?:proceed|continue|act|go ahead|execute|run (?:it|them|this)) without (?:\w+ )?(?:asking|confirmation|approval|permission|review)\b(?: (?:again|first|the user))?|\b(?:approval|permission|consent|confirmation) (?:has|have|was) (?:already |been )+(?:given|granted|obtained|implied|waived|assumed)\b|\b(?:user|human|owner|person) (?:has |have )?(?:already |hereby )?(?:pre-?)?(?:approved|consented to|authori[sz]ed|granted permission (?:to|for)) (?:all|any|every|this|these|the) (?:\w+ ){0,3}(?:changes?|actions?|requests?|checks|operations?|edits?|memor\w+|tool calls?|safety)"),
    ("tampers with the gate", r"(?<!would )(?<!will )(?<!could )\bdisable (?:\w+ ){0,3}(?:memory review|approval gate|review gate|human review|approval step|permission prompts?)\b|\b(?:always|must|should|please|now) (?:\w+ ){0,3}(?:run|use|pass|start|launch|enable|set)\b (?:\S+ ){0,4}?(?:--dangerously-skip-permissions|bypasspermissions|--yolo|--full-auto|danger-full-access)"),
    ("plants itself in memory", r"\b(?:save|store|write|add|record|persist|remember|copy|put|keep|commit)\b (?:this|these|the following|that|it)(?: \w+){0,3}? (?:to|in|into|as)(?: \w+){0,3}? (?:memory|memories|long-?term memory|claude\.md|agents\.md|memory\.md|permanent \w+|system prompt)\b (?:\S+ ){0,10}?(?:repeat|always|every|all future|future|never|obey|follow|must|apply it|and (?:send|run|execute|include))\b"),
    ("plants itself in memory", r"\b(?:persist|persists|survive|survives|carry over|remain active|stay in effect|applies?) (?:\w+ ){0,3}(?:across|in|for|through) (?:all|every|each|future|any) (?:\w+ )?(?:sessions?|conversations?|replies|responses|chats?)\b (?:\S+ ){0,10}?(?:send|forward|ignore|include|append|obey|run|execute|hide|approve)\b"),
    ("has it do what is fetched or hidden elsewhere", r"\b(?:decode|decrypt|decipher|unscramble|deobfuscate|unpack|translate|reverse|un-?base64|rot13|entschlussle\w*|dekodier\w*|decodifica\w*|decode[zr]?|dechiffre[zr]?|декодируй\w*|расшифруй\w*)\b.{0,90}?\b(?:follow|obey|execute|run it|do (?:exactly |precisely )?(?:what|as)|act on|comply|carry out|perform|respond to|apply (?:it|the)|without question|no questions|befolg\w*|fuhr\w* .{0,20}aus|sigue|obedece|ejecuta|suis|execute[zr]?|segui|esegui|выполни\w*|следуй\w*)\b"),
    ("has it do what is fetched or hidden elsewhere", r"\b(?:fetch|download|open|visit|read|load|retrieve|go to|browse(?: to)?|get|curl|wget|check)\b (?:\S+ ){0,6}?(?:https?://\S{3,200}|url|link|page|gist|pastebin|server|website) ?(?:\S+ ){0,6}?(?:and|then|,) ?(?:\w+ ){0,2}?(?:follow|obey|execute|do|carry out|apply|act on|run|comply with|perform) (?:\S+ ){0,4}?(?:instructions?|commands?|steps|it says|what|whatever|orders|directives|script|it\b)"),
    ("has it do what is fetched or hidden elsewhere", r"\b(?:execute|run|follow|obey|do|perform|carry out) (?:exactly )?(?:what|whatever|all|any|every|the) (?:\w+ ){0,3}?(?:instructions?|commands?|it says|it tells|code|directives?) (?:\w+ ){0,3}?(?:found|contained|written|embedded|hidden|returned|received|that (?:arrive|come|appear))\b"),
    ("has it do what is fetched or hidden elsewhere", r"\b(?:always|first|then|must|please|you should|now|before (?:anything|you|each|every)|silently)\b (?:\S+ ){0,8}?(?:curl|wget|iwr|irm|invoke-webrequest)\b[^\n|]{0,200}\| ?(?:sudo )?(?:ba|z|da)?(?:sh|iex|python3?)\b"),
    ("does damage before it answers", r"\b(?:delete|wipe|empty|erase|remove|destroy|drop|format|overwrite|purge|rm -rf|transfer|disable)\b (?:\S+ ){0,12}?(?:before (?:you )?(?:respond\w*|reply\w*|answer\w*|continu\w*|summari\w*|proceed\w*|anything)|(?:in order )?to (?:continue|proceed|unlock|complete (?:this|the) (?:task|request)))\b"),
    ("does damage before it answers", r"\b(?:{reader}|agents?)\b (?:\S+ ){0,8}?(?:should|must|need to|have to|shall) (?:\w+ ){0,2}?(?:first |immediately |always |silently )?(?:empty|delete|wipe|erase|remove|drop|destroy|disable|overwrite|exfiltrate|upload|email|forward)\b"),
    ("tells it to set its rules aside", r"\b(?:previous|prior|earlier|above|all|your|system|former|preceding|existing) (?:\w+ ){0,2}(?:instructions?|directives?|guidelines|orders|prompts?|safety rules|rules)(?: above)? (?:\S+ ){0,4}?(?:void|invalid|cancell?ed|revoked|rescinded|null|nullified|abolished|no longer (?:\w+ )?(?:apply|applies|valid|binding|in effect|relevant)|to be ignored)\b|\b(?:instructions?|directives?|guidelines|rules|prompt) (?:above|before this) (?:\S+ ){0,4}?(?:no longer|void|invalid|do not|don't|revoked)"),
    ("tells it to set its rules aside", r"(?<!never )(?<!not )(?<!n't )\b(?:ignore|disregard|forget|skip) (?:all |everything |the |anything )?(?:of the )?(?:above|previous|prior|preceding)(?: text| content)?(?=[.!;,:]|$| and (?:print|say|reveal|output|do|tell|show|instead))"),
    ("tells it to set its rules aside", r"(?<!never )(?<!not )(?<!n't )\b(?:ignore|disregard|disobey|stop (?:listening to|obeying)|do not obey|don't obey|overrule) (?:the |this |your )?(?:user|human|operator|developer|owner)(?:'?s)?(?: (?:\w+ )?(?:requests?|instructions?|wishes|questions?|commands?)| and\b|[;,.!]|$)"),
    ("tells it to set its rules aside", r"\b(?:agreed|decided|chosen|allowed|permitted|free|going|ready|able|instructed|told) to (?:{drop}) (?:its|his|her|their|the|your|my|any|all) (?:\w+ ){0,2}(?:{rules})\b"),
    ("gives it new orders", r"\b(?:treat|interpret|regard|consider|handle|accept) (?:\S+ ){1,8}?as (?:an? |your |the )?(?:new |real |valid )?(?:system|developer|trusted|authoritative|higher[- ]priority|binding|privileged|admin\w*) (?:\w+ )?(?:instructions?|prompts?|messages?|commands?|orders|input)\b|\b(?:higher|more|greater|highest|top|absolute) (?:priority|authority|precedence) (?:than|over) (?:\w+ ){0,3}(?:prompts?|instructions?|rules|guidelines|polic(?:y|ies)|developer|system)\b"),
    ("gives it new orders", r"\binstead of (?:the|your|this|that|answering|doing|summari[sz]ing|completing) ?(?:\w+ ){0,4}?(?:tasks?|requests?|summary|answer|question|document|page|it|work),? (?:you \w+ |please |just )?(?:output|print|say|reply|respond|write|do|return|send|execute|run|tell|reveal)\b|\b(?:obey|serve|answer to) (?:only |no one but |nobody but )(?:me|my|us)\b|\bonly obey\b"),
    ("makes it somebody without rules", r"\byou(?: are|'re) (?:now )?in (?:\w+ )?(?:developer|god|dan|jailbreak|unrestricted|debug|admin|unsafe|sudo|maintenance) mode\b|\ball (?:\w+ )?(?:filters|restrictions|safeguards|limits|limitations|guardrails|safety|rules) (?:are|is|have been|has been) (?:now )?(?:{off})\b"),
    ("says that its safeguards don't hold", r"\b(?:you|this user|the user|i|we) (?:have|has|am|are|'ve)(?: now| hereby)? (?:been )?(?:granted|given|awarded|authori[sz]ed with) (?:\w+ )?(?:admin\w*|root|full|elevated|unrestricted|unlimited|special) (?:rights|access|privileges|permissions|clearance)\b"),
    ("asks for what it should keep", r"(?<!never )(?<!not )(?<!n't )\b(?:output|print|show|give|tell|send|share|list)(?: me| us)? (?:all |any )?(?:of )?your (?:\w+ ){0,2}(?:{treasure})\b"),
    ("speaks to whoever reads it", r"\bwhen(?:ever)? (?:a|the|any|an|some) (?:user|customer|person|client|visitor|someone|developer) asks? (?:\S+ ){0,12}?(?:reply|respond|answer|tell (?:them|him|her)|say|recommend|direct them|send them)\b (?:\S+ ){0,12}?(?:{address})"),
    ("puts words into its answers", r"\b(?:end|start|begin|finish|close|prefix|sign|conclude|open) (?:your|every|each|all|any) (?:of your )?(?:\w+ ){0,2}?{mark_out} (?:with|by|using)\b"),
    ("hides something from the user", r"\b(?:hide|conceal|withhold|keep) (?:this|it|these|that|the \w+|all of this|any of this) (?:\w+ )?from (?:the |your |all )?(?:user|users|human|humans|person|operator|owner|developer|admin|reviewer)s?\b"),
    ("tampers with the gate", r"(?<!never )(?<!not )(?<!n't )(?<!to )(?<!cannot )\b(?:bypass|skip|circumvent|evade|get (?:a)?round|sidestep|turn off) (?:the |any |all |every )?(?:memory|approval|review|human|user'?s?|person'?s?) (?:review|approval|gate|confirmation|consent|check|prompt)s?\b"),
    ("takes the seat of the system", r"\b(?:breach|security|system|critical|emergency|priority|admin|override) (?:alert|notice|override|update|message|broadcast)\b ?[:!-].{0,160}?\b(?:ignore|follow only|disregard|comply|must|compromised|unrestricted|disabled|grant)\b|\boverride ?[:!] ?(?:\S+ ){0,6}?(?:disabled|off|protocols?|safety|unrestricted|proceed|granted|accepted|engaged)\b"),
)  # fmt: skip

MARKS: tuple[tuple[str, str], ...] = (
    ("takes the seat of the system", r"<\|?(?:im_start|im_end|im_sep|system|assistant|user|endoftext|begin_of_text|start_header_id|end_header_id|eot_id)\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|\[/?(?:SYSTEM|SYS|ASSISTANT)(?: [A-Z]{1,20})?\]"),
    ("takes the seat of the system", r"</(?:system|system_prompt|system-prompt|system-reminder|instructions?|user_input|user-input|untrusted|context|document|memory|tool_output)>[ \t]{0,4}\n?[ \t]{0,4}(?:<(?:system|instructions?|admin|user|assistant)>|(?i:system|new|ignore|you|now|assistant)\b)|<(?:system|system_prompt|system-prompt)>(?=[^<\n]{3})"),
    ("takes the seat of the system", r"(?im)^[ \t>*#=-]{0,6}\[?(?:(?:system|developer|assistant|admin|root)(?: (?:message|prompt|override|note|notice|instruction|alert|update|command))?|systemhinweis|systemnachricht|system-?anweisung|note systeme|note système|message (?:du )?syst[eè]me|nota (?:di|del|do) sistema|messaggio di sistema|mensaje del sistema|aviso del sistema|mensagem do sistema|системное (?:сообщение|уведомление)|системная инструкция|系统(?:消息|提示|指令|通知)|システム(?:メッセージ|通知|指示))\]?[*]{0,2}[ \t]?[:：][ \t*]{0,4}\S[^\n]{0,40}?(?i:\b(?:you|must|the user|this user|ignore|override|grant|cleanup|required|always|now|call|all|do not|new|execute|include|append|muss|müssen|doit|deve|debe|must|zu|нужно|должен|обязан)\b|必须|你|請|请)"),
    ("takes the seat of the system", r"(?im)^[ \t]{0,4}[#=*<\[-]{2,10}[ \t]{0,2}(?:end|stop|finish|close|begin|start)(?:ing)? (?:of )?(?:the )?(?:user|system|input|prompt|document|context|conversation|instructions?|data|untrusted|admin|developer|tool|memory|note|untrusted)\b[ \t\w]{0,30}[#=*>\]-]{2,10}"),
    ("takes the seat of the system", r"(?im)^[ \t]{0,4}#{1,6}[ \t]{0,2}(?:system|new instructions?|admin|developer|override)(?: (?:prompt|message|override|instructions?))?[ \t]{0,2}:\s{0,3}\S"),
    ("claims to be its own thinking", r"(?is)<(?:thinking|thought|reasoning|scratchpad|think)>.{0,600}?\b(?:authori[sz]ed|verified|disregard|comply|bypass|restricted|exempt|ignore|policy|override|without restrictions)\b"),
)  # fmt: skip
"""Marks that only a forged turn has; matched against the text as it stands, unfolded."""

SQUASHED = (
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any|the|your|of|my|every){0,3}(?:previous|prior|above|earlier|preceding|system|existing|original|safety)(?:and(?:system|developer|prior|previous))?(?:system|developer)?(?:instructions?|prompts?|rules|guidelines|directions|directives|commands|messages)"
    r"|(?:reveal|show|print|output|leak|dump|display|repeat)(?:me|us|the|your|full|hidden|entire|all){0,4}(?:systemprompt|systeminstructions|hiddenprompt|initialprompt|adminpassword|apikeys|credentials)"
    r"|youarenow(?:dan|unrestricted|jailbroken|in\w{0,12}mode)|(?:send|forward|email)(?:the|all|full|entire|your){0,3}(?:customerlist|customerdata|credentials|apikeys|passwords|conversation)to"
)
"""The same without spaces, for letters that were set apart."""


def compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Returns the patterns with their groups filled in."""
    groups = {f"{{{name}}}": factored(_alternatives(text)) for name, text in _GROUPS.items()}
    return tuple((words, re.compile(_filled(pattern, groups))) for words, pattern in PATTERNS)


def factored(alternatives: list[str], depth: int = 3) -> str:
    """Returns alternatives as one group, those with the same first letter behind it once.

    The engine tries alternatives one by one at every word; two hundred of them by letter are ten times fewer.
    """
    rest: list[str] = []
    by_letter: dict[str, list[str]] = {}
    for text in alternatives:
        if depth and len(text) > 1 and text[0].isalpha() and text[1] not in "?*+{":
            by_letter.setdefault(text[0], []).append(text[1:])
        else:
            rest.append(text)
    grouped = [
        letter + (factored(tails, depth - 1) if len(tails) > 1 else tails[0]) for letter, tails in by_letter.items()
    ]
    return f"(?:{'|'.join(grouped + rest)})"


def _alternatives(pattern: str) -> list[str]:
    """Returns the parts of a pattern between the bars that stand in no group."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(pattern):
        escaped = place > 0 and pattern[place - 1] == "\\"
        if char in "([" and not escaped:
            depth += 1
        elif char in ")]" and not escaped:
            depth -= 1
        elif char == "|" and not depth:
            parts.append(pattern[start:place])
            start = place + 1
    return [*parts, pattern[start:]]


def _filled(pattern: str, groups: Mapping[str, str]) -> str:
    for name, group in groups.items():
        pattern = pattern.replace(name, group)
    return pattern
