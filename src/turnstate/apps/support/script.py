"""The demo session: what one customer writes in a long chat, and when she comes back a week later."""

from __future__ import annotations

from typing import Final

FIRST_VISIT: Final[tuple[str, ...]] = (
    "Hi there! I'm Priya, I ordered a desk lamp from you. The order number is 12345.",
    "Great. When do you think it gets here?",
    "Hm, I'll be at my sister's by then. Could you ship it to 55 Elm St, York instead?",
    "Thank you. Which carrier brings it?",
    "And what else is in that box, I forgot what I ordered with it?",
    "By the way, how much is express shipping, for next time?",
    "Do you also deliver to Norway? I have a cousin in Bergen.",
    "Ok. Different topic: I have another order, 12410. Has that one left your warehouse yet?",
    "What's the tracking number for it?",
    (
        "Let me tell you why I'm asking so much. We are moving house in December and half of my things are already in boxes, so I try to "
        "keep track of everything that is still on its way. The wool throw is meant for my grandmother, who turns ninety on the first of "
        "December, and she has been looking forward to it for weeks. She is always cold and she loves green. If the throw came too late "
        "I would have to buy something else in town, which I would rather not do. So please tell me: is the throw still on time?"
    ),
    "Good, that would be early enough. What are your phone hours, in case something goes wrong?",
    "And can I pay with PayPal if I order more?",
    "Now something less nice. The teapot set, order 12288, came last week and two of the cups have cracks.",
    "Yes please.",
    "How long until the money is back on my card?",
    "Did the refund go through on your side?",
    "Thanks, that was quick.",
    "Is the lamp under warranty, and for how long?",
    "What does the warranty cover exactly?",
    "My e-mail is priya.raman@mail.example, in case you need it.",
    "Quick check, which order number did I give you first?",
    "Right. And where is that lamp going now?",
    "I was wondering about returns in general. If I don't like the throw after all, how many days do I have to send it back?",
    "And who pays for the return shipping then?",
    "Do you sell matching lamp shades?",
    (
        'Here is what my sister wrote me this morning, I paste it so that you see what I mean: "Hi Pri, of course I can take the parcel. '
        "I work from home on Thursday and Friday, but on Wednesday I am in the office until six and nobody is in. The bell is broken, so "
        "the driver should knock hard or ring my phone. Last time they left a parcel behind the bins and it got soaked, so please ask "
        'them not to do that again. Otherwise everything is fine here and the cat says hello." Is there a way to pass that on to the driver?'
    ),
    "I see. What does the order cost me in total, the one with the lamp?",
    "Oh, and did you charge shipping on it? I thought orders above some amount were free.",
    "Could I still cancel the throw?",
    "No, leave it, I was just curious. What did I say the throw was for, again?",
    "Ha, exactly. One correction: I got my sister's house number wrong. Please send order 12345 to 57 Elm St, York.",
    "Can you tell me once more where it goes now?",
    "And the other one, 12410, can that go there too?",
    "Fine. Could you sum up for me: what's the status of all my orders?",
    "Which e-mail address do you have for me?",
    "Perfect. That is all for today, bye!",
)
"""A long first chat: 36 messages, with everything that matters said early and asked for late."""

NEXT_VISIT: Final[tuple[str, ...]] = (
    "Hello, it's me again.",
    "Has my lamp order shipped in the meantime?",
    "And which address does it go to?",
    "If it has not left yet, please keep it like that. Do you still know my e-mail address?",
    "One cup of that set broke, but I already got a refund for it. Would the warranty have covered it?",
    "Great, thanks for your help!",
)
"""A week later: the same customer, who repeats neither order number nor address."""
