"""What the buyer of the demo says, turn by turn."""

from __future__ import annotations

from typing import Final

BUYER: Final = (
    "Hi! We keep missing delivery slots because we plan everything on spreadsheets. Can you help?",
    "Our dispatchers lose about ten hours a week re-typing orders, and two customers left us over late deliveries.",
    "We need this live in six weeks, before our peak season.",
    "By the way, we are a logistics company with 45 people, mostly regional freight.",
    "We have about $40,000 set aside for this.",
    "Before we go on: does it integrate with QuickBooks?",
    "And does the driver app work offline on Android phones?",
    "I run operations and I sign off on it myself.",
    "The price is too high for us, we pay far less today.",
    "Actually, finance approved more: the budget is $55,000 now.",
    "Where is our data stored?",
    "Do you have a COBOL SDK for our mainframe?",
    "Could you send me a case study from a company like ours?",
    "Yes, let's book a meeting on Thursday at 10:00.",
    "Great, thank you. Talk to you then!",
)
