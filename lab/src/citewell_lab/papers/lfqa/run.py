"""One run of the study: every analysis that the data allows, and a note for each that it does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from citewell import __version__, registry
from citewell.errors import notes
from citewell.library.batch.workers import ALONE, Crew
from citewell.protocols import Checker
from citewell_lab.papers.lfqa import agreement, documents, position, similarity, support, supportedness, surface
from citewell_lab.papers.lfqa.data import Study
from citewell_lab.papers.lfqa.scorers import Perplexity, continuation
from citewell_lab.papers.lfqa.support import Judged

Say = Callable[[str], None]


class Options(NamedTuple):
    """What to run with. Specs of the registry, but `lm`, which is a causal model's name or path."""

    checker: str | Checker = "lexical"
    encoder: Any = None
    lm: str | None = None
    rankgen: Any = None
    crew: Crew = ALONE
    seed: int = 0


@dataclass(frozen=True)
class Results:
    """Rows of figures by analysis, each a NamedTuple; `skipped` says what could not be measured and why."""

    study: Study
    tables: Mapping[str, Sequence[Any]]
    skipped: tuple[str, ...]
    warnings: tuple[str, ...]
    record: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: every figure of every analysis."""
        return {
            "record": dict(self.record),
            "skipped": list(self.skipped),
            "warnings": list(self.warnings),
            "tables": {name: [as_json(row) for row in rows] for name, rows in self.tables.items()},
        }


def as_json(value: Any) -> Any:
    """NamedTuples as objects."""
    if hasattr(value, "_asdict"):
        return {key: as_json(field_value) for key, field_value in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [as_json(field_value) for field_value in value]
    return value


def run(study: Study, options: Options = Options(), say: Say = lambda _: None) -> Results:  # noqa: B008  (immutable)
    """Run everything.

    `say` is told what begins, and how many questions are judged, for a progress line.

    Raises:
        SpecError, MissingExtraError, BackendError: of the back ends.
    """
    skipped: list[str] = []
    options = options._replace(checker=support.by_sentence(options.checker))
    tables: dict[str, Sequence[Any]] = {"documents": documents.sizes(study), "sufficient": documents.sufficient(study)}
    if study.sets and not tables["sufficient"]:
        skipped.append("sufficiency of documents: no set was judged (the field is `sufficient`)")
    with notes.collect() as noted:
        if study.settings:
            say("surface")
            tables["surface"] = _surface(study, options, skipped)
            say("similarity")
            _similarity(study, options, tables, skipped)
        else:
            skipped.append("surface, similarity: there are no answers")
        failed = _support(study, options, tables, skipped, say)
        say("annotations")
        _annotations(study, options, tables, skipped)
    record = {
        "citewell": __version__,
        "questions": len(study.questions),
        "settings": [str(setting) for setting in study.settings],
        "document_sets": list(study.sets),
        "annotated_settings": [str(setting) for setting in study.annotated_settings],
        "layout": study.layout,
        "checker": _named(options.checker),
        "encoder": _named(options.encoder),
        "lm": options.lm,
        "rankgen": _named(options.rankgen),
        "seed": options.seed,
    }
    warnings = (*study.warnings, *noted.warnings, *(f"not judged: {setting}" for setting in failed))
    return Results(study, tables, tuple(skipped), warnings, record)


def _named(spec: Any) -> str | None:
    return spec if spec is None or isinstance(spec, str) else str(getattr(spec, "name", type(spec).__name__))


def _surface(study: Study, options: Options, skipped: list[str]) -> list[surface.Surface]:
    if options.lm is None:
        skipped.append("perplexity: no causal language model was given (--lm MODEL; the paper used GPT-2-XL)")
    if options.rankgen is None:
        skipped.append("RankGen: no model was given (--rankgen SPEC, a retriever with embeddings)")
    return surface.measure(
        study,
        rankgen=continuation(registry.build("retriever", options.rankgen)) if options.rankgen else None,
        perplexity=Perplexity(model=options.lm) if options.lm else None,
    )


def _similarity(study: Study, options: Options, tables: dict[str, Sequence[Any]], skipped: list[str]) -> None:
    encoder = registry.build("retriever", options.encoder) if options.encoder else None
    if encoder is None:
        skipped.append("embedding similarity: no encoder was given (--encoder SPEC; the paper used SimCSE)")
    measured = similarity.measure(study, encoder, seed=options.seed)
    tables["similarity"], tables["similarity_bounds"] = measured.pairs, measured.bounds
    skipped.extend(measured.missing)


def _support(
    study: Study, options: Options, tables: dict[str, Sequence[Any]], skipped: list[str], say: Say
) -> list[str]:
    """Everything that needs sentences judged: by the checker, by people, or both."""
    if not study.sets:
        skipped.append("support, position: there are no documents")
        return []
    done = 0

    def count(number: int) -> None:
        nonlocal done
        done += number
        say(f"support: {done} of {len(study.questions)} questions")

    everything = support.judge(support.tasks(study), options.checker, crew=options.crew, on_done=count)
    on_labelled = support.judge(support.annotated_tasks(study), options.checker)
    tables["support"] = support.shares(everything.sentences, seed=options.seed)
    tables["support_annotated"] = support.shares(on_labelled.sentences, seed=options.seed)
    people = position.human(study)
    sources: list[tuple[str, Sequence[Judged]]] = [
        ("people", people),
        ("checker, annotated answers", on_labelled.sentences),
        ("checker, all answers", everything.sentences),
    ]
    say("position")
    missing = [position.unsupported(judged, source, seed=options.seed) for source, judged in sources]
    tables["unsupported_by_position"] = [row for parts, _ in missing for row in parts]
    tables["last_sentence"] = [row for _, ends in missing for row in ends]
    if people and not any(judged.support for judged in people):
        sources.insert(0, ("people's labels, checker's evidence", position.relabelled(on_labelled.sentences, study)))
        skipped.append("order of evidence by people: the annotations name no evidence; the checker's stands in")
    ordered = [position.order(judged, source, seed=options.seed) for source, judged in sources]
    tables["order"] = [row for orders, _ in ordered for row in orders]
    tables["order_heat"] = [row for _, heats in ordered for row in heats]
    if not tables["order"]:
        skipped.append("order of evidence: no sentence has any")
    return [*everything.failed, *on_labelled.failed]


def _annotations(study: Study, options: Options, tables: dict[str, Sequence[Any]], skipped: list[str]) -> None:
    if not study.annotated_settings:
        skipped.append("supportedness, agreement, error categories: there are no annotations")
        return
    tables["supportedness"] = supportedness.supportedness(study, seed=options.seed)
    tables["agreement"] = agreement.agreement(study)
    tables["patterns"] = agreement.patterns(study)
    tables["errors"] = supportedness.errors(study)
    if not tables["errors"]:
        skipped.append("error categories: no sentence has one (the field is `errors`)")
