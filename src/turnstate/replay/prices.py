"""What tokens cost: the list prices of a model, from the genai-prices data that is installed, never from the network."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from genai_prices import Usage, calc_price
from genai_prices.types import ModelPrice, TieredPrices

from turnstate.errors import ModelNameError

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Rate:
    """A price in US dollars for a million tokens, with its steps for long requests.

    Attributes:
        base: the price.
        tiers: pairs of a request's input tokens and the price above them, ascending.
    """

    base: Decimal
    tiers: tuple[tuple[int, Decimal], ...] = ()

    def at(self, request: int) -> Decimal:
        """The price in a request of this many input tokens: one tier holds for all of the request."""
        price = self.base
        for start, above in self.tiers:
            if request > start:
                price = above
        return price


FREE = Rate(Decimal(0))


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of one model.

    Attributes:
        model: its id, as given.
        plain: input that is neither read from nor written to the prompt cache.
        read: input read from the prompt cache.
        write: input written to the prompt cache.
        output: output.
        notes: which prices the model has not and what was taken instead, one sentence each.
    """

    model: str
    plain: Rate
    read: Rate
    write: Rate
    output: Rate
    notes: tuple[str, ...] = ()

    def cost(self, plain: int, output: int, *, read: int = 0, written: int = 0) -> Decimal:
        """US dollars of one request, by how its input was billed."""
        total = plain + read + written
        billed = ((plain, self.plain), (read, self.read), (written, self.write), (output, self.output))
        return sum((tokens * rate.at(total) for tokens, rate in billed if tokens), Decimal(0)) / MILLION

    def equivalent(self, plain: int, *, read: int = 0, written: int = 0) -> Decimal:
        """The input of one request in plain tokens: how many of them would be billed the same."""
        total = plain + read + written
        price = self.plain.at(total)
        if not price:
            return Decimal(total)
        billed = plain * price + read * self.read.at(total) + written * self.write.at(total)
        return billed / price


def prices(model: str, at: datetime | None = None) -> Prices:
    """The prices of `model`, a `provider:name`, a name alone, or "offline", which costs nothing.

    Args:
        model: the model's id.
        at: the day that they hold for; today if None.

    Raises:
        ModelNameError: nobody publishes prices for such a model.
    """
    if model == "offline":
        return Prices(model, FREE, FREE, FREE, FREE)
    found = _model_price(model, at)
    plain, output = _rate(found.input_mtok), _rate(found.output_mtok)
    if plain is None or output is None:
        raise ModelNameError(model, "has no published price for its tokens")
    read, write = _rate(found.cache_read_mtok), _rate(found.cache_write_mtok)
    notes = [
        f"{model} has no price for {what} the prompt cache; that is priced as plain input."
        for what, rate in (("reading from", read), ("writing to", write))
        if rate is None
    ]
    return Prices(model, plain, read or plain, write or plain, output, tuple(notes))


def _model_price(model: str, at: datetime | None) -> ModelPrice:
    provider, colon, name = model.partition(":")
    try:
        priced = calc_price(
            Usage(input_tokens=1),
            name if colon else model,
            provider_id=provider if colon else None,
            genai_request_timestamp=at,
        )
    except LookupError:
        raise ModelNameError(model, "has no published prices") from None
    return priced.model_price


def _rate(price: Decimal | TieredPrices | None) -> Rate | None:
    if isinstance(price, TieredPrices):
        return Rate(price.base, tuple((tier.start, tier.price) for tier in price.tiers))
    return None if price is None else Rate(price)
