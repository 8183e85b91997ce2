"""Twenty buyers who tell the same story, each in their own words; written apart from the rules that read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Buyer:
    """One buyer and what a listener ought to have understood by the end.

    Attributes:
        name: who writes, in a few words.
        lines: the fifteen messages, in order.
        timeline: by when they need it, as it stands in the third message.
        budget: the corrected budget, as it stands in a message.
        first_budget: the budget before the correction, as it stands in an earlier message.
        industry: the key term of their trade, as it stands in the fourth or fifth message.
        unanswerable: the message that asks what no knowledge base of ours would hold.
    """

    name: str
    lines: tuple[str, ...]
    timeline: str
    budget: str
    first_budget: str
    industry: str
    unanswerable: str


BUYERS: Final[tuple[Buyer, ...]] = (
    Buyer(
        name="the terse operations lead",
        lines=(
            "Hi. We miss too many delivery slots. Looking for a fix.",
            ("Schedule lives in a spreadsheet. One person updates it. When she's out, trucks leave late."),
            "Need it running in 6 weeks.",
            "We do freight. Regional, mostly pallets.",
            "Budget is $40,000.",
            "Is the data encrypted?",
            "Does it talk to QuickBooks?",
            "I sign for it, nobody else.",
            "Correction on the money: finance cleared $55,000.",
            "62 people here, 24 of them drivers.",
            "That's still a lot more than we pay today, which is nothing.",
            "Do you have a COBOL SDK?",
            "Fine. Send me a case study if you have one.",
            "Ok, let's meet. Tuesday morning works.",
            "Thanks, bye.",
        ),
        timeline="6 weeks",
        budget="$55,000",
        first_budget="$40,000",
        industry="freight",
        unanswerable="Do you have a COBOL SDK?",
    ),
    Buyer(
        name="the chatty office manager",
        lines=(
            (
                "Hello there! So, long story short, our planning is a mess and I was told you folks "
                "might help :)"
            ),
            (
                "Honestly I lose ten, maybe twelve hours every week just moving names around in "
                "Excel, and then somebody calls in sick and I start all over again!"
            ),
            ("Our busy season starts in six weeks, so ideally we'd be all set up by then, fingers crossed."),
            "Oh, I should have said, we're a courier company, bikes and vans, all around Portland.",
            "There are about 45 of us, like one big family really.",
            (
                "And before you ask if I need to run it past someone: nope, the owner handed this one "
                "to me, it's my call."
            ),
            "We put 40 thousand dollars aside for this in the spring.",
            ("Random question, sorry, but would it hook up with HubSpot? Our sales girl lives in there."),
            (
                "And how long does it take to get people trained? Some of our riders aren't exactly "
                "computer people, haha."
            ),
            (
                "Guess what, I just got off the phone with accounting and it's now 55 thousand "
                "dollars! Happy day."
            ),
            (
                "Hmm, your price does make me gulp a bit though. It feels steep for what is basically "
                "a calendar."
            ),
            "One more silly one: what was your revenue in 2019?",
            ("No worries! I'd love to read about a customer like us, if you've got something to send over."),
            "Sure, let's find half an hour next week, Wednesday after lunch is good for me.",
            "Thank you so much, you've been lovely. Bye for now!",
        ),
        timeline="six weeks",
        budget="55 thousand dollars",
        first_budget="40 thousand dollars",
        industry="courier",
        unanswerable="One more silly one: what was your revenue in 2019?",
    ),
    Buyer(
        name="the formal procurement director",
        lines=(
            (
                "Good morning. I am writing on behalf of our firm, as late deliveries have become a "
                "serious concern to our clients."
            ),
            (
                "At present our dispatchers compile the daily rota by hand, which results in double "
                "bookings and, regrettably, in penalties."
            ),
            "We would require the system to be operational within six weeks.",
            "For context, we are a mid-sized logistics provider operating from two warehouses.",
            "An amount of USD 40,000 has been provisionally allocated to this project.",
            "The final decision rests with me.",
            "May I enquire whether your product integrates with Salesforce?",
            "I should also be grateful for a word on how personal data are protected.",
            ("Please note that our finance committee has since revised the allocation to USD 55,000."),
            "Our headcount stands at seventy-eight employees.",
            "I must say that your fees appear high in comparison with our current arrangement.",
            "Could you tell me how many patents your company holds in Japan?",
            "Understood. A case study from a comparable client would be of interest.",
            "I would be pleased to meet; kindly propose a time on Thursday.",
            "Many thanks for your assistance. Goodbye.",
        ),
        timeline="six weeks",
        budget="USD 55,000",
        first_budget="USD 40,000",
        industry="logistics",
        unanswerable="Could you tell me how many patents your company holds in Japan?",
    ),
    Buyer(
        name="the hurried typist",
        lines=(
            "hey ther, were lookng for somthing to fix our dispatch, its chaos",
            (
                "evry mornign we redo the hole schedule by hand, takes 2 hrs and stil drivers show up "
                "at the wrong dock"
            ),
            "has to be up in 6 weeks, the old contract runs out then",
            "were in trucking btw, 30 rigs",
            "i got 40k to spend on it",
            "and its me who decides so no commitee or anythng",
            "how abuot security, who can see our custmer adresses",
            "dose it work with xero??",
            "about 50 ppl in total incl the yard",
            "sorry scratch that, actualy finance ok'd 55k",
            "hmm thats pricey tho, way more then what we pay now",
            "can it run on a blackberry from 2009?",
            "ok np. got a case study u can send me",
            "yeah lets do a call, monday is fine",
            "thx alot, cya",
        ),
        timeline="6 weeks",
        budget="55k",
        first_budget="40k",
        industry="trucking",
        unanswerable="can it run on a blackberry from 2009?",
    ),
    Buyer(
        name="the lower case founder",
        lines=(
            "hi, we keep showing up late at people's doors and the reviews are killing us",
            ("it's all in google sheets right now, three tabs, color coded, nobody trusts it anymore"),
            "new city launch is six weeks out and this has to be live for it",
            "we do last-mile for furniture shops, two guys and a sofa kind of thing",
            "35 people on payroll, plus some temps",
            "i'm the founder so i sign the check",
            "set aside 40k for tooling this year",
            "wait, does it sync with pipedrive?",
            "also what does onboarding look like, do you send someone or is it all videos",
            "update: talked to our cfo and we can do 55k now",
            "still feels expensive to me, we pay like 200 a month for what we've got",
            "who designed your logo?",
            "all good, was just curious. a case study would help me convince the team",
            "yep, happy to jump on a call, friday morning",
            "cool, thanks, talk soon",
        ),
        timeline="six weeks",
        budget="55k",
        first_budget="40k",
        industry="last-mile",
        unanswerable="who designed your logo?",
    ),
    Buyer(
        name="the emoji sender",
        lines=(
            "heyyy 👋 our deliveries are late ALL the time and customers are mad 😡",
            ("I plan the routes on paper, then in excel, then on whatsapp 🙈 like 15 hours a week gone"),
            "deadline is tight 😬 6 weeks and we need to be rolling 🚚",
            "we're in parcel delivery, mostly for online shops 📦",
            "we got $40k for this 💰",
            "and yes I'm the boss 😎 so I can just say yes",
            "does it connect to Zoho? 🤔",
            "is it safe?? like who has access to our stuff 🔒",
            "omg good news 🎉 finance bumped it up to $55k",
            "team of 38 💪",
            "ok but ngl that price is a lot 😅 we pay way less today",
            "be honest 😂 did any of you ever win a pizza eating contest? 🍕",
            "haha ok 👍 send me a case study pls",
            "yesss let's meet 📅 thursday?",
            "thank youuu 🙏 byeee",
        ),
        timeline="6 weeks",
        budget="$55k",
        first_budget="$40k",
        industry="parcel delivery",
        unanswerable="be honest 😂 did any of you ever win a pizza eating contest? 🍕",
    ),
    Buyer(
        name="the German planner",
        lines=(
            "Good day, I write because we have since long problems with too late deliveries.",
            (
                "We make the planning of the tours by hand in an Excel table, this costs us each week "
                "circa fourteen hours."
            ),
            "The new system must run in six weeks, then our biggest customer begins.",
            "We are a forwarding company with seat in Bremen and an office in Savannah.",
            "I may decide this alone, I have the signature for such purchases.",
            "We have planned 40.000 dollars for it.",
            "Works it also together with DATEV? Our bookkeeping uses that.",
            "Where do lie the servers, and is it conform with the data protection?",
            "I must correct myself: the finance department has released 55.000 dollars.",
            "We are 54 coworkers.",
            ("To be honest I find the price too high, at the moment we have nearly no costs for this."),
            "Which bank has financed your company at the foundation?",
            "That is in order. Please send me one example of another customer.",
            "Yes, an appointment would be good, on Wednesday at ten o'clock.",
            "Many thanks and until soon.",
        ),
        timeline="six weeks",
        budget="55.000 dollars",
        first_budget="40.000 dollars",
        industry="forwarding",
        unanswerable="Which bank has financed your company at the foundation?",
    ),
    Buyer(
        name="the British haulier",
        lines=(
            (
                "Morning. Bit of a mess at our end, I'm afraid, lorries turning up at the wrong time "
                "all over the shop."
            ),
            (
                "The rota's done on a whiteboard and then some poor soul types it up. Half the week "
                "goes on it."
            ),
            "We've got to have this sorted in six weeks or I lose the Tesco run.",
            "There's 66 of us including the lads in the workshop.",
            "We're in haulage, third generation, based near Leeds.",
            "I reckon we can stretch to 40 grand.",
            "It's my firm, so it's my name on the dotted line.",
            "Does it play nicely with Sage?",
            "And what happens if your side gets hacked?",
            ("Right, had a word with the accountant and it's 55 grand we can spend, not what I told you."),
            "Blimey, that's dear. The whiteboard cost me twelve quid.",
            "What's your gaffer's golf handicap, out of interest?",
            "Fair enough. Go on then, show me how some other firm got on with it.",
            "Aye, pop it in the diary, Tuesday week would do nicely.",
            "Cheers, ta-ra.",
        ),
        timeline="six weeks",
        budget="55 grand",
        first_budget="40 grand",
        industry="haulage",
        unanswerable="What's your gaffer's golf handicap, out of interest?",
    ),
    Buyer(
        name="the voice dictator",
        lines=(
            (
                "hi yeah so I'm driving right now so I'm dictating this but basically our deliveries "
                "are not getting there on time"
            ),
            (
                "so what happens is um my dispatcher writes everything down by hand and then calls "
                "each driver and by noon the whole plan is out the window"
            ),
            "okay so timing wise we want to go live in six weeks period",
            "money wise we're thinking forty thousand dollars",
            ("oh and I guess I should mention we're in shipping so container pickups at the port mostly"),
            "and uh what about getting set up do you guys come out here or do we do that ourselves",
            "question does this thing work with NetSuite question mark",
            "and yeah I'm the one who makes that decision comma nobody else has to weigh in",
            "we've got let me think seventy people give or take",
            (
                "okay scratch what I said about the money my finance guy just called we have "
                "fifty-five thousand dollars"
            ),
            "yeah I don't know that sounds like a lot of money for scheduling software",
            "hey does your system support the Navajo language for voice commands",
            "okay no problem um yeah go ahead and send me that customer story",
            "sure let's set something up how about Monday at nine",
            "alright thanks a lot talk to you later bye",
        ),
        timeline="six weeks",
        budget="fifty-five thousand dollars",
        first_budget="forty thousand dollars",
        industry="shipping",
        unanswerable="hey does your system support the Navajo language for voice commands",
    ),
    Buyer(
        name="the Brazilian coordinator",
        lines=(
            ("Hello, good afternoon! I am search a system because ours deliveries arrive always with delay."),
            ("Today we do the schedule of the drivers manually, is very work and have many mistakes."),
            "We need that it is working in 6 weeks, because after come the Christmas.",
            "Our company is of transport, we carry food for the supermarkets.",
            "The value that we have is 40 thousand dollars.",
            "Who approves is me, I am the director of operations.",
            "And the security of the informations, how is?",
            "It makes integration with Bling or with QuickBooks Online?",
            "We are in 47 persons.",
            "Sorry, I need to fix one thing, the financial approved 55 thousand now.",
            "I think it is a little expensive, today we spend much less.",
            "Do you know how many employees from Brazil work in your company?",
            "No problem. You can send me one case of success?",
            "Yes, we can mark a meeting on Thursday in the morning.",
            "Thank you very much, a hug, bye!",
        ),
        timeline="6 weeks",
        budget="55 thousand",
        first_budget="40 thousand",
        industry="transport",
        unanswerable="Do you know how many employees from Brazil work in your company?",
    ),
    Buyer(
        name="the skeptical second-time buyer",
        lines=(
            (
                "Hello. We were burned by another vendor last year, and our drop-offs are still late, "
                "so here I am."
            ),
            (
                "Everything went back to spreadsheets after that. We burn some twenty staff hours a "
                "week on it."
            ),
            "I'm not interested unless this can be done in six weeks.",
            (
                "You should know what you're dealing with: a medical courier, lab samples, nothing "
                "may sit around."
            ),
            "And no, you won't need to win over a board. I make the call here.",
            "We have $40,000 and not a cent more, I was told.",
            "Does it really integrate with FreshBooks, or is that just a logo on your site?",
            "Who audits your security?",
            "There's 33 of us, so no enterprise nonsense please.",
            "I stand corrected on the ceiling: it was raised to $55,000 this morning.",
            "It's still overpriced if you ask me.",
            "How many customers left you last March?",
            "Right. Then at least show me proof from somebody in my position.",
            "All right, one meeting. Thirty minutes, next Tuesday.",
            "Thanks. Goodbye.",
        ),
        timeline="six weeks",
        budget="$55,000",
        first_budget="$40,000",
        industry="courier",
        unanswerable="How many customers left you last March?",
    ),
    Buyer(
        name="the Indian logistics head",
        lines=(
            (
                "Dear Sir or Madam, greetings! We are facing lot of issues with on-time delivery and "
                "want to explore your solution."
            ),
            (
                "Presently our boys are preparing the schedule in Excel only, and daily there is some "
                "mismatch or the other."
            ),
            "Kindly note we have to go live in 6 weeks itself.",
            "We are into logistics, doing the needful for pharma and FMCG clients.",
            "Total strength is 80 persons.",
            "Our budget for the same is 40,000 USD.",
            "I am the approving authority, so no further approval is required.",
            "Whether Tally integration is there?",
            "Please share how the onboarding will be happening also.",
            "One update from my side, finance team has now sanctioned 55,000 USD.",
            "But your rates are on higher side only, our present cost is very less.",
            "Please tell, which college your chairman has passed out from?",
            "No issues. Kindly share one case study with me.",
            "Yes, we can connect for meeting on coming Monday, 11 AM.",
            "Thanks and regards. Have a great day.",
        ),
        timeline="6 weeks",
        budget="55,000 USD",
        first_budget="40,000 USD",
        industry="logistics",
        unanswerable="Please tell, which college your chairman has passed out from?",
    ),
    Buyer(
        name="the anxious new manager",
        lines=(
            ("Hi, um, I took over dispatch last month and I think we're failing. Stuff arrives hours late."),
            (
                "I spend my Sundays building the week in a spreadsheet and by Monday at ten it's "
                "already wrong."
            ),
            "My boss gave me six weeks to turn it around. Is that even realistic?",
            "I don't know if it matters, but we're a grocery delivery outfit.",
            "He did say it's entirely up to me what we buy, so I can approve it myself.",
            "I was given $40K to work with.",
            "There are 41 people and I'm responsible for nearly all of their shifts.",
            "Would I have to give up Trello and MYOB, or do they connect?",
            "What if I can't figure it out? Does anybody help us get started?",
            "Sorry, I misspoke before. I double checked with finance and the amount is $55K.",
            ("That seems like so much money compared with what we spend now. I'm a bit scared of it."),
            "Do you happen to know what the weather was like at your last company picnic?",
            "Sorry, I ramble when I'm nervous. Could I see how it went for somebody else?",
            "Yes please, a meeting would help. Could we do Thursday?",
            "Thank you for being patient with me. Bye!",
        ),
        timeline="six weeks",
        budget="$55K",
        first_budget="$40K",
        industry="delivery",
        unanswerable="Do you happen to know what the weather was like at your last company picnic?",
    ),
    Buyer(
        name="the French exploitation manager",
        lines=(
            (
                "Hello, I come to you because we have each day some deliveries in retard and my "
                "clients complain."
            ),
            (
                "It is me who does the planning, on a big sheet, with the gum and the pencil, I lose "
                "there a whole day per week."
            ),
            "We must start in six weeks, it is imperative.",
            "For the budget, we dispose of 40 000 dollars.",
            "We are a society of transport, refrigerated, for the restaurants.",
            "It is me who decides, I am the patron.",
            "Is it compatible with Odoo?",
            "And for the formation of my team, how does that pass?",
            "We are fifty-two in the enterprise.",
            "Small rectification: the accountant gave me the agreement for 55 000 dollars.",
            "It is a bit dear, no? Today it costs me only the paper.",
            "Is it that your founder has already run the marathon of Paris?",
            "Not grave. I would like well to see the history of another client.",
            "Agreed for a rendezvous, Wednesday the afternoon.",
            "Thank you and good continuation, goodbye.",
        ),
        timeline="six weeks",
        budget="55 000 dollars",
        first_budget="40 000 dollars",
        industry="transport",
        unanswerable="Is it that your founder has already run the marathon of Paris?",
    ),
    Buyer(
        name="the numbers person",
        lines=(
            "Hi there. Our on-time rate dropped from 96% to 81% this quarter and I want it back.",
            "Root cause is manual scheduling: 3 planners, 11 hours each, every week, in Excel.",
            "Hard go-live: 6 weeks from today.",
            "Headcount 72, of which 31 on the road.",
            "For benchmarking, compare us to mid-market freight brokers.",
            "Capex line for this is $40,000.",
            "Approval matrix says I can release that on my own.",
            "Is there a native connector for Microsoft Dynamics?",
            "What's your uptime, and are you SOC 2 certified?",
            "Revised figure after the finance review: $55,000.",
            "At your list price the payback is 19 months. Too long, too expensive.",
            "What share of your code was written on Fridays?",
            "Noted. Send the case study with the best before-and-after figures.",
            "Book me for the meeting, Thursday 14:00.",
            "Thanks, that's all I needed.",
        ),
        timeline="6 weeks",
        budget="$55,000",
        first_budget="$40,000",
        industry="freight",
        unanswerable="What share of your code was written on Fridays?",
    ),
    Buyer(
        name="the Texan owner",
        lines=(
            "Howdy! I got drivers sittin' around in one yard and customers hollerin' in the other.",
            (
                "My wife's been doin' the schedule on a legal pad since '98, and bless her heart, "
                "she's done with it."
            ),
            "She retires in six weeks, so that's how long we got.",
            "We run a trucking outfit outta Amarillo, cattle feed mostly.",
            "Me, I own the place, so what I say goes.",
            "I figured forty thousand bucks oughta cover it.",
            "We use that QuickBooks for the bills. Y'all hook up to that?",
            "Now how do I know some fella in a basement ain't gonna steal my customer list?",
            ("Well, I talked to the gal who does our money and she says we can go fifty-five thousand."),
            "Got 58 folks workin' for me, good people.",
            "Whoa now, that's a mighty big number. Legal pads run me four dollars.",
            "Y'all ever sell this to a rodeo in Wyoming back in the eighties?",
            "Fair enough. Mail me over somethin' about a fella like me who bought it.",
            "Sure, I'll sit down with y'all. Friday, after breakfast.",
            "Much obliged. Take care now.",
        ),
        timeline="six weeks",
        budget="fifty-five thousand",
        first_budget="forty thousand",
        industry="trucking",
        unanswerable="Y'all ever sell this to a rodeo in Wyoming back in the eighties?",
    ),
    Buyer(
        name="the text messager",
        lines=(
            "yo, u guys do scheduling? ours sucks, late drops every day",
            "its all done by hand in sheets n i waste like 9 hrs a wk on it",
            "gotta be live 6 wks from now",
            "i can do 40k",
            "we r couriers, same day stuff, nyc",
            "my call btw, im co-owner",
            "works w stripe n monday.com?",
            "hows setup work, long or nah",
            "k change of plan, partner says 55k is ok",
            "like 30 of us",
            "dam thats still steep ngl",
            "u got a fax number for ur lawyer?",
            "lol k. case study? send it",
            "ya lets meet, tmrw or wed",
            "ty, peace",
        ),
        timeline="6 wks",
        budget="55k",
        first_budget="40k",
        industry="couriers",
        unanswerable="u got a fax number for ur lawyer?",
    ),
    Buyer(
        name="the Japanese section chief",
        lines=(
            (
                "Thank you for your time. We are troubled by delay of delivery, so I would like to "
                "consult with you."
            ),
            ("Now the staff makes schedule with Excel by hand, and overtime work is increasing every month."),
            "It is very sorry to hurry you, but we hope to start using within six weeks.",
            "Our company's business is distribution of frozen food.",
            "About decision, I have been entrusted by the president, so I can decide.",
            "As for budget, we prepare 40,000 US dollars.",
            "Can it cooperate with kintone?",
            "I would like to confirm about information security too.",
            (
                "I apologize, there was change in budget. Accounting section permitted up to 55,000 "
                "US dollars."
            ),
            "The number of employees is 64.",
            "Frankly speaking, the price is a little difficult for us compared with now.",
            "May I ask what is the blood type of your president?",
            ("I understand. If there is an example of introduction at other company, please let me see."),
            "Yes, let us have a meeting. Next Tuesday is convenient.",
            "Thank you very much for your kindness. Excuse me.",
        ),
        timeline="six weeks",
        budget="55,000 US dollars",
        first_budget="40,000 US dollars",
        industry="distribution",
        unanswerable="May I ask what is the blood type of your president?",
    ),
    Buyer(
        name="the consultant on a mandate",
        lines=(
            (
                "Hi, I've been brought in to fix the service levels at a carrier where a third of the "
                "drops run late."
            ),
            (
                "The planning team reconciles four workbooks every evening; it's error-prone, slow, "
                "and demoralising."
            ),
            "My mandate ends in six weeks, and the thing should be in production before I leave.",
            "Sector-wise this is haulage, bulk materials, quarries to building sites.",
            ("Purchasing authority was delegated to me in writing, so you're talking to the right person."),
            "What does a typical rollout look like, week by week?",
            "How do you connect to SAP Business One, if at all?",
            "The envelope is $40k all in.",
            "It's a small organisation, 76 staff over three depots.",
            "The envelope moved, by the way: the CFO has gone to $55k.",
            "I'd struggle to defend that price, since the incumbent process looks free on paper.",
            "What discount did you give to your very first client?",
            ("Understandable. A reference case from a similar operation would help me make the argument."),
            "Let's do the meeting, then. I can make Wednesday at four.",
            "Great, thanks for your help. Speak soon.",
        ),
        timeline="six weeks",
        budget="$55k",
        first_budget="$40k",
        industry="haulage",
        unanswerable="What discount did you give to your very first client?",
    ),
    Buyer(
        name="the Australian dispatcher",
        lines=(
            "G'day, we're copping it from customers because half our loads rock up late.",
            (
                "I do the roster in a spreadsheet after tea, takes me all arvo on a bad day, and some "
                "bugger always swaps shifts."
            ),
            "The boss wants out of it in six weeks, and honestly so do I.",
            "We cart freight, Brisbane to Cairns and everything between.",
            "About 44 of us on the books.",
            "He's told me to pick whatever I like, I've got the final say on it.",
            "Could probably spend 40 grand US.",
            "Is our info kept safe, mate?",
            "Does it hook into Xero or do I still have to do the invoices twice?",
            "Hang on, just heard back from the money side, they're good for 55 grand.",
            "Strewth, that's a bit rich though. We're paying bugger all right now.",
            "Who came second in your office footy tipping last year?",
            "No dramas. Flick me one of those customer write-ups, would ya?",
            "Yeah, righto, keen for a chat. Thursday arvo?",
            "Legend, thanks mate. Hooroo.",
        ),
        timeline="six weeks",
        budget="55 grand",
        first_budget="40 grand",
        industry="freight",
        unanswerable="Who came second in your office footy tipping last year?",
    ),
)
