"""Words that tell whether a full stop ends a sentence, for `citewell.text.sentences`.

They are in lower case and without the stop; only those that must have a capital are written with one.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Never end a sentence: titles, and words that announce something.
NEVER = _words(
    "dr mr mrs ms prof messrs mx st mt e.g i.e eg ie vs cf viz approx al- mme mlle mm sr.a sra srta dott avv dhr "
    "mevr drs med rs проф акад ул пгт рис табл стр см т.е т.к им napr np např tzv tzw z.b d.h u.a i.d.r z.t bzw "
    "vgl evtl ggf inkl zzgl sog bspw p.ex bijv lt capt sgt maj cmdr cpl pvt"
)
# Belong to a number that follows, else they end a sentence.
NUMBERED = _words(
    "no nos p pp n s c l ann app ex stat reg rule sec art arts fig figs eq eqs eqn eqns ref refs tab vol vols ch "
    "chap para paras pt pts ed eds cl ser aufl nr bd abs kap nl blz ca vo ext n° nº párr núms pág págs núm cap"
)
# End a sentence where a word follows that begins sentences.
SOMETIMES = _words(
    "inc ltd co corp llc l.l.c llp plc pty bros assn dept univ est etc al jr sr esq ph.d m.d b.a m.a u.s u.k u.n "
    "e.u u.s.a d.c a.d b.c et.al gmbh s.a s.p.a n.v b.v ave blvd rd bldg usw u.ä yahoo hwy intl natl govt lic ing "
    "fig figs eq eqs eqn vol vols sect supp suppl eds trans incl excl resp esp v hrsg str frl dipl env éd uds "
    "gral exmo exma гг руб тыс spp sp nov subsp"
)
# The same, but only with a capital: in lower case they are words, or nothing.
NAMES = _words(
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun Ariz Calif Colo "
    "Conn Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Miss Mo Neb Nev Okla Pa Penn Tenn Tex Va Vt Wash Wis Wyo "
    "Ont Que Gen Rep Reps Sen Sens Gov Hon Rev Col Adm Pres Amb Supt Insp Dist Atty Div Ald Treas Ref Refs Tab Ch "
    "Chap Art Arts Sec Ed Tel Fl Alt Cap Ser Ud Hr Fr Sig Ft Bus Min Max Var"
)
# Abbreviations that may be written in capitals; any other word in capitals is an acronym.
CAPITALS = _words("inc ltd co corp llc llp plc pty jr sr esq etc bros ave blvd dept gmbh mr mrs dr prof no nos vs")
# After a number they are units, and words of their own.
UNITS = _words("h s g m y d l v k ms mm ft pt mg/l mol/l")
# End a sentence before any capital.
CLOCK = _words("a.m p.m")
# "Group A." and "Exhibit B." end sentences, "Robert A." does not.
LABELLED = _words(
    "group groups arm phase type vitamin hepatitis figure fig table appendix part plan class category panel grade "
    "level schedule exhibit section annex attachment option model series team step case site factor paragraph "
    "clause article chapter item rule page"
)
# Begin sentences far more often than they follow an abbreviation.
STARTERS = _words(
    "The This That These Those There Then They Their It Its He She His Her We Our You Your I My In On At As An A "
    "And But Or So If When While Where What Who Why How Which For From To With Without By After Before Since "
    "Because Although Though However Moreover Furthermore Therefore Thus Hence Also Additionally Finally "
    "Meanwhile Nevertheless Nonetheless Instead Both Each All Any Some Many Most Several Such Other Another One "
    "Two No Not Nor Once Only Under Upon Until Unless During Between Among Through Throughout According Here Is "
    "Are Was Were Has Have Had Do Does Did Can Could Should Would May Please See Note Let Today Yesterday Later "
    "Earlier Despite Following Based Given Currently Recently Subject Except Der Die Das Ein Eine Er Sie Es Wir "
    "Ich Dies Diese Dieser Dieses Im Am Zum Und Aber Wenn Als Bei Nach Le La Les Un Une Il Elle Ils Elles Ce "
    "Cette Ces Nous Vous Dans En Et Mais El Los Las Una Uno Esto Esta Este Pero Y Det Hij Zij Het Gli Hvad Jeg"
)
# Begin sentences with an apostrophe after them: "Don't".
CONTRACTED = _words("Don Didn Doesn Isn Aren Wasn Weren Can Won Couldn Wouldn Shouldn Haven Hasn Let Who What")
# Before a German ordinal: "am 3. Mai".
ORDINAL_BEFORE = _words("am zum vom der die das den dem des im beim bis ab seit jeden ein dieser diesem dritten")
# After a German ordinal.
ORDINAL_AFTER = _words(
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember Jänner Jahrhundert "
    "Jahrhunderts Jh"
)
