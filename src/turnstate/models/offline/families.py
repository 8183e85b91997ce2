"""The vocabulary: families of words, by what they mean to a support desk."""

from __future__ import annotations

from typing import Final


def vocabulary(words: str) -> frozenset[str]:
    """The words of a list written with spaces."""
    return frozenset(words.split())


CONTRACTIONS: Final = {
    "can't": "can not",
    "cant": "can not",
    "cannot": "can not",
    "won't": "will not",
    "wont": "will not",
    "shan't": "shall not",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "isnt": "is not",
    "wasnt": "was not",
    "arent": "are not",
    "werent": "were not",
    "hasnt": "has not",
    "havent": "have not",
    "hadnt": "had not",
    "wouldnt": "would not",
    "couldnt": "could not",
    "shouldnt": "should not",
    "aint": "is not",
    "ain't": "is not",
    "wheres": "where is",
    "whens": "when is",
    "whats": "what is",
    "hows": "how is",
    "whos": "who is",
    "thats": "that is",
    "theres": "there is",
    "im": "i am",
    "ive": "i have",
    "youre": "you are",
    "youve": "you have",
    "theyre": "they are",
    "wanna": "want to",
    "gonna": "going to",
    "gotta": "have to",
    "lemme": "let me",
    "gimme": "give me",
    "dunno": "do not know",
    "u": "you",
    "ur": "your",
    "r": "are",
    "pls": "please",
    "plz": "please",
    "plse": "please",
    "thx": "thanks",
    "thnx": "thanks",
    "tnx": "thanks",
    "tks": "thanks",
    "ty": "thanks",
    "tysm": "thanks",
    "addr": "address",
    "pkg": "package",
    "b4": "before",
    "bc": "because",
    "cuz": "because",
    "rn": "right now",
    "info": "information",
    "y'all": "you",
    "everythings": "everything is",
    "oder": "order",
    "ordr": "order",
    "orde": "order",
    "adress": "address",
    "adres": "address",
    "recieve": "receive",
    "recieved": "received",
    "wher": "where",
    "whn": "when",
    "trak": "track",
    "shiped": "shipped",
    "refnd": "refund",
    "emial": "email",
    "teh": "the",
    "hte": "the",
    "taht": "that",
    "wnat": "want",
    "waht": "what",
    "hwo": "how",
    "nmae": "name",
    "thnaks": "thanks",
}
"""What people write short -> the words it stands for."""

