"""Facts, what is durable about a user: declared as a class, admitted by quote, superseded by time, shown with sources."""

from turnstate.core.facts.admit import admit, admit_all
from turnstate.core.facts.affirm import affirms
from turnstate.core.facts.coerce import Coerced, coerce
from turnstate.core.facts.declare import Facts, Many, Single, key
from turnstate.core.facts.fact import Candidate, Fact, Refusal, Source, meaning
from turnstate.core.facts.keys import Key, Scalar, Shape
from turnstate.core.facts.render import render
from turnstate.core.facts.sensitive import secrets
from turnstate.core.facts.supersede import Projection, supersede
from turnstate.core.facts.text import Folded, Span, fold, sentences
from turnstate.core.facts.told import forgotten, told

__all__ = [
    "Candidate",
    "Coerced",
    "Fact",
    "Facts",
    "Folded",
    "Key",
    "Many",
    "Projection",
    "Refusal",
    "Scalar",
    "Shape",
    "Single",
    "Source",
    "Span",
    "admit",
    "admit_all",
    "affirms",
    "coerce",
    "fold",
    "forgotten",
    "key",
    "meaning",
    "render",
    "secrets",
    "sentences",
    "supersede",
    "told",
]
