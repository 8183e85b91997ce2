"""What everyone knows about names: nicknames of cities, states and countries, yes and no, words that tell little."""

from __future__ import annotations

from typing import Final

from turnstate.core.values.patterns import words_in

YES: Final = frozenset(
    words_in(
        "yes y yeah yep yup true sure ok okay correct right affirmative certainly definitely absolutely si oui ja"
    )
)
NO: Final = frozenset(words_in("no n nope nah false negative nein non"))
PLAIN: Final = frozenset(words_in("the a an of and at in on for to please just my our your it's its"))
"""Words that make no difference between two names."""
GENERIC: Final = frozenset(
    words_in(
        "airport international intl city town downtown station hotel inn restaurant cafe café bar grill bistro kitchen house "
        "food cuisine theater theatre cinema san los las new saint street avenue road drive boulevard lane park center "
        "centre room class ticket tickets people person persons guest guests adult adults passenger passengers seat seats "
        "day days night nights account type movie film song show event ride car area around about movies regular option "
        "pm am o'clock oclock clock only total exactly i we is are will be that this would like"
    )
)
"""Words that tell little: two names are not alike for sharing them, nor different for lacking them."""
SHORT_WORDS: Final = {
    "st": "street",
    "ave": "avenue",
    "av": "avenue",
    "rd": "road",
    "dr": "drive",
    "blvd": "boulevard",
    "ln": "lane",
    "intl": "international",
    "int'l": "international",
    "ctr": "center",
    "centre": "center",
    "theatre": "theater",
    "apt": "apartment",
    "mt": "mount",
    "ft": "fort",
    "n": "and",
    "ii": "2",
    "iii": "3",
    "iv": "4",
    "vol": "volume",
    "ch": "chapter",
    "pt": "part",
    "vs": "versus",
    "doc": "doctor",
    "mins": "minutes",
    "hrs": "hours",
}
NICKNAMES: Final[dict[str, str]] = {
    nickname: city
    for city, names in (
        ("new york", "ny,nyc,new york city,big apple,the big apple,jfk,lga,n.y.,n.y.c,manhattan ny"),
        ("los angeles", "la,l.a,l.a.,lax,city of angels"),
        ("san francisco", "sf,s.f,sfo,san fran,frisco"),
        ("san diego", "sd"),
        ("san jose", "sj,sjc"),
        ("las vegas", "vegas,lv,sin city"),
        ("philadelphia", "philly,phl"),
        ("chicago", "chi-town,chi town,chitown,windy city,ord"),
        ("washington", "dc,d.c,d.c.,washington dc,washington d.c,washington, dc,washington, d.c"),
        ("atlanta", "atl"),
        ("boston", "bos,beantown"),
        ("seattle", "sea"),
        ("portland", "pdx"),
        ("phoenix", "phx"),
        ("sacramento", "sac,sacto,smf"),
        ("new orleans", "nola,msy"),
        ("denver", "den,mile high city"),
        ("dallas", "dfw"),
        ("houston", "iah"),
        ("miami", "mia"),
        ("detroit", "dtw,motor city"),
        ("minneapolis", "msp"),
        ("nashville", "bna"),
        ("baltimore", "bwi"),
        ("salt lake city", "slc"),
        ("long beach", "lbc,lgb"),
        ("oakland", "oak"),
        ("honolulu", "hnl"),
        ("vancouver", "yvr"),
        ("toronto", "yyz,t.o"),
        ("montreal", "yul"),
        ("london", "lhr,lgw,ldn"),
        ("paris", "cdg"),
        ("berlin", "ber"),
        ("rome", "fco"),
        ("madrid", "mad"),
        ("barcelona", "bcn"),
        ("amsterdam", "ams"),
        ("rio de janeiro", "rio,gig"),
        ("mexico city", "cdmx,mex"),
        ("buenos aires", "bsas,eze"),
        ("kuala lumpur", "kl,kul"),
        ("hong kong", "hk,hkg"),
        ("singapore", "sin"),
        ("tokyo", "nrt,hnd"),
        ("mumbai", "bom,bombay"),
        ("delhi", "del,new delhi"),
        ("bangkok", "bkk"),
        ("cape town", "cpt"),
        ("johannesburg", "jnb,joburg,jozi"),
        ("nairobi", "nbo"),
        ("sydney", "syd"),
        ("melbourne", "mel"),
        ("dubai", "dxb"),
        ("beijing", "pek,peking"),
    )
    for nickname in names.split(",")
}
"""Cities by their nicknames, initials and airports."""
_STATES: Final = (
    "al alabama;ak alaska;az arizona;ar arkansas;ca california,calif;co colorado;ct connecticut;de delaware;fl florida;"
    "ga georgia;hi hawaii;id idaho;il illinois;in indiana;ia iowa;ks kansas;ky kentucky;la louisiana;me maine;md maryland;"
    "ma massachusetts,mass;mi michigan;mn minnesota;ms mississippi;mo missouri;mt montana;ne nebraska;nv nevada;"
    "nh new hampshire;nj new jersey;nm new mexico;ny new york;nc north carolina;nd north dakota;oh ohio;ok oklahoma;"
    "or oregon;pa pennsylvania;ri rhode island;sc south carolina;sd south dakota;tn tennessee;tx texas;ut utah;vt vermont;"
    "va virginia;wa washington;wv west virginia;wi wisconsin;wy wyoming;dc d.c"
)
_COUNTRIES: Final = (
    "us usa,u.s,u.s.a,united states,america;uk england,united kingdom,britain,great britain,u.k,scotland,wales;canada;"
    "france;germany;spain;italy;portugal;netherlands,holland;belgium;switzerland;austria;ireland;sweden;norway;denmark;"
    "finland;poland;greece;turkey;russia;india;china;japan;korea,south korea;thailand;malaysia;indonesia;philippines;"
    "vietnam;australia;new zealand;nz;south africa;kenya;egypt;morocco;nigeria;brazil;argentina;chile;peru;colombia;"
    "mexico;uae,united arab emirates;israel;ontario,ontario canada;quebec;british columbia,bc;alberta;nsw,new south wales;victoria;"
    "queensland"
)
_HOLDS: Final = {
    "canada": ("ontario", "quebec", "british columbia", "alberta"),
    "australia": ("nsw", "victoria", "queensland"),
}


def _regions() -> dict[str, frozenset[str]]:
    regions: dict[str, frozenset[str]] = {}
    for entry in _STATES.split(";"):
        code, _, names = entry.partition(" ")
        for name in (code, *names.split(",")):
            regions[name] = frozenset({code, "us"})
    for entry in _COUNTRIES.split(";"):
        code, _, more = (
            entry.partition(" ") if entry[:3] in {"us ", "uk "} else (entry.partition(",")[0], "", entry)
        )
        for name in (code, *more.split(",")):
            if name:
                regions[name] = frozenset({code})
    for country, parts in _HOLDS.items():
        for part in parts:
            regions[part] = regions[part] | {country}
    return regions


REGIONS: Final = _regions()
"""States and countries by what they are called after a city: each a set of what they lie in."""
