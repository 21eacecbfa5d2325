"""Request bodies with examples, and the back ends that a request may name."""

from __future__ import annotations

from types import NoneType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from citewell import registry
from citewell.errors import SpecError
from citewell.pipeline.unsupported import Policy
from citewell.serve.faults import Fault
from citewell.serve.offered import METHODS, NOTHING, Offered

# What needs neither a model, nor an address, nor a file: the language model, where there is one, is the service's.
OPEN: dict[str, dict[str, tuple[str, ...]]] = {
    "method": {"attributor": ("lexical", "verbatim", "retrieval")},
    "checker": {"checker": ("lexical",)},
    "approach": {"approach": tuple(registry.FAMILIES["approach"])},
}
_NESTED = {"retriever": ("bm25", "self-similarity"), "reducer": ("whole", "top", "fit")}
_DEEPEST = 4
THREAD = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"  # a name of a thread
Granularity = Literal["sentence", "paragraph", "window", "token"]
Id = Annotated[str, Field(min_length=1, max_length=64)]
Library = Annotated[str, Field(min_length=1, max_length=64)]
Label = Annotated[str, Field(pattern=r"^[^\s,]{1,64}$")]
Text = Annotated[str, Field(min_length=1, max_length=1_000_000)]
Question = Annotated[str, Field(min_length=1, max_length=20_000)]


def _score(value: Any) -> Any:
    """Accept a score or a name. A union type would report an error for each of its members."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | NoneType):
        raise ValueError("abstain is a score from 0 to 1, or a promise by its name")  # noqa: TRY004  (it becomes a reply)
    return value


class _Body(BaseModel):  # type: ignore[misc]  # the library's class is untyped here
    model_config = ConfigDict(extra="forbid", strict=True)


class NewDocument(_Body):
    """A document from a text."""

    text: Annotated[str, Field(min_length=1)]
    title: Annotated[str, Field(max_length=1000)] | None = None


class _Judged(_Body):
    method: Annotated[str | None, Field(max_length=200, description="What finds evidence.")] = None
    checker: Annotated[str | None, Field(max_length=200, description="What judges.")] = None

    def settings(self, offered: Offered = NOTHING) -> dict[str, Any]:
        """What the request says of the stages, with what the service offers.

        Raises Fault: it names what a request may not name.
        """
        fields = {"attributor": _method(self.method, offered), "checker": self.checker}
        for field, families in OPEN.items():
            if field != "method" and (spec := getattr(self, field, None)) is not None:
                _permit(spec, families, field)
        return {name: value for name, value in fields.items() if value is not None}


class Answered(_Judged):
    """How an answer is made."""

    approach: Annotated[str | None, Field(max_length=200, description="How the answer is made.")] = None
    abstain: Annotated[
        Annotated[float, Field(ge=0, le=1)] | Annotated[str, Field(min_length=1, max_length=64)] | None,
        Field(description="The least score that is given, or a promise of the service by its name: see /v1/settings."),
        BeforeValidator(_score),
    ] = None
    granularity: Granularity = "sentence"
    k: Annotated[int | None, Field(ge=1, le=100, description="The most citations a statement.")] = None
    on_unsupported: Annotated[
        Policy | None, Field(description="What becomes of statements that are not supported: mark by default.")
    ] = None

    def settings(self, offered: Offered = NOTHING) -> dict[str, Any]:
        """What the request says of the stages."""
        abstain = offered.promise(self.abstain) if isinstance(self.abstain, str) else self.abstain
        fields = {"approach": self.approach, "abstain": abstain, "k": self.k, "on_unsupported": self.on_unsupported}
        kept = {name: value for name, value in fields.items() if value is not None}
        return super().settings(offered) | kept | {"granularity": self.granularity}


class Chosen(_Body):
    """Which documents are asked."""

    documents: Annotated[list[Id], Field(max_length=100)] = []
    library: Annotated[bool | Library, Field(description="Ask all documents; a name is that of another library.")] = (
        False
    )
    collection: Annotated[
        str | None, Field(pattern="^[0-9a-f]{32}$", description="Ask the documents of a collection, by its id.")
    ] = None
    where: Annotated[
        str | None, Field(max_length=2000, description="A condition on the documents: year >= 2022 and title ~ annual.")
    ] = None
    most: Annotated[int | None, Field(ge=1, le=100, description="Documents of the library that are read.")] = None


class _Request(Chosen):
    keep: Annotated[bool, Field(description="Keep request and result: see /v1/history.")] = False

    @model_validator(mode="after")  # type: ignore[untyped-decorator]  # likewise
    def _either(self) -> _Request:
        ways = [bool(self.documents), self.library is True, self.collection is not None]
        if sum(ways) > 1 or not (any(ways) or self.library):
            raise ValueError("name documents by their ids, name a collection, or say library: true")
        if self.documents and (self.where is not None or self.most is not None):
            raise ValueError("where and most go with library: true, or with a collection")
        return self

    def request(self) -> dict[str, Any]:
        """The request as it came, but for how it is answered."""
        fields: dict[str, Any] = self.model_dump(exclude={"keep", "stream"}, exclude_unset=True)
        return fields


class Ask(Answered, _Request):
    """A question."""

    question: Question
    stream: Annotated[bool, Field(description="Answer with server-sent events.")] = False
    llm: Annotated[bool, Field(description="Use the service's language model, where it has one.")] = True
    thread: Annotated[
        str | None,
        Field(pattern=THREAD, description="A name of your own: questions with it are understood by those before them."),
    ] = None
    drop: Annotated[
        int, Field(ge=0, le=50, description="How many of the thread's last turns are taken back: to ask them anew.")
    ] = 0


class Attribute(_Judged, _Request):
    """Somebody's answer, whose evidence is wanted."""

    answer: Text
    question: Question | None = None
    stream: Annotated[bool, Field(description="Answer with server-sent events.")] = False
    granularity: Granularity = "sentence"
    k: Annotated[int | None, Field(ge=1, le=100, description="The most citations a statement.")] = None

    on_unsupported: Annotated[
        Literal["mark", "drop", "refuse"], Field(description="What becomes of statements that are not supported.")
    ] = "mark"

    def settings(self, offered: Offered = NOTHING) -> dict[str, Any]:
        """What the request says of the stages."""
        fields = super().settings(offered)
        method = {"method": fields.pop("attributor")} if "attributor" in fields else {}
        fields |= {"granularity": self.granularity, "on_unsupported": self.on_unsupported}
        return fields | method | ({} if self.k is None else {"k": self.k})


