"""What a buyer says about the company: its industry and its size, and how well they fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from turnstate.apps.sales.hearing.corrections import corrects
from turnstate.apps.sales.hearing.policy import FIT, Policy
from turnstate.apps.sales.hearing.words import Expected, Found, Words, spoken
from turnstate.core.facts import Span
from turnstate.core.facts.text import word_set
from turnstate.core.search.words import stem
from turnstate.core.values import number
from turnstate.core.values.numbers import SPELLED

_PEOPLE: Final = r"(?:people|ppl|persons?|employees?|staff(?: members)?|folks|heads?|headcount|souls|colleagues|team members|workers|on (?:the|our) payroll|on staff|on the team|full[- ]timers|ftes?|mitarbeiter\w*|leute|empleados|personas|employés|salariés|personnes|dipendenti|人|名|명)"
_COUNT: Final = rf"(?:\d{{1,3}}(?:[.,]\d{{3}})+|\d{{1,6}}|{SPELLED}|a dozen|a couple of hundred|a few hundred|a hundred|a thousand)"
_SIZES: Final = (
    spoken(rf"(?<![\w$€£.,])(?P<count>{_COUNT}) of us\b"),
    spoken(
        rf"\b(?:headcount|employees|team size|company size|size|staff|people|team)\s*[:=]\s*(?:about |around |~)?(?P<count>{_COUNT})\b(?!\s?(?:k\b|%|weeks|months|hours))"
    ),
    spoken(
        r"\b(?P<solo>one[- ]man (?:band|show|business|operation)|sole trader|solo(?: (?:founder|operator|business))?|i work alone|self[- ]employed)\b(?! (?:who|decid|sign))"
    ),
    spoken(
        rf"(?<![\w$€£.,])(?P<count>{_COUNT})(?:\s?(?:-|–|to|or)\s?(?P<high>{_COUNT}))?(?:\+)?[\s-]?(?:or so |odd |full[- ]time |office |permanent |plus )?(?:{_PEOPLE}|(?:-?\s?(?:person|man|people|strong|employee|head|staff)))(?![a-z])"
    ),
    spoken(
        rf"\b(?:there(?:'re| are| is)|we(?:'re| are)|team of|staff of|workforce of|headcount (?:is|of)|crew of|company of|employ(?:s|ing)?|size is)\s+(?:(?:about|around|roughly|approximately|some|just|only|nearly|almost|over|under|currently|now)\s+){{0,2}}(?P<count>{_COUNT})(?:\s?(?:-|–|to|or)\s?(?P<high>{_COUNT}))?(?=\s*(?:of us|strong|in total|all told|altogether|at the moment|now|today|[.,;!)]|$|and|people|with|across))"
    ),
)
_BARE_COUNT: Final = spoken(
    rf"\W*(?:(?:yes|yeah|ok|well|so|oh|um+|hm+|hi|we|we're|we are|there are|there's|it's|just|only|about|around|roughly|approximately|approx\.?|some|maybe|currently|have|got|i think|i guess|probably)\b[\s,.]*|~){{0,5}}"
    rf"(?P<count>{_COUNT})(?:\s?(?:-|–|to|or)\s?(?:{_COUNT}))?(?:\s?-?ish|\+|\s(?:or so|of us|now|at the moment|in total|total|altogether|all told|at present|i think|i guess|today)){{0,2}}\W*$"
)
_HEAD: Final = (
    r"(?:compan(?:y|ies)|business(?:es)?|firm|outfit|operation|operator|provider|start-?up|agency|group|shop|store|chain|manufacturer|maker|wholesaler|retailer|distributor|broker(?:age)?|carrier|supplier|producer|practice|clinic|hospital|school|university|charity|non-?profit|"
    r"haulier|forwarder|contractor|consultancy|specialist|service|services|enterprise|cooperative|co-?op|restaurant|hotel|bakery|brewery|farm|dealer(?:ship)?|studio|bank|insurer|warehouse|platform|marketplace|organi[sz]ation|sme|3pl|4pl|courier|brand|network|merchant|house|player)"
)
_WORDS: Final = r"(?:[\w&/'+-]+ ){0,5}?"
_STATED: Final = (
    spoken(rf"(?:(?<!we )(?<!they )(?<!you )(?<!if )(?<!i )\bwere(?= an? )|\bwe're|\bwe are|\bi'm with|\bit's|\bour company is|\bmy company is|\bi (?:run|own|manage|have|founded|work (?:for|at|in)|represent)|\bwe (?:run|own|operate|have)|\bi'm from|\bbeing|\bas) (?:basically |mostly |mainly |just |really )?(?:an?|the|one of the) (?P<what>{_WORDS}{_HEAD})(?P<more> (?:of|for|in|that|which|specialising in|specializing in|doing|selling|making) [\w&'-]+(?: [\w&'-]+){{0,3}})?"),
    spoken(r"\b(?:we're|we are|i'm|i am|we work|i work|we operate|company is|business is|been) (?:all |basically |mostly |mainly |both |active |based )?in (?:the )?(?P<what>(?:[\w&/'+-]+ ){0,3}?[\w&/'+-]+)(?: (?:industry|sector|business|space|trade|field|world|game|market|vertical))?(?=\s*(?:[,.;:!)]|$|and\b|with\b|so\b|but\b|mostly\b|mainly\b|about\b|around\b|here\b|we\b|if\b|-|–|—))"),
    spoken(r"\b(?:industry|sector|line of (?:business|work)|business|vertical|field|trade)(?: \w+)?(?: is|'s|:| =) (?:mostly |mainly |basically )?(?P<what>(?:[\w&/'+-]+ ){0,3}?[\w&/'+-]+)(?=\s*(?:[,.;:!)]|$|and\b|with\b|so\b|but\b|mostly\b|mainly\b))"),
    spoken(r"\bin (?:the )?(?P<what>(?:[\w&/'+-]+ ){0,2}?[\w&/'+-]+) (?:industry|sector|space|trade|vertical|business)\b"),
    spoken(r"\bwe (?:do|sell|make|manufacture|produce|build|import|export|deliver|ship|transport|haul|move|distribute|supply|run|handle|offer|provide|operate|specialise in|specialize in|focus on|carry|store) (?:mostly |mainly |a lot of |primarily |only |regional |local |mainly )?(?P<what>(?:[\w&/'+-]+ ){0,3}?[\w&/'+-]+)(?=\s*(?:[,.;:!)]|$|for\b|and\b|with\b|so\b|but\b|to\b|mostly\b|mainly\b|across\b|in\b|all over\b|between\b|around\b|from\b))"),
    spoken(rf"\b(?:our|my|this) (?P<what>{_WORDS}(?:company|business|firm|outfit|operation|start-?up|fleet|chain))\b"),
    spoken(r"\b(?:i|we) (?:run|own|have|operate|manage) (?:an? |our |the |my |two |three |several )?(?P<what>(?:small |family |family-run |regional |local |mid-?sized? |large |big |medium-sized |little |independent )?(?:chain of [\w-]+|[\w&-]+(?: [\w&-]+)?))(?=\s*(?:[,.;:!)]|$|and\b|with\b|so\b|but\b|in\b|of\b|here\b))"),
)  # fmt: skip
_TRADES: Final = spoken(
    r"\b(?:we|i|wir) (?:mostly |mainly |only |primarily |basically )?(?P<what>(?:transport|haul|ship|deliver|distribute|truck|forward|courier|cart|transportieren|liefern) (?:(?:chilled|frozen|fresh|fragile|bulky|heavy|medical|industrial|regional|online|hot) )?"
    r"(?:food|foods|goods|freight|parcels?|packages?|cargo|groceries|furniture|flowers|meals|medicines?|supplies|produce|beverages|drinks|beer|wine|building materials|materials|pallets|containers|fuel|appliances|equipment|machinery|auto parts|car parts|parts|steel|timber|livestock|milk|bread|vegetables|fish|meat|books|documents|samples|pharmaceuticals|cars|vehicles|waste|grain)(?: (?:and|&) \w+)?)(?!\w)(?! (?:late|wrong|too|to the wrong))"
)
_KNOWN: Final = spoken(
    r"\b(?:(?:regional |road |air |sea |ocean |rail |contract |third[- ]party |refrigerated |cold[- ]chain |last[- ]mile |food |parcel |medical |urban |same[- ]day |express |intermodal |general |bulk |chilled |temperature[- ]controlled |pharma )?(?:logistics|freight(?: logistics| forwarding| forwarder| brokerage| transport)?|haulage|haulier|hauliers|hauling|trucking|couriers?|distribution|transport(?:ation)?|shipping|carriers?|warehousing|fulfil?lment|removals?|forwarding|cargo)|delivery(?=\s(?:service|company|business|firm|fleet|operation|outfit)s?\b)|(?:parcel|food|home|furniture|grocery) deliver(?:y|ies)|3pl|4pl|last[- ]mile(?: (?:delivery|logistics|deliveries))?|supply chain|"
    r"health ?care|clinics?|hospitals?|dental|dentists?|pharmac(?:y|ies|euticals?)|biotech|med ?tech|retail|e-?commerce|online (?:shop|store|retail)|wholesale|manufactur\w+|automotive|construction|builders?|building materials|real estate|property management|hospitality|hotels?|restaurants?|catering|food (?:and|&) beverage|food service|grocery|groceries|"
    r"bakery|bakeries|brewer(?:y|ies)|agriculture|farming|education|schools?|universit(?:y|ies)|banking|insurance|fin ?tech|finance industry|accounting|law firm|legal services|consulting|consultancy|marketing agency|advertising|media|publishing|software|saas|it services|telecoms?|energy|utilities|oil and gas|mining|chemicals?|textiles?|fashion|furniture|"
    r"travel|tourism|airlines?|aviation|gaming|entertainment|sports|fitness|gyms?|beauty|salons?|security services|cleaning(?: services)?|facility management|waste management|recycling|non-?profit|charit(?:y|ies)|government|public sector|staffing|recruitment|recruiting|event planning|florists?|flowers|plumbing|hvac|landscaping|veterinary|logistik\w*|spedition\w*|transport\w*unternehmen|logística|transporte|logistique|transports|logistica|trasporti|物流|运输|運送|물류|логистик\w*)\b",
)
_NOT_WHAT: Final = word_set(
    "to from with by for hurry rush trouble touch charge need position middle process mood market person fact general total place case luck business talks the a an it this that these those same good bad great fine ok okay bit lot few many some more live time love danger order sync contact agreement favour favor not just now here there small little big growing company firm team group person family meeting call discussions negotiations pain mess nightmare house town office london berlin paris europe germany france spain uk us usa texas california york america england ireland scotland january february march april may june july august september october november december everything things stuff our we i you they have has is are was were be been do does did spreadsheets excel paper tests trials budget problem problems issue issues data reports report what who how when where why better sure happy"
)
_GENERIC: Final = spoken(
    r"^(?:(?:a|an|the|our|my|very|pretty|fairly|quite|small|smallish|tiny|little|big|large|mid|mid-?size[d]?|medium(?:-sized?)?|growing|fast-growing|young|new|old|local|regional|national|international|global|family|family-run|family-owned|owner-run|independent|private|typical|traditional|good|great|decent|leading|certain|uk|us|british|american|german|european|london-based|[\w-]+-based|"
    rf"\d[\d,.]*(?:[\s-]?(?:person|people|man|employee|strong|staff|head|truck|van|vehicle|driver))?|{SPELLED}[\s-](?:person|people|man|employee|strong|staff|head|truck|van|vehicle|driver))\s+)+",
)
_TAIL: Final = spoken(
    r"\s+(?:compan(?:y|ies)|business(?:es)?|firm|outfit|operation|start-?up|group|shop|provider|team|organi[sz]ation|enterprise|sme|industry|sector|space|trade|player|specialist)$"
)
_TOLD: Final = spoken(
    r"\b(?:(?<!we )(?<!they )(?<!you )(?<!if )(?<!i )were an?|we're|we are|i run|i own|we run|we own|we operate|we do|i do|we handle|(?:we|i) work (?:in|for)|i'm in|i am in|i'm with|i'm from|i manage|i have|we have|as an?|this is an?|it's an?|it is an?|company is|wir sind(?: in der)?|wir machen|somos|"
    r"nous sommes|siamo|мы|(?:our|my|the) (?:company|firm|outfit|business|team|group) (?:does|do|is in|handles|runs|specialises in|specializes in|operates in|works in|is an?)|(?:people|staff|employees|us|folks) in|i'm [\w ]{2,30} (?:at|for|with) an?|i work (?:at|for|with) an?|mostly|mainly|primarily|mainly in|industry(?: is|:)?|sector(?: is|:)?|business(?: is|:)|trade is|we deliver|we offer|we provide|we specialise in|we specialize in|(?:been|active|based|operate) in|from the)\s+(?:[\w&',-]+\s+){0,4}$"
)
_OURS: Final = spoken(r"\b(?:our|my)\s+(?:[\w&'-]+\s+){0,3}$")
_OPENING: Final = spoken(
    r"^\W*(?:(?:basically|mostly|mainly|just|well|oh|so|um+|sure|yes|ok|an?|the|our|hi|hello|in|it's|that's|that'd be|would be|i guess|i think|kind of|are|am)\b[\s,]*){0,6}"
)
_NAMED_AFTER: Final = re.compile(
    r"\b(?:[Hh]ere|[Ii]'?m|[Tt]his is|[Mm]y name|I work|[Ww]e're|[Ww]e are|[Hh]i|[Hh]ello)\b.{0,40}\b(?:from|at|for|with)\s(?:[A-Z][\w&-]{1,20}\s){1,2}$"
)
_ANY_WORD: Final = re.compile(r"\w")
_OTHER_LEAD: Final = spoken(
    r"\b(?:integrat\w*|support|work with|works with|using|use|used|like|such as|via|through|with|by|for|from|to|serve|supply|lose|losing|lost|cost|late|miss(?:ing|ed)?|plan(?:ning)?|your|their)\s+(?:\w+\s+){0,2}$"
)
_HEADED: Final = spoken(r"\s(?:company|business|firm|outfit|operation|group|start-?up|provider|team)\b")
_EDGES: Final = " \t\n.,;:!?'\"-–—()&"


class _Size(NamedTuple):
    span: Span
    low: int
    high: int


def company(words: Words, expected: Expected, policy: Policy, taken: Sequence[Span]) -> Iterator[Found]:
    """The industry, and how well industry and size fit.

    Args:
        words: the message.
        expected: what was asked for.
        policy: whom the business sells to.
        taken: what has been read as something else.
    """
    trade = _industry(words, expected, taken)
    size = _size(words, expected, taken)
    if trade is not None:
        yield Found("industry", trade, words.quote(trade), 0, corrects(words, trade))
    if trade is None and size is None:
        return
    value = _value(words, trade, size, policy)
    span = _together(words, trade, size)
    yield Found("fit", span, words.quote(span), value, corrects(words, span))


def _together(words: Words, trade: Span | None, size: _Size | None) -> Span:
    """What stands for both: the words from one to the other where they are one short phrase, else the industry."""
    if trade is None or size is None:
        return trade or (size.span if size else Span(0, 0))
    both = Span(min(trade.start, size.span.start), max(trade.end, size.span.end))
    one = words.sentence_at(trade.start) == words.sentence_at(size.span.start)
    if not one or both.end - both.start > 60:
        return trade
    head = _HEADED.match(words.text, both.end)
    if head:
        return Span(both.start, head.end())
    opened = "(" in words.text[slice(*both)] and words.text[both.end : both.end + 1] == ")"
    return Span(both.start, both.end + opened)


def _value(words: Words, trade: Span | None, size: _Size | None, policy: Policy) -> int:
    """The score of industry and size together."""
    sized = size is None or (size.low <= policy.largest and size.high >= policy.smallest)
    if trade is None:
        return FIT["size" if sized else "neither"]
    fits = _targeted(words.text[slice(*trade)], policy)
    if fits:
        return FIT["industry, wrong size" if not sized else "industry" if size is None else "both"]
    return FIT["open" if sized else "neither"]


def _targeted(said: str, policy: Policy) -> bool:
    """Whether one of the policy's industries stands in the words, in whatever form."""
    stems = _stems(said)
    return any(_stands(_stems(industry), stems) for industry in policy.industries)


