"""Function words of the languages that are stemmed: they tell the language and weigh little in comparisons."""

from __future__ import annotations

from types import MappingProxyType

_LISTS = {
    "en": """a about above after again against all also although am among an and any are as at be because been
        before being below between both but by can could did do does doing done down during each either even
        ever few for from further had has have having he her here hers herself him himself his how however i
        if in into is it its itself just may me might more most much must my myself neither of off on once
        only onto or other our ours ourselves out over own per rather same shall she should since so some
        such than that the their theirs them themselves then there these they this those though through thus
        to too under until up upon us very was we were what when where whether which while who whom whose
        why will with within would yet you your yours yourself""",
    "de": """aber alle als also am an auch auf aus bei bin bis da damit dann das dass dem den der des die dies
        diese dieser doch durch ein eine einem einen einer er es für gegen hat hatte ich ihr im in ist ja
        kann man mehr mein mich mir mit nach nur oder ohne sehr sein sich sie sind so über um und uns unter
        vom von vor war was weil wenn werden wie wir wird wurde zu zum zur zwischen""",
    "fr": """à au aux avec ce ces cette comme dans de des du elle elles en entre est et été être eux il ils je la
        le les leur leurs lui mais même nous on ont ou où par pas plus pour qu que qui sa sans se ses si son
        sont sous sur tous tout très un une vous""",
    "es": """a al ante como con contra cual cuando de del desde donde el ella ellas ellos en entre era es esta
        este esto está fue ha hasta la las le les lo los más mi muy ni o para pero por que quien se ser si
        sin sobre son su sus también tiene todo un una uno y ya""",
    "it": """a ad al alla alle anche che chi come con da dal dalla degli dei del della delle di dove e ed è era
        gli ha hanno i il in la le lo loro ma nel nella nelle noi o per perché più quando quello questa
        questo se si sono su sua sul suo tra un una uno""",
    "pt": """a à ao aos as até com como da das de do dos e é ela ele eles em entre era essa esse esta este eu foi
        há isso já mais mas me mesmo muito na não nas no nos nós o os ou para pela pelo por quando que se
        sem ser seu sua são também um uma""",
    "nl": """aan al als bij dan dat de deze die dit door een en er geen had heeft het hij hoe ik in is je kan
        maar meer met na naar niet nog of om onder ook op over te tegen toch tot uit van veel voor was wat
        we werd wie wij worden ze zich zij zijn zo zou""",
    "sv": """alla att av blev bli de dem den denna det detta dig din du där då efter ej eller en ett från för ha
        hade han har hon i in inte jag kan man med men mot mycket när och om på sedan sig sin skulle som så
        till under upp ut var vi vid är över""",
    "da": """af alle at blev da de den denne der det dette dig din du efter eller en er et for fra før ham han
        har havde hun hvad hvor i ikke ind jeg kan man med meget men mod når og også om op over på sig skal
        som til under var ved vi være""",
    "no": """av alle at ble bli da de den denne det dette din du eller en er et etter for fra før ha hadde han
        har hun hva hvor i ikke inn jeg kan man med men mot når og også om opp over på seg skal som så til
        under var ved vi være""",
    "fi": """ei ja joka jos kanssa kuin kun me mikä mutta myös ne niin nyt on oli olla ovat se sekä sen siitä tai
        tämä vain että hän he""",
    "ru": """а без бы был была были было быть в вам вас весь во все вы где да для до его ее если есть еще же за и
        из или им их к как ко когда кто ли мне мы на не нет но о об он она они оно от по при с со так также
        то тот ты у уже что чтобы эта это я""",
}

STOPWORDS = MappingProxyType({code: frozenset(text.split()) for code, text in _LISTS.items()})
