"""Which language a question in Latin letters speaks: by its function words, then by letters that only that language has.

English is what no other language claims: a claim needs LEAST_SPEAKING different function words and more of them than English ones,
or a question word at the beginning and no English function word, or letters that English does not have.
"""

from __future__ import annotations

from codemem.text import STOP_WORDS

LEAST_SPEAKING = 2
"""One such word may be a name (`der`, `del`, `est`, `se`)."""
_SPEAKING = {
    "de": "wo wie wer wird werden wurde wurden der die das dem den des ein eine einen einer eines einem beim und nicht ist "
    "sind wenn wann welche welcher welches welchem welchen zum zur auf für von vom bei nach warum über durch sich aus "
    "wieso gibt dass ob oder auch nur zwischen ohne gegen während bevor nachdem damit weil werde kann können muss "
    "soll im in an am mit als sein seine ihre es man",
    "fr": "où comment quel quelle quels quelles le les une du dans est sont pour avec qui que quoi cette cet ces ce sur "
    "lors pourquoi quand sans par être fait sous entre lorsque aux leur leurs ne pas il elle ou et un de la en à au d "
    "l on si plus n s son sa ses se y",
    "es": "dónde donde cómo cual cuál cuáles qué quién quiénes quien el los las una unos del para por cuando cuándo está "
    "están se con desde hasta sin sobre entre cada este esta esto ese esa al lo su sus y o es son de la en a e u no "
    "si más como hay ser todos",
    "pt": "onde como uma umas uns são quando não à às ao aos dos das da do pelo pela pelos pelas qual quais quem feito "
    "feita para com sem sobre entre cada este esta isto esse num numa é ser está estão os ou um e em que de no na nos "
    "nas o a por se mais foi",
    "it": "dove chi quale quali perché cosa viene vengono venire il gli della delle dello degli dei nel nella nei nelle dal "
    "dalla dai dalle alla alle allo agli ai sul sulla sui con una uno è sono più quando che si tra fra senza dopo "
    "prima di da ed ha lo al del un in le per come ci non i a e se la quella questo l d",
    "pl": "gdzie kto jak jest są dla nie się przez który która które którego której jaki jaka jakie czy gdy kiedy dlaczego "
    "oraz lub przy przed między podczas jeśli został została zostało tylko po ze z w i na od do jako a o to co nad "
    "pod ten ta tego",
    "tr": "nerede nereden nasıl neden hangi kim ne için ile ve veya bir bu mi mı olan olarak olur oluyor ediliyor yapılıyor "
    "edilir sonra önce kadar gibi değil var yok her ya da",
    "nl": "waar waarom wie hoe welke welk wanneer het een de voor naar met wordt worden werd zijn niet bij tijdens uit dat "
    "die als te om van tot door aan op er maar nog alle deze dit zonder tussen en of wat is in je hij wij dan hun zo "
    "was",
}
"""Function words. Those that English has too are BORROWED and claim nothing."""
SPEAKING = {name: frozenset(spoken.split()) for name, spoken in _SPEAKING.items()}
BORROWED = frozenset(
    "is in an on as so was of over do no per me met die also war man kim chi all alle dos das da en al es lo ha e i o "
    "y w z u a ya her si to non que re com par ser pour fait la son van us un var door ai sin mit den im d l n s se "
    "na nos hay co ta je zo plus sa ten pod nad more".split()
)
OPENING = frozenset(
    "wo wer wie warum wann welche welcher welches où qui quel quelle quels quelles donde dónde quien quién cómo qué "
    "onde quem quais pruebas testes dove chi quale quali perché gdzie kto jak dlaczego nerede nasıl hangi neden waar "
    "waarom hoe welke welk wanneer testy como documentazione documentação documentación "
    "dokumentacja dokumentation documentatie handleiding guida guía".split()
)
"""Words that open a question in one of these languages and never in English."""
_TESTS = frozenset({"test", "tests"})
SILENT = frozenset(
    "die im in am an als zu es einem mit oder auch nur was so vom ins la lo un en a y o e al su sus de que no si son "
    "hay et ou au aux par il elle on ne pas ce ces sa ses d l n s qu um os as do da na nos nas ao à às é ser foi i u "
    "w z co to ta ten te ci ho hanno stato stata stati fatto cui ad is zo dan hun haar и в во на с со к ко о об от до "
    "из за по у при для не ни же ли бы что как где кто чем это его её их или а но если когда какой какая какое какие "
    "каком почему откуда куда после перед через между которая который которые которое чтобы есть был была і й з із зі "
    "від чи що як де хто це його її їх або але якщо коли який яка яке які якому чому звідки куди після між та щоб був "
    "була бо під".split()
)
"""Further function words: they say nothing about the answer once the language is known."""
FUNCTION_WORDS = SILENT.union(*SPEAKING.values())
_ENGLISH = STOP_WORDS - (FUNCTION_WORDS - {"to", "of", "more"})
_LETTERS = {
    "de": "äöüß", "fr": "éèêàâçîïôûùœ", "es": "ñáéíóú¿¡", "pt": "ãõçáéíóúâêô", "it": "àèéìòù", "pl": "ąćęłńóśźż", "tr": "çğışöüâ",
    "nl": "ëïé",
}  # fmt: skip
OWN_LETTERS = {
    letter: name
    for name, own in {"de": "ß", "es": "ñ¿¡", "pt": "ãõ", "pl": "ąćęłńśźż", "tr": "ğış"}.items()
    for letter in own
}
"""Letters of one language only."""


def claimed(lowered: list[str]) -> list[str]:
    """Return the languages that function words, or letters of their own, claim for a question, the likeliest first."""
    heard = set(lowered)
    english = len(_ENGLISH & heard)
    opens = len(lowered) > 1 and lowered[0] in OPENING | _TESTS and not english
    scores: dict[str, int] = {}
    for name, spoken in SPEAKING.items():
        both = heard & spoken
        sure = len(both - BORROWED)
        if (opens and (sure or lowered[0] in spoken)) or (sure > english and len(both) >= LEAST_SPEAKING):
            scores[name] = 2 * sure + len(both)
    if not english:
        for name in {
            OWN_LETTERS[letter] for word in heard if not word.isascii() for letter in word if letter in OWN_LETTERS
        }:
            scores[name] = scores.get(name, 0) + 2 * LEAST_SPEAKING
    best = max(scores.values(), default=0)
    return [name for name, score in scores.items() if score == best]


def written_in(lowered: list[str]) -> list[str]:
    """Return the languages whose letters a question holds, when no English function word contradicts."""
    heard = {letter for word in lowered if not word.isascii() for letter in word}
    if not heard or _ENGLISH.intersection(lowered):
        return []
    return [name for name, letters in _LETTERS.items() if heard.intersection(letters)]
