"""Answers by a language model that reads numbered passages and, if requested, cites them.

Prompted(llm="openai(model=gpt-4o-mini)").generate("Who pays?", [document])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, cast

from citewell import registry
from citewell.document import Document
from citewell.errors import ContextTooLongError, ReplyError, UsageError
from citewell.generators import reducers
from citewell.generators.prompted import native, templates
from citewell.llm import asking, tokens
from citewell.protocols import LLM, Completion, Message, Reducer, Request
from citewell.text import untrusted
from citewell.text.replies.parsing import Reply, parse, settled
from citewell.types import Abstention, Citation, Draft, Granularity, Passage, Span
from citewell.types.marks import Unmarked

_LOOK = 24  # characters of a reply between two looks at what of it is final, at least
_GROWTH = 1 / 16  # of what has arrived, that a look waits for: so all looks together read a long reply a few times only
CITES = ("marks", "native", "all", "none")
INSTRUCT = ("before", "after", "both")
OVERLONG = ("reduce", "cut")


@dataclass(frozen=True, kw_only=True)
class Prompted:
    """Ask a language model.

    Attributes:
        llm: its spec, or a ready client.
        prompt: the name of one of our prompts, or the path of one's own; from Python also a template that was read.
        cite: `marks` asks for [n] after each statement; `native` hands documents to a service that cites by itself;
            `all` lets every statement cite all that was read (retrieve-then-read); `none` asks for no citations.
        max_input: the most tokens of a prompt. LAB has 16,000.
        overlong: what is done with documents that do not fit: `reduce` reads the passages that the question's retriever
            ranks best, as many as fit; `cut` the first ones, as LAB does.
        max_tokens: the most tokens of a reply, the prompt's own setting where None.
        examples: how many of the prompt's worked examples are shown, at most 3; or the path of a file of one's own,
            or the name of a prompt of ours, whose examples are all shown.
        temperature: 0 is greedy.
        instruct: whether the instruction stands before the document, after it, or both.
        reduce: the spec of the reducer that chooses what is read, or a ready one.
        context: what is told beside the question, where the prompt has a place for it; nothing is searched by it.
        history: role and text of the messages before the question; a system message stands before all others, and of a
            long conversation the last part is read, at most a quarter of `max_input`.
        stop: texts that end a reply.
        options: further settings of the service with their values, by its own names, such as `top_p`.
        basis: the prompt of ours whose settings, sections and worked examples a prompt of one's own takes where it has
            none; without one it has no examples.
    """

    llm: str | LLM
    prompt: str | templates.Template = "question"
    cite: str = "marks"
    max_input: int = 16_000
    max_tokens: int | None = None
    examples: int | str = 3
    temperature: float = 0.0
    instruct: str = "before"
    reduce: str | Reducer = "whole"
    context: str = ""
    overlong: str = "reduce"
    history: tuple[tuple[str, str], ...] = ()
    stop: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    basis: str | None = None
    name: ClassVar[str] = "prompted"

    def __post_init__(self) -> None:
        if self.cite not in CITES:
            raise ValueError(f"cite is one of {', '.join(CITES)}, not {self.cite!r}")
        if self.instruct not in INSTRUCT:
            raise ValueError(f"instruct is one of {', '.join(INSTRUCT)}, not {self.instruct!r}")
        if self.overlong not in OVERLONG:
            raise ValueError(f"overlong is one of {', '.join(OVERLONG)}, not {self.overlong!r}")
        few = isinstance(self.examples, int) and self.examples < 0
        if self.max_input < 1 or (self.max_tokens is not None and self.max_tokens < 1) or few:
            raise ValueError("max_input and max_tokens are at least 1, examples at least 0")

    @cached_property
    def template(self) -> templates.Template:
        """The prompt, read when it is first needed."""
        template = templates.load(self.prompt, self.basis) if isinstance(self.prompt, str) else self.prompt
        return template.showing(self.examples) if isinstance(self.examples, str) else template

    @property
    def demonstrations(self) -> tuple[templates.Example, ...]:
        """The worked examples that stand in a prompt."""
        examples = self.template.examples
        if self.cite == "native":
            return ()
        return examples if isinstance(self.examples, str) else examples[: self.examples]

    @property
    def unit(self) -> Granularity:
        """What is read and cited: paragraphs or sentences."""
        return self.template.unit

    def passages(self, question: str, documents: Sequence[Document]) -> tuple[Passage, ...]:
        """What of the documents is read for a question, before it is cut to what fits."""
        reducer = cast("Reducer", registry.build("reducer", self.reduce))
        return reducer.reduce(self._query(question), documents, self.unit)

    def generate(
        self, question: str, documents: Sequence[Document], on_draft: Callable[[Draft], None] | None = None
    ) -> Draft:
        """Answer from what the reducer chooses; with `on_draft` the reply is streamed and told by statements.

        Raises:
            BackendError: the model failed.
            UsageError: not one passage fits into the model's context.
        """
        passages = self.passages(question, documents)
        budget, warnings = self.max_input, list[str]()
        for last in (False, False, True):
            request, kept, figures = self.request(question, documents, passages, budget)
            heard = _Heard(self, question, documents, kept, on_draft)
            try:
                listening = heard if on_draft and not self.template.single else None
                completion = asking.complete(self.client, request, listening)
                break
            except ContextTooLongError as error:
                smaller = int(budget * 0.95 * (error.limit or 1) / (error.tokens or 2))
                if last or heard.statements or smaller < 1:
                    raise
                budget = min(smaller, int(budget * 0.9))
                warnings.append("the model's context is shorter than max_input: less of the documents was read")
        left = figures.pop("left_out")
        if left and self.overlong == "cut":
            warnings.append(
                f"the documents are longer than fits: the last {left} of {len(passages)} passages were not read"
            )
        elif left:
            figures |= {"approach": f"reduced-{'post-hoc' if self.cite == 'none' else 'citation'}"}
            figures |= {"reduced": {"retriever": self._retriever, "read": len(kept), "of": len(passages)}}
            warnings.append(
                f"the documents are longer than max_input ({budget} tokens): the model read the {len(kept)} of "
                f"{len(passages)} passages nearest to the question ({figures['approach']})"
            )
        draft = self._draft(completion, question, documents, kept)
        usage = {
            **asking.used(completion),
            "prompt": {"name": self.template.name, "sha256": self.template.sha256},
            **figures,
        }
        return _with(draft, usage, (*warnings, *draft.warnings))

    def revise(self, draft: Draft, documents: Sequence[Document], faults: Sequence[tuple[str, str]]) -> Draft:
        """Answer again, told what of the draft is not supported; the usage is that of both replies.

        Raises:
            BackendError: the model failed.
        """
        question = draft.question or ""
        request, kept, _ = self.request(question, documents, self.passages(question, documents))
        wrong = "\n".join(f"- “{' '.join(text.split())}” {reason}" for text, reason in faults)
        turns = (*request.messages, Message("assistant", draft.text), Message("user", _AGAIN.format(wrong=wrong)))
        completion = asking.complete(self.client, replace(request, messages=turns))
        both = asking.used(completion)
        for name in ("input_tokens", "output_tokens", "reasoning_tokens", "cost"):
            figures = [figure for figure in (draft.usage.get(name), both[name]) if figure is not None]
            both[name] = sum(figures) if figures else None
        return _with(self._draft(completion, question, documents, kept), {**draft.usage, **both, "rewritten": True}, ())

    def request(
        self, question: str, documents: Sequence[Document], passages: Sequence[Passage], budget: int | None = None
    ) -> tuple[Request, tuple[Passage, ...], dict[str, Any]]:
        """What would be asked, the passages in it, and figures about it: for a dry run, and for `generate`.

        Raises:
            UsageError: not one passage fits.
        """
        marks = self.cite == "marks"
        turns = self._turns(marks=marks)
        budget = self.max_input if budget is None else budget
        closing = "" if self.instruct == "before" else f"\n\n{self.template.opening(cite=marks)}"
        opening = "\n".join(turn.content for turn in turns) + self.template.filled("", question, self.context) + closing
        used, exact = self._count(opening)
        kept = self._fitting(question, documents, passages, budget - used, budget)
        figures = {"passages": len(kept), "left_out": max(0, len(passages) - len(kept)), "tokens_estimated": not exact}
        limit = self.max_tokens or self.template.max_tokens
        if self.cite == "native":
            text = self.template.filled("(the documents above)", question, self.context) + closing
            attached = native.attachments(documents, kept)
            messages = joined([*turns, Message("user", text)])
            request = Request(messages, limit, self.temperature, self.stop, documents=attached, options=self.options)
            return request, kept, figures
        rendered = templates.rendered(documents, kept, cite=marks)
        text = self.template.filled(rendered, question, self.context) + closing
        messages = joined([*turns, Message("user", text)])
        return Request(messages, limit, self.temperature, self.stop, options=self.options), kept, figures

    def _turns(self, *, marks: bool) -> list[Message]:
        """The instruction, the worked examples as turns of the conversation, then what was said before the question."""
        system = [Message(role, text) for role, text in self.history if role == "system"]
        turns = system if self.instruct == "after" else [*system, Message("user", self.template.opening(cite=marks))]
        for example in self.demonstrations:
            document, passages = templates.example_input(example)
            rendered = templates.rendered([document], passages, cite=marks)
            turns.append(Message("user", self.template.filled(rendered, example.question, example.context)))
            turns.append(Message("assistant", templates.example_reply(example, cite=marks)))
        return [*turns, *self._earlier]

    @cached_property
    def _earlier(self) -> list[Message]:
        """The last turns of the conversation, as many as fit; earlier replies lose their marks, which count others."""
        kept, room = list[Message](), self.max_input // 4
        for role, text in reversed([turn for turn in self.history if turn[0] != "system"]):
            turn = Message("assistant" if role == "assistant" else "user", Unmarked(text).text)
            room -= self._size(turn.content)
            if room < 0:
                break
            kept.append(turn)
        return kept[::-1]

    def _query(self, question: str) -> str:
        """What passages are ranked by: the question, and what the user said before it."""
        before = next((text for role, text in reversed(self.history) if role == "user"), "")
        return f"{before}\n{question}" if before else question

    @cached_property
    def client(self) -> LLM:
        """The model, built when it is first needed and kept."""
        return asking.client(self.llm)

    @property
    def _retriever(self) -> str:
        """What ranks passages where not all fit: that of the reducer where it has one, else that of the prompt."""
        configured = getattr(registry.build("reducer", self.reduce), "retriever", None)
        return str(configured or reducers.default(self.template.name))

    def _count(self, text: str) -> tuple[int, bool]:
        return tokens.count(self.client, text)

    def _size(self, text: str) -> int:
        return self._count(text)[0] + 5  # its number and line break

    def _fitting(
        self, question: str, documents: Sequence[Document], passages: Sequence[Passage], room: int, budget: int
    ) -> tuple[Passage, ...]:
        """What fits into `room` tokens: everything, else the best or the first; sentences where no paragraph fits."""
        kept = self._first(passages, room)
        if self.overlong == "reduce" and len(kept) < len(passages):
            best = partial(reducers.fitting, self._retriever, self._query(question), room=room, size=self._size)
            kept = best(passages) or best(_sentences(documents, passages))
        kept = kept or self._first(_sentences(documents, passages), room)
        if passages and not kept:
            raise UsageError(
                f"not one passage fits into {budget} tokens besides the prompt: raise max_input or show fewer examples"
            )
        return kept

    def _first(self, passages: Sequence[Passage], room: int) -> tuple[Passage, ...]:
        kept: list[Passage] = []
        for passage in passages:
            room -= self._size(passage.segment.text)
            if room < 0:
                break
            kept.append(passage)
        return tuple(kept) if any(kept_item.segment.kind != "heading" for kept_item in kept) else ()

    def _draft(
        self, completion: Completion, question: str, documents: Sequence[Document], kept: Sequence[Passage]
    ) -> Draft:
        numbers = templates.numbered(kept)
        method, warnings = self._method(completion), tuple[str, ...]()
        if completion.finish == "length":
            warnings = ("the reply was cut off at its most tokens: raise max_tokens",)
        if completion.finish == "refused":
            return self._abstained(question, completion, "the model refuses to answer")
        if self.cite == "native":
            return _with(self._with_warnings(native.draft(completion, question, documents, kept, method)), {}, warnings)
        source = "\n".join(untrusted.passage(passage.segment.text) for passage in kept)
        known = len(numbers) if self.cite == "marks" else 0
        reply = parse(completion.text, known, source, single=self.template.single)
        reply = reply._replace(text=untrusted.restored(reply.text))
        if not any(map(str.isalnum, reply.text)):
            if completion.finish == "length":
                raise ReplyError("the reply was cut off before it said anything: raise max_tokens")
            return self._abstained(question, completion, "the model's reply is empty")
        draft = self._sourced(reply, question, documents, numbers, method)
        return _with(draft, {}, (*warnings, *draft.warnings))

    def _abstained(self, question: str, completion: Completion, message: str) -> Draft:
        return Draft("", question, abstention=Abstention("declined", message=message), method=self._method(completion))

    def _sourced(
        self,
        reply: Reply,
        question: str,
        documents: Sequence[Document],
        numbers: Mapping[int, Passage],
        method: str,
    ) -> Draft:
        """A draft whose sources are the passages that the reply names."""
        parts = [(cited.span, cited.numbers) for cited in reply.cites]
        if self.cite == "all":
            parts = [(span, tuple(numbers)) for span in reply.statements]
        sources = tuple(source(documents, numbers[number], span, method) for span, names in parts for number in names)
        return self._with_warnings(
            Draft(reply.text, question, reply.statements, sources=sources, method=method, warnings=reply.warnings)
        )

    def _with_warnings(self, draft: Draft) -> Draft:
        """A draft that says where it comes from; where the answers are labels, "not mentioned" is no refusal."""
        return replace(draft, origin="written", cites=self.cite != "none", may_decline=self.template.declines)

    def _method(self, completion: Completion) -> str:
        return completion.model or getattr(self.llm, "name", "") or self.name


_AGAIN = (
    "These statements of your answer are not supported by the text above:\n{wrong}\n\nWrite the whole answer again "
    "in the same form. Correct these statements by the text, or leave them out. Change nothing else; do not comment."
)


class _Heard:
    """Listens to a reply and tells what of it is final."""

    def __init__(
        self,
        asker: Prompted,
        question: str,
        documents: Sequence[Document],
        kept: Sequence[Passage],
        on_draft: Callable[[Draft], None] | None,
    ) -> None:
        self.asker, self.question, self.documents, self.on_draft = asker, question, documents, on_draft
        self.numbers = templates.numbered(kept)
        self.known = len(self.numbers) if asker.cite == "marks" else 0
        self.source = "\n".join(untrusted.passage(passage.segment.text) for passage in kept)
        self.pieces: list[str] = []
        self.size = self.statements = 0
        self.next_look = _LOOK

    def __call__(self, piece: str) -> None:
        """One more piece of the reply."""
        self.pieces.append(piece)
        self.size += len(piece)
        # Nothing is known early of native citations; each look reads the whole reply, so some words are waited for.
        if self.on_draft is None or self.asker.cite == "native" or self.size < self.next_look:
            return
        self.next_look = self.size + max(_LOOK, int(self.size * _GROWTH))
        self.pieces = ["".join(self.pieces)]
        reply = settled(self.pieces[0], self.known, self.source)
        reply = reply._replace(text=untrusted.restored(reply.text))
        if len(reply.statements) > self.statements:
            self.statements = len(reply.statements)
            self.on_draft(self.asker._sourced(reply, self.question, self.documents, self.numbers, ""))  # noqa: SLF001


def source(documents: Sequence[Document], passage: Passage, span: Span, method: str) -> Citation:
    """A citation of a passage for a part of the answer; its score is 0: a model gives none."""
    segment = passage.segment
    return Citation.of(segment, documents[passage.document].id, span, method=method)


def _with(draft: Draft, usage: Mapping[str, Any], warnings: Sequence[str]) -> Draft:
    return replace(draft, usage={**draft.usage, **usage}, warnings=tuple(dict.fromkeys((*warnings, *draft.warnings))))


def joined(turns: Sequence[Message]) -> tuple[Message, ...]:
    """Turns of one role after another become one: models want roles to take turns, and many know no system role."""
    result: list[Message] = []
    for turn in turns:
        if result and result[-1].role == turn.role:
            result[-1] = Message(turn.role, f"{result[-1].content}\n\n{turn.content}")
        else:
            result.append(turn)
    return tuple(result)


def _sentences(documents: Sequence[Document], passages: Sequence[Passage]) -> list[Passage]:
    """The sentences of the same passages."""
    wanted = {(passage.document, passage.segment.id) for passage in passages}
    return [
        Passage(number, segment)
        for number, document in enumerate(documents)
        for segment in document.segments("sentence")
        if (number, segment.id.partition(".")[0]) in wanted
    ]