class Check(_Judged, _Request):
    """Claims to judge."""

    claims: Annotated[list[Annotated[str, Field(min_length=1, max_length=20_000)]], Field(min_length=1, max_length=500)]


class Audit(_Judged, _Request):
    """Somebody's response with its citations."""

    response: Annotated[Text | dict[str, Any] | list[Any], Field(description="Its JSON, or its text with [n] marks.")]
    question: Question | None = None


class Verify(_Body):
    """An answer of ours that was kept, and the documents that it is held against: its own where none is named."""

    answer: dict[str, Any]
    documents: Annotated[list[Id], Field(max_length=100)] = []


class Share(_Body):
    """Whether all who carry the labels of a kept result see it."""

    shared: bool


class CollectionChange(_Body):
    """What becomes of a collection; what is not named stays."""

    name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    shared: Annotated[bool | None, Field(description="Whether all who carry its labels see it.")] = None
    members: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=64)]] | None,
        Field(max_length=100, description="Names of colleagues who see it, put documents in and take them out."),
    ] = None
    add: Annotated[list[Id], Field(max_length=10_000, description="Documents to put in.")] = []
    remove: Annotated[list[Id], Field(max_length=10_000, description="Documents to take out.")] = []


class NewCollection(_Body):
    """A named set of documents."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    documents: Annotated[list[Id], Field(max_length=10_000)] = []
    shared: bool = False
    members: Annotated[list[Annotated[str, Field(min_length=1, max_length=64)]], Field(max_length=100)] = []


class UserLimits(_Body):
    """What a user may do; what is not named stays, or is the usual of a new user."""

    role: Literal["reader", "member", "admin"] = "member"
    labels: Annotated[list[Label], Field(max_length=10, description="That they carry.")] = []
    libraries: Annotated[
        list[Library] | None, Field(max_length=100, description="That they may use, null for all.")
    ] = None
    until: Annotated[
        str | None, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="The last day of their token.")
    ] = None


class NewUser(UserLimits):
    """A user of the workspace of who makes them."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$")]


class LoginCode(_Body):
    """What a login by a provider ended in."""

    code: Annotated[str, Field(min_length=1, max_length=100)]


class Place(_Body):
    """A place in a document: offsets in its text."""

    document_id: Id
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=1)]


class Correct(_Body):
    """What a person says of a statement of a kept result: its right label, its right evidence, a note."""

    history: Annotated[str, Field(pattern="^[0-9a-f]{32}$", description="The id of the kept result.")]
    statement: Annotated[int, Field(ge=0, description="Its position in the result, from 0.")]
    label: Literal["supported", "partially_supported", "not_supported", "contradicted", "no_claim"] | None = None
    citations: Annotated[list[Place], Field(max_length=100)] | None = None
    note: Annotated[str, Field(min_length=1, max_length=10_000)] | None = None

    @model_validator(mode="after")  # type: ignore[untyped-decorator]  # likewise
    def _something(self) -> Correct:
        if self.label is None and self.citations is None and self.note is None:
            raise ValueError("say what is right: label, citations, or a note")
        return self


def invalid(problems: Any) -> Fault:
    """The first validation error as a fault: the place, but not the value that was sent."""
    first = problems[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "path", "query"))
    message = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "json_invalid":
        place, message = "", "the body is not JSON"
    return Fault(422, "UsageError", message, place or None)


def _method(spec: str | None, offered: Offered) -> str | None:
    """The attributor spec, with models replaced by the offered ones."""
    if spec is None:
        return None
    if offered.models and (parsed := _parsed(spec, "method")).name in METHODS:
        return offered.method(parsed)
    _permit(spec, OPEN["method"], "method")
    return spec


def _parsed(spec: str, field: str) -> registry.Spec:
    try:
        return registry.parse(spec)
    except SpecError as error:
        raise Fault(422, "SpecError", str(error), field) from error


def _permit(spec: str, families: dict[str, tuple[str, ...]], field: str, depth: int = 0) -> None:
    """Reject a spec that names anything but numbers and back ends without a model, address or file."""
    parsed = _parsed(spec, field)
    names = [name for known in families.values() for name in known]
    if parsed.name not in names or depth > _DEEPEST:
        raise Fault(422, "SpecError", f"a request may name {', '.join(names)} here, not {parsed.name!r}", field)
    for _, value in parsed.params:
        if isinstance(value, str):
            _permit(value, _NESTED, field, depth + 1)