def _stands(wanted: list[str], stems: list[str]) -> bool:
    """Whether the stems of an industry stand among others, in order."""
    places = range(len(stems) - len(wanted) + 1)
    return bool(wanted) and any(
        all(map(_akin, wanted, stems[place : place + len(wanted)])) for place in places
    )


def _akin(one: str, other: str) -> bool:
    """Whether two stems are of one word: "deliver" and "delivery", "truck" and "trucker"."""
    short = min(len(one), len(other))
    return one == other or (short >= 5 and one[: min(short, 7)] == other[: min(short, 7)])


def _stems(said: str) -> list[str]:
    """The words of a text, lightly stemmed."""
    return [stem(word) for word in re.findall(r"[^\W_]+", said.casefold())]


def _size(words: Words, expected: Expected, taken: Sequence[Span]) -> _Size | None:
    """How many people the company has."""
    found: list[_Size] = []
    for pattern in _SIZES:
        for match in pattern.finditer(words.text):
            span = Span(*match.span())
            if match.groupdict().get("solo"):
                low = high = 1
            else:
                low = _many(match["count"])
                high = _many(match.groupdict().get("high") or match["count"])
                span = Span(match.start("count"), match.end())
            if (
                (low < 2 and not match.groupdict().get("solo"))
                or any(map(span.meets, [*taken, *(size.span for size in found)]))
                or not words.states(span)
            ):
                continue
            found.append(_Size(span, low, high))
    if not found and "fit" in expected.first and words.brief <= 8:
        bare = _BARE_COUNT.match(words.text)
        if bare and not any(map(Span(*bare.span("count")).meets, taken)):
            many = _many(bare["count"])
            found += [_Size(Span(*bare.span("count")), many, many)] if many else []
    changed = [size for size in found if corrects(words, size.span)]
    return (changed or found or [None])[-1 if changed else 0]


