"""The words that questions are asked with, in clusters of one meaning: what is asked, of which thing, and which way.

Written by hand from general English; nothing here was taken from recorded questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from turnstate.core.facts.text import word_set
from turnstate.core.search.words import stem


def _table(lines: str) -> Mapping[str, str]:
    """Each word, stemmed, with its cluster; a line is `cluster: words`."""
    table: dict[str, str] = {}
    for line in lines.strip().splitlines():
        cluster, _, words = line.partition(":")
        for word in words.split():
            table.setdefault(stem(word), cluster.strip())
    return table


PHRASES: Final[Mapping[str, str]] = {
    "check in": "checkin", "check into": "checkin", "checking in": "checkin", "check out": "checkout", "checking out": "checkout", "check-in": "checkin",
    "check-out": "checkout", "pick up": "pickup", "picking up": "pickup", "picked up": "pickup", "pick-up": "pickup", "drop off": "dropoff", "drop-off": "dropoff",
    "dropping off": "dropoff", "dropped off": "dropoff", "phone number": "phone", "telephone number": "phone", "mobile number": "phone", "date of birth": "birthdate",
    "birth date": "birthdate", "zip code": "postcode", "postal code": "postcode", "post code": "postcode", "e-mail": "email", "e mail": "email", "how many": "howmany",
    "how much": "howmuch", "how long": "howlong", "how often": "howoften", "how soon": "when", "how big": "howmany", "how large": "howmany", "number of": "howmany",
    "amount of": "howmuch", "price range": "price", "wrap up": "finish", "kick off": "begin", "set off": "depart", "head out": "depart", "get in": "arrive",
    "get there": "arrive", "get back": "return", "come back": "return", "coming back": "return", "go back": "return", "going back": "return", "fly back": "return", "flying back": "return",
    "give back": "return", "get to": "going to", "taking off": "depart", "take off": "depart", "time of the day": "time", "time of day": "time", "what time": "time", "which time": "time",
    "what day": "day", "which day": "day", "day of the week": "day", "last name": "surname", "family name": "surname", "first name": "firstname", "maiden name": "maiden surname",
    "in mind": "", "for example": "", "as well": "", "at least": "minimum", "set up": "book", "look at": "view", "sign in": "login", "log in": "login",
    "credit card": "card", "debit card": "card", "part of town": "area", "side of town": "area", "section of town": "area", "size of your party": "howmany people", "size of the party": "howmany people", "size of your group": "howmany people", "size of your team": "howmany team", "party size": "howmany people", "group size": "howmany people",
    "decision maker": "decider", "decision makers": "decider", "sign off": "decide", "signs off": "decide", "signing off": "decide", "drops off": "dropoff", "picks up": "pickup", "team size": "howmany people", "pain point": "problem", "pain points": "problem",
    "wi-fi": "wifi", "wi fi": "wifi", "time frame": "timeline", "time line": "timeline", "go live": "golive", "right now": "", "new york": "", "how far": "distance", "plane": "flight", "planes": "flight", "parking": "carpark", "park my": "carpark", "order id": "order number",
    "place to stay": "hotel", "place to eat": "restaurant", "place to live": "home", "put you down": "", "get you": "", "help you": "", "let me know": "", "start date": "begin date", "end date": "finish date",
}  # fmt: skip
"""Words that belong together, and what they are read as."""

ASKED: Final = _table(
    """
when: when
where: where
date: date day dates days calendar weekday month year week
time: time hour hours oclock clock times
howmany: howmany many quantity count headcount
howlong: howlong duration length long
amount: howmuch amount sum
price: price budget cost costs spend spending pricing pay rate rates expensive cheap cheaper moderate inexpensive affordable fee
name: name named call called names title titled surname firstname entitle
who: who whom whose
kind: type kind sort category categories style genre variety class cuisine luxury economy premium standard
id: id number reference identifier
code: code pin password passcode
email: email
phone: phone telephone mobile cell
birthdate: birthdate birthday born dob
postcode: postcode zip postal
address: address street
place: city town location place area region neighborhood neighbourhood locality district destination spot zone suburb venue state county country province airport station theater theatre origin whereabouts cities stop terminal
reason: why reason purpose
problem: problem issue challenge symptom trouble complaint pain difficulty wrong bother concern
message: message note comment text
rating: rating star rated stars review rank
color: color colour
size: size
mode: mode method means transport transportation how
timeline: timeline deadline timeframe schedule golive urgent urgency
authority: decide decider decision approve approval authority authorize stakeholder signoff
industry: industry sector vertical business market
company: company organization organisation employer firm
role: role position job occupation profession
language: language languages
change: change modify alter
details: details detail information info describe description specifics more
floor: floor level storey
message: message
"""
)
"""What is wanted: clusters of question words and of the nouns they go with."""

TOLD: Final = _table(
    """
