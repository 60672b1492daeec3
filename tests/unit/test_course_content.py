"""Forms of lessons, links, prose, search: what is strict, and what a reader's mistakes become."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tutor.core.errors import ContentError, PositionError, RequestError, TutorError
from tutor.core.position import MAX_LINK
from tutor.core.registry import GAMES, game
from tutor.core.typography import typography
from tutor.course import check, lessons
from tutor.course.articles import cards
from tutor.course.links import Link, PageKind, addresses, position_of, position_text, read_query, read_url
from tutor.course.matching import differences, matches, pick
from tutor.course.models import ExerciseFile, Lesson, RuleText, Variation, parse_model, texts
from tutor.course.prose import Explainer, rule_ids, tokens
from tutor.course.search import search
from tutor.course.showing import showing

CC = "combat_commander"
FIRST = lessons.lesson(CC, "cc-04-ldv")


def raw() -> dict[str, Any]:
    path = game(CC).folder / "lessons" / f"{FIRST.slug}.yaml"
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return data


# -- lessons ------------------------------------------------------------------------------------------------------


def test_one_lesson_is_read_by_its_id() -> None:
    assert FIRST.title == "La ligne de vue sur terrain plat"
    assert list(FIRST.examples) == ["lisiere", "route", "mur"]
    with pytest.raises(ContentError, match="n’existe pas"):
        lessons.lesson(CC, "cc-99-rien")


def test_lessons_follow_each_other() -> None:
    every = lessons.lessons(CC)
    assert [one.number for one in every] == sorted(one.number for one in every)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.pop("title"), "title : cette clé manque"),
        (lambda data: data.update(titre="x"), "titre : clé inconnue"),
        (lambda data: data.update(minutes="dix"), "minutes : un nombre entier est attendu"),
        (lambda data: data["blocks"].append({"kind": "jeu"}), "blocks.17"),
        (lambda data: data["blocks"][4]["cases"][0].update(changes={}), "sans changement"),
    ],
)
def test_a_broken_lesson_says_where(change: Any, said: str) -> None:
    data = raw()
    change(data)
    with pytest.raises(ContentError) as error:
        parse_model(Lesson, data, "lecon.yaml")
    assert "lecon.yaml" in str(error.value)
    assert re.search(re.escape(said).replace(r"blocks\.17", r"blocks\.\d+"), str(error.value)), str(error.value)
    assert error.value.remedy


def test_a_check_of_ours_hides_no_other_fault_and_names_its_place_when_there_is_one() -> None:
    faulty = {"exercises": [{"id": "un", "answer": {"kind": "number"}}]}
    with pytest.raises(ContentError, match=r"exercises\.0\.title : cette clé manque.*answer : une réponse « number »"):
        parse_model(ExerciseFile, faulty, "un.yaml")
    with pytest.raises(ContentError, match=r"^un\.yaml : donnez « path » ou « argument »\."):
        parse_model(Variation, {}, "un.yaml")


def test_the_check_goes_on_after_what_it_cannot_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(game(CC).phrases.templates, "distance.count")
    one = lessons.lessons(CC)[0].examples["distance"]
    examples = [one, one.model_copy(update={"id": "autre", "rules": [*one.rules, "T99"]})]
    said = list(check.example_faults(game(CC), lessons.lessons(CC)[0].model_copy(update={"blocks": examples})))
    silent = "Aucune phrase pour l’étape « distance.count »."
    assert [line.partition(" Ajoutez")[0] for line in said] == [
        f"exemple distance : {silent}",
        "exemple autre : la règle T99 n’est pas à l’œuvre dans la trace.",
        f"exemple autre : {silent}",
    ]


def test_rules_lead_to_their_lesson_and_example() -> None:
    assert lessons.teaching(CC)["10.2"].id == "cc-04-ldv"
    lesson, example, link = showing(CC)["T93"]
    assert (lesson.id, example.id) == ("cc-04-ldv", "route")
    assert read_url(link.url) == link
    family, example, link = showing(CC)["A32"]
    assert (family.id, link.page, link.rule) == ("cc-actions", "articles", "A32")
    assert "A32" in example.rules


def test_french_typography_is_set_by_the_loader() -> None:
    for lesson in lessons.lessons(CC):
        for text in lesson.prose():
            assert not re.search(r"\w [:;!?»]|« \w|\w'\w", text), text


# -- links --------------------------------------------------------------------------------------------------------

NAMES = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=12)


@given(
    st.builds(
        Link,
        page=st.just("lesson"),
        game=st.just(CC),
        slug=NAMES,
        example=NAMES,
        position=NAMES,
        projection=st.booleans(),
    )
    | st.builds(
        Link,
        game=st.just(CC),
        rule=st.sampled_from(["10.3.3", "O20.3.1", "GLO.Équipe", "T88"]),
        word=st.sampled_from(["", "gêne", "tir croisé"]),
    )
    | st.builds(Link, page=st.sampled_from(["sandbox", "about"]), position=NAMES)
)
def test_a_link_is_read_as_it_was_written(link: Link) -> None:
    assert read_url(link.url) == link


def test_the_grammar_of_links() -> None:
    assert Link().url == "/"
    assert Link(game=CC, rule="10.3.3").url == "/?jeu=combat_commander&regle=10.3.3"
    asked = read_query("exemple=route&position=abc&mode=projection&inconnu=1")
    assert (asked.example, asked.position, asked.projection) == ("route", "abc", True)


def test_every_page_that_links_name_has_its_notebook_and_every_notebook_its_page(root: Path) -> None:
    notebooks = {
        path.relative_to(root / "notebooks").with_suffix("").as_posix() for path in (root / "notebooks").glob("*.ipynb")
    }
    assert notebooks == {*addresses().values(), "bibliotheque"}
    assert set(addresses()) >= {*get_args(PageKind)} - {"lesson"}
    own = {one.page: one.address for game_id in GAMES for one in GAMES.facts(game_id).pages}
    assert own
    for page, address in own.items():
        assert Link(page).url == f"/voila/render/{address}.ipynb"
        assert read_url(Link(page).url).page == page


def test_links_know_no_notebook(root: Path) -> None:
    text = (root / "tutor" / "course" / "links.py").read_text(encoding="utf-8")
    constants = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    texts = [value for value in constants if isinstance(value, str) and "\n" not in value]
    assert [text for text in texts if text.endswith(".ipynb")] == [".ipynb"]
    assert {word for word in addresses().values() if "-" in word}.isdisjoint(texts)


@pytest.mark.parametrize("url", ["/ailleurs", "/voila/render/a/b/c.ipynb", "/voila/render/x.txt"])
def test_an_address_of_nothing_says_so(url: str) -> None:
    with pytest.raises(RequestError, match="n’est pas celle d’une page"):
        read_url(url)


def test_a_position_goes_through_a_link() -> None:
    position = game(CC).position("livret-ldv").change({"terrain.K9": "woods"})
    assert position_of(position_text(position), CC) == position


@pytest.mark.parametrize("text", ["", "abc", "é" * 20, "A" * (MAX_LINK + 1), "eJyrVkrLz1eyUkpKLFKqBQAdegQ0"])
def test_a_damaged_position_is_a_french_sentence(text: str) -> None:
    with pytest.raises(PositionError) as error:
        position_of(text, CC)
    assert error.value.remedy


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(PositionError, match="du jeu"):
        position_of(position_text(game(CC).position("livret-ldv")), "asl_sk")


@given(st.text(max_size=60))
def test_any_query_is_read(query: str) -> None:
    assert isinstance(read_query(query), Link)


@given(st.text(max_size=80))
def test_any_position_text_is_a_position_or_a_sentence(text: str) -> None:
    with pytest.raises(TutorError) as error:
        position_of(text, CC)
    assert error.value.sentence


# -- patterns, prose, search --------------------------------------------------------------------------------------


def test_patterns_are_partial_in_mappings_and_whole_in_lists() -> None:
    actual = {"value": {"fp": 11, "p": "1/2", "hexes": ["J7", "K8"], "ok": True}}
    assert matches({"value": {"p": "2/4", "hexes": ["J7", "K8"], "ok": True}}, actual)
    assert differences({"value": {"hexes": ["J7"]}}, actual) == ["value.hexes : attendu ['J7'], obtenu ['J7', 'K8']"]
    assert differences({"value": {"ok": 1}}, actual)
    assert differences({"value": {"fp": True}}, actual)
    assert differences({"value": None}, {"value": 0})


def test_picking_what_is_not_there_names_what_is() -> None:
    with pytest.raises(RequestError, match="fp"):
        pick({"value": {"fp": 1}}, "value.pf")


def test_words_are_explained_once_a_page() -> None:
    explainer = Explainer(game(CC).glossary, ["Gêne"])
    assert [token.kind for token in explainer.tokens("La gêne [[10.3]].")] == ["text", "word", "text", "rule", "text"]
    assert [token.kind for token in explainer.tokens("Encore une gêne.")] == ["text"]


@pytest.mark.parametrize(
    ("text", "explained"),
    [
        ("Il perd 8 pas.", True),
        ("Le premier pas va au platoon.", True),
        ("Deux pas chacun, pas un de plus.", True),
        ("Une courbe n’est pas un obstacle.", False),
        ("Toujours pas : le bois l’abrite.", False),
        ("Pas de perte pour les chars.", False),
    ],
)
def test_a_negation_is_not_the_noun(text: str, explained: bool) -> None:
    explainer = Explainer(game("tcs").glossary, ["Pas"])
    assert [token.text for token in explainer.tokens(text) if token.kind == "word"] == (["pas"] if explained else [])


#: What may end a sentence of prose, once its links are left out.
_ENDED = re.compile(r"[.?!…»)*\]:]\Z")


@pytest.mark.parametrize("game_id", ["combat_commander", "asl_sk", "tcs", "sherman_leader", "heroes_of_normandie"])
def test_no_sentence_is_cut_short(game_id: str) -> None:
    sentences = [
        text
        for one in lessons.lessons(game_id)
        for block in one.blocks
        if block.kind == "rule"
        for text in block.sentences
    ]
    sentences += [
        text
        for one in lessons.lessons(game_id)
        for block in one.blocks
        if block.kind == "retenir"
        for text in block.lines
    ]
    sentences += [
        text for exercise in lessons.exercises(game_id).values() for text in (exercise.question, exercise.hint)
    ]
    sentences += [text for card in cards(game_id) for text in (card.article.when, card.article.effect)]
    assert [text for text in sentences if not _ENDED.search(text)] == []


@pytest.mark.parametrize("game_id", GAMES)
def test_each_what_if_asks_a_question(game_id: str) -> None:
    blocks = [block for one in lessons.lessons(game_id) for block in one.blocks if block.kind == "et_si"]
    assert blocks
    assert not [case.text for block in blocks for case in block.cases if "?" not in case.text]


@given(st.text(max_size=60))
def test_typography_settles(text: str) -> None:
    once = typography(text)
    assert typography(once) == once
    assert "".join(token.text for token in tokens("a")) == "a"


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("10.3.3", "10.3.3"),
        ("gene des fumigenes", "10.3.4"),
        ("O20.3", "O20.3"),
        ("angle mort", "T88.4.1"),
        ("tir croisé", "A30"),
    ],
)
def test_search_by_number_or_word(words: str, first: str) -> None:
    assert search(CC, words)[0].id == first


def test_a_number_finds_its_sub_rules_and_no_other() -> None:
    assert [s.id for s in search(CC, "10.3")][:3] == ["10.3", "10.3.1", "10.3.2"]
    assert search(CC, "zzz") == []
    assert search(CC, "   ") == []


@pytest.mark.parametrize("game_id", GAMES)
def test_every_example_has_a_rule_of_its_own_in_a_rule_block_of_its_lesson(game_id: str) -> None:
    for one in lessons.lessons(game_id):
        blocks = [block for block in one.blocks if isinstance(block, RuleText)]
        quoted = {rule for block in blocks for text in texts(block) for rule in rule_ids(text)}
        silent = [example.id for example in one.examples.values() if not quoted & set(example.rules)]
        assert not silent, (one.slug, silent)