def _many(said: str) -> int:
    """The number in figures or words."""
    words = {
        "a dozen": 12,
        "a couple of hundred": 200,
        "a few hundred": 300,
        "a hundred": 100,
        "a thousand": 1000,
    }
    if said.lower() in words:
        return words[said.lower()]
    value = number(re.sub(r"[.,]", "", said) if said[:1].isdecimal() else said)
    return int(value) if value is not None else 0


def _industry(words: Words, expected: Expected, taken: Sequence[Span]) -> Span | None:
    """The industry: one that is known, else what stands where a buyer says what the company is."""
    named = [span for span in _named(words) if not any(map(span.meets, taken))]
    stated = [span for span in _stated(words) if not any(map(span.meets, taken))]
    inside = [span for span in named if any(span.meets(other) for other in stated)]
    if inside:
        whole = [
            span
            for span in stated
            if span.meets(inside[0]) and "chain of" in words.text[slice(*span)].lower()
        ]
        return (whole or inside)[0]
    if named:
        return named[0]
    if stated:
        return stated[0]
    if "fit" in expected.first and (match := _KNOWN.search(words.text)):
        span = Span(*match.span())
        return span if not any(map(span.meets, taken)) and words.states(span) else None
    return None


def _named(words: Words) -> Iterator[Span]:
    """The industries of a table that are said of the buyer."""
    for match in _KNOWN.finditer(words.text):
        span = Span(*match.span())
        before = words.text[max(words.clause_at(span).start, span.start - 60) : span.start]
        opened = _GENERIC.sub("", _OPENING.sub("", before, count=1))
        alone = not _ANY_WORD.search(opened) and words.brief <= 12
        ours = _OURS.search(before) and _HEADED.match(words.text, span.end)
        told = (alone or ours or _TOLD.search(before)) and not _OTHER_LEAD.search(before)
        if (told or _NAMED_AFTER.search(before)) and words.states(span):
            yield span