date: january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday tomorrow weekend nthday
time: pm am noon midnight morning afternoon evening
"""
)
"""The days and hours that a question names itself: what it asks for, where it asks for nothing else."""

THINGS: Final = _table(
    """
flight: flight flights fly flying airline airplane airport airway airfare airlines
train: train rail railway
bus: bus coach
car: car vehicle rental auto suv sedan
taxi: taxi cab ride uber lyft driver
trip: trip travel traveling travelling journey voyage route commute
hotel: hotel guesthouse room lodging accommodation accommodations motel hostel inn stay staying suite
home: apartment house home property condo flat unit rent bedroom
restaurant: restaurant dine dining eat eating table meal dinner lunch breakfast food cuisine bistro eatery cook chinese italian indian mexican thai french japanese vegetarian
film: movie film show cinema screening watch watching comedy drama horror thriller documentary actor
music: song music track album artist tune listen play singer band
event: event concert game match festival performance gig sport sports
party: party celebration
meeting: meeting meet
doctor: doctor physician clinic medical dermatologist specialist gynecologist therapist psychologist
dentist: dentist dental
hair: stylist salon hair haircut hairdresser barber
appointment: appointment visit viewing checkup consultation
bank: account bank banking savings saving checking balance
money: money transfer transaction payment send dollars pay paying cash
recipient: recipient receiver beneficiary payee
alarm: alarm wake
weather: weather forecast temperature rain raining humidity
attraction: attraction museum tourist sight sightseeing park attractions
people: people person persons guest guests passenger passengers traveler travellers traveller rider riders adult adults attendee individuals party group folks member members friends tickets ticket seat seats somebody anyone attendees
children: child children kid kids
airline: airline airlines carrier
rooms: bedroom bedrooms bed beds
baths: bathroom bathrooms bath baths
nights: night nights
order: order purchase delivery shipment parcel package
booking: booking
insurance: insurance coverage protection insure cover
shared: share shared sharing pool carpool
parking: carpark
wifi: internet wifi
balcony: balcony
elevator: elevator lift
pet: pet pets dog cat animal
mother: mother maiden
host: host
drink: drink drinks beverage
diet: dietary diet vegetarian vegan allergy allergies restriction restrictions allergic
cable: cable wire
lock: lock manufacturer
contact: contact
fraud: fraud suspicious
service: service request
team: team users employees staff
tool: tool tools software system systems stack product crm solution platform
website: website site url
departmentstore: store shop
data: data
contract: contract subscription
competitor: competitor competitors alternative alternatives vendor vendors provider
goal: goal goals objective objectives achieve success outcome
"""
)
"""The things that a question is about."""

WAYS: Final = _table(
    """
leave: depart departing departure leave leaving
arrive: arrive arriving arrival
start: pickup checkin begin start starting origin outbound onward source commence beginning outgoing from
finish: return returning dropoff checkout end ending finish inbound finishing until back till destination towards
"""
)
"""Which end of a stay, a trip or a meeting a question is about; who leaves a hotel ends the stay, who leaves for it starts the trip."""

EMPTY: Final = frozenset(
    map(
        stem,
        word_set(
            "a an and or the of is are was were be been do does did will would can could should shall may might have has had i you "
            "we me us my our your it its this that these those there here to in on at by with as so if any some about into than "
            "then just also please sure okay ok great alright well yes no not like love want need prefer looking look find search "
            "help happy glad tell give let know provide share specify mind get got make made go going see think plan planning think "
            "interested would'd for s d ll re ve t am particular specific certain preference preferences preferred exactly what "
            "which book booking reserve reserving schedule scheduling assist choose select try set take use am one anything "
            "something someone hi hello hey good fine right now today thanks thank can't don't wish desire seek require required "
            "inform ask asking confirm state enter but not certainly absolutely awesome first next up out him her them they he she "
            "when where who how able order expect hope should desired intend supposed wonderful perfect cool gotcha sorry could may "
            "possible "
        ),
    )
)
"""Words that do not tell one question from another."""