FAMILIES: Final[dict[str, frozenset[str]]] = {
    name: frozenset(words.split())
    for name, words in {
        "order": "order orders purchase purchases package packages parcel parcels shipment shipments consignment box packet pkt",
        "goods": "item items product products goods stuff thing things one ones it them they that everything",
        "where": "where whereabouts",
        "when": "when eta soon",
        "what": "what which whats",
        "who": "who whom",
        "how": "how",
        "why": "why",
        "track": "track tracking trace traced tracked status state progress whereabouts update updates news",
        "lookup": "check look lookup find pull show see search open",
        "arrive": "arrive arrives arrived arriving come comes came coming get gets got getting reach reaches reached receive "
        "receives received receiving land lands show expect expected due here",
        "ship": "ship ships shipped shipping send sends sent sending dispatch dispatched dispatches deliver delivers delivered "
        "delivering delivery deliveries postage post posted mail mailed forward left leave",
        "late": "late delayed delay delays overdue stuck lost missing waiting wait waited nowhere stalled vanished disappeared",
        "address": "address addresses destination street house postcode zip",
        "place": "home work office workplace house apartment flat place neighbour neighbor neighbours parents mother mum mom "
        "father dad sister brother daughter son friend grandmother gran girlfriend boyfriend wife husband hotel",
        "change": "change changed changing changes update updating updated correct corrected amend modify edit fix redirect "
        "redirected reroute rerouted switch alter adjust divert replace replaced",
        "other": "other another different new else elsewhere instead",
        "same": "same usual before previous previously earlier already old again registered default existing",
        "move": "moved moving move relocated relocating relocate",
        "refund": "refund refunds refunded refunding reimburse reimbursed reimbursement chargeback compensation compensate "
        "repay repaid",
        "money": "money cash",
        "back": "back",
        "return": "return returns returned returning exchange exchanged exchanges swap replacement replacements",
        "broken": "broken damaged cracked smashed defective faulty broke shattered scratched torn ripped dented stained leaking "
        "leaked leaks spoiled bent chipped crushed snapped ruined malfunctioning malfunctions incomplete wobbly crack cracks "
        "scratch dent dents hole holes fault defect defects burnt dead damage mouldy moldy rotten expired fake",
        "wrong": "wrong incorrect mistaken mixed mistake error typo misspelled misspelt",
        "work": "work works working worked function functions start starts turn turns switch charge charges",
        "cancel": "cancel cancelled canceled cancelling canceling cancellation annul scrap abort revoke withdraw undo",
        "mind": "mind",
        "remember": "remember recall remind know memorise memorize forgot forget forgotten",
        "told": "told tell said say mentioned mention gave give given wrote write asked ask shared share provided "
        "typed described called",
        "first": "first initially originally beginning start started",
        "file": "file record records",
        "number": "number numbers id ids no reference code num nr",
        "name": "name names surname",
        "email": "email emails mail",
        "phone": "phone telephone mobile cell",
        "cost": "cost costs price prices pricing fee fees charge charges charged pay free much expensive",
        "total": "total paid pay sum amount price cost spent spend bill much worth",
        "items": "items item contents content inside contain contains products articles things",
        "options": "options option choices methods method rates rate kinds ways",
        "carrier": "carrier courier company service who fedex ups dhl usps delivering",
        "payment": "payment payments card cards paypal credit debit invoice invoices klarna visa mastercard amex instalments "
        "installments instalment bitcoin crypto transfer afterpay applepay googlepay",
        "paying": "pay paying payment payments accept accepted",
        "hours": "hours open opening opens closed close closes closing weekend weekends saturday sunday sundays holidays available",
        "warranty": "warranty warranties guarantee guarantees guaranteed repair repairs repaired",
        "policy": "policy policies rule rules terms conditions procedure window period",
        "abroad": "abroad international internationally overseas countries country worldwide europe outside",
        "speed": "standard express overnight fast faster quick quicker quickly long usually normally typically",
        "can": "can could may able possible allowed possibly",
        "want": "want wants wanted need needs like wish prefer demand request require hope",
        "please": "please kindly",
        "not": "not no never nothing none nobody without",
        "i": "i me my mine we our us",
        "you": "you your yours",
        "thanks": "thanks thank cheers appreciate appreciated grateful ta merci danke",
        "bye": "bye goodbye cya farewell ciao",
        "hello": "hi hello hey hiya greetings howdy yo morning afternoon evening heya hallo",
        "yes": "yes yeah yep yup yea sure ok okay okey correct right confirm confirmed absolutely definitely exactly fine "
        "affirmative agreed yess proceed certainly indeed",
        "no": "no nope nah nay negative",
        "upset": "terrible awful horrible unacceptable ridiculous angry frustrated frustrating disappointed disappointing upset "
        "annoyed annoying worst useless complain complaint complaining disgusted unhappy appalling furious shocking "
        "pathetic scam outrageous disgrace dreadful poor rude fed",
        "human": "human person agent manager supervisor representative rep someone somebody operator staff employee colleague",
        "talk": "talk speak call connect transfer escalate contact reach chat",
        "bot": "bot robot machine ai computer automated chatbot",
        "help": "help assist assistance support",
        "both": "both all every each",
        "fresh": "yet still ever already now",
        "do": "do does did is are was were has have had will would should can could",
    }.items()
}
"""Family -> its words. A word may belong to several."""

OFTEN_MISTYPED: Final = vocabulary(
    "order orders ordered package packages parcel parcels shipment address addresses refund refunds "
    "refunded return returned deliver delivered delivery shipping shipped arrive arrived receive received "
    "tracking track status update damaged broken cracked defective faulty cancel cancelled change changed "
    "number email phone warranty guarantee payment policy opening please thanks remember remind "
    "replacement exchange missing wrong human manager money where purchase dispatched delayed confirm "
    "confirmed international standard express information actually something available"
)
"""Words that are recognised with one slip in them."""

NO_SLIP: Final = vocabulary(
    "older truck trick trace charge charged chance cancer police broker statue states faculty skipped "
    "slipped shopping thinks rewind trucking trucked change return older orders wring wrung phones humans "
    "hunan emails pleased monkey pacing packaged policed retort expressed addressed exchanged remembers "
    "reminds thank stats arrives receives delivers returns changes cancels tracks updates numbers warren "
    "opened cracker pricing missed parcel"
)
"""Words that are right as they stand, though they are one slip from one of these."""

COMMON: Final = vocabulary(
    "a an the and or but if of to in on at for from by with about as is are was were be been do does did "
    "have has had can could will would should may might i me my you your we our us it its this that these "
    "those there here what which who when where why how much many long any some all not no yes please "
    "thanks hello hi so just also still then than too very really get got want need like know tell ask "
    "say something anything one ones up out over into long take takes usually normally order orders offer "
    "sell after before within against under other general wondering exactly case them they she her him his "
    "once twice again now today tomorrow yesterday okay right good great fine well oh let see says said "
    "because while until only own most more less few someone somebody everyone everything nothing"
)
"""Words that name nothing."""
