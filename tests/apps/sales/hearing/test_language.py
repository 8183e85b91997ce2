"""The language of a message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.apps.sales.hearing import language_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("We keep missing delivery slots because we plan everything on spreadsheets.", "en"),
        ("Wir verpassen ständig Zeitfenster, weil wir alles in Tabellen planen.", "de"),
        ("Nous ratons des créneaux parce que nous planifions tout dans des tableurs.", "fr"),
        ("Perdemos franjas de entrega porque lo planificamos todo en hojas de cálculo.", "es"),
        ("Perdiamo le consegne perché pianifichiamo tutto con i fogli di calcolo.", "it"),
        ("Nós perdemos entregas porque não temos um sistema para planejar.", "pt"),
        ("Wij missen leveringen omdat we alles in spreadsheets plannen en het is niet goed.", "nl"),
        ("Gubimy dostawy, bo planujemy wszystko w arkuszach i nie jest to dobre.", "pl"),
        ("Мы планируем доставку в таблицах", "ru"),
        ("Ми плануємо доставку в таблицях", "uk"),
        ("我们用表格安排送货。", "zh"),
        ("配送を表計算で計画しています。", "ja"),
        ("우리는 스프레드시트로 배송을 계획합니다.", "ko"),
        ("نخطط لعمليات التسليم في جداول", "ar"),
        ("אנחנו מתכננים משלוחים בגיליונות", "he"),
        ("Wie viel kostet das?", "de"),
    ],
)
def test_a_message_shows_its_language(text: str, code: str) -> None:
    """By its script, or by its commonest words."""
    assert language_of(text, "en") == code


@pytest.mark.parametrize(
    "text", ["OK", "$40,000", "", "Larkline", "QuickBooks?", "👍", "42", "six", "Android"]
)
@pytest.mark.parametrize("before", ["en", "de", "ja"])
def test_a_message_without_a_language_keeps_the_one_before(text: str, before: str) -> None:
    """A number or a name is written alike everywhere."""
    assert language_of(text, before) == before


def test_the_language_can_change_and_change_back() -> None:
    """A buyer who turns to English is answered in English."""
    assert language_of("Sorry, can we continue in English? It is easier for me.", "de") == "en"


@given(st.text(), st.sampled_from(["en", "de", "zh"]))
def test_any_text_has_a_language(text: str, before: str) -> None:
    """Nothing makes it raise, and what it answers is a code."""
    assert 2 <= len(language_of(text, before)) <= 3