def _stated(words: Words) -> Iterator[Span]:
    """What stands where a buyer says what the company is."""
    for match in _TRADES.finditer(words.text):
        span = Span(*match.span("what"))
        if words.states(span):
            yield span
    for pattern in _STATED:
        for match in pattern.finditer(words.text):
            span = _core(words.text, Span(*match.span("what")))
            said = words.text[slice(*span)].lower()
            if (
                not said
                or said in _NOT_WHAT
                or said.split()[0] in _NOT_WHAT
                or said.split()[-1] in _NOT_WHAT
                or re.search(r"\d", said)
            ):
                continue
            if (
                pattern is _STATED[4]
                or pattern is _STATED[6]
                or pattern is _STATED[5]
                or pattern is _STATED[1]
            ):
                # Free words say what the company is only where one of them is known to.
                known = _KNOWN.search(said) or (pattern is _STATED[6] and "chain of" in said)
                if not known:
                    continue
            if words.states(span) and not words.anothers(Span(span.end, span.end)):
                yield span


def _core(text: str, span: Span) -> Span:
    """The trade alone: without the size, the family and the word for a company."""
    start, end = span
    if lead := _GENERIC.match(text, start, end):
        start = lead.end()
    if tail := _TAIL.search(text[start:end]):
        end = start + tail.start()
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip(_EDGES))
    return Span(left, max(left, start + len(piece.rstrip(_EDGES))))
