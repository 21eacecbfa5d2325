"""LangChain: a retriever over documents, a runnable and a callback that cite a chain's output, and an evaluator.

chain = my_rag_chain | Cite()     # {"answer", "context", ...} in, the same with "citations" and "message" out

A splitter with `add_start_index=True`, and `documents(...)` of this module, keep where a chunk stands in its document;
then citations are ranges of the whole document too. Other splitters lose it, and citations are ranges of the chunk.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from citewell.adapters.chunks import Chunk, Chunks, Cited, Place, by_id, piece, pieces
from citewell.errors import UsageError, needing
from citewell.library.ranking import Ranking
from citewell.pipeline.sources import opened
from citewell.text import segments
from citewell.types import Granularity
from citewell.types.marks import Unmarked

with needing("citewell.adapters.langchain", "langchain-core", "langchain"):
    from langchain_core.callbacks import BaseCallbackHandler, CallbackManagerForRetrieverRun
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentCompressor
    from langchain_core.documents import Document as Piece
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.messages.content import create_citation, create_text_block
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import Runnable, RunnableConfig
    from langchain_core.runnables.utils import AddableDict
    from pydantic import ConfigDict, PrivateAttr

ANSWERS = ("answer", "result", "output", "output_text", "text")
CONTEXTS = ("context", "source_documents", "documents", "input_documents")
QUESTIONS = ("question", "query", "input")


def documents(source: Any, granularity: Granularity = "paragraph") -> list[Piece]:
    """Documents of LangChain's for an index, with the exact offsets of each in its whole document.

    `source` is what `citewell.ask` takes: documents that were read, or paths.
    """
    return [
        Piece(page_content=text, metadata=data, id=name) for name, text, data in pieces(opened(source), granularity)
    ]


def chunks(context: Iterable[Piece], sources: Any = ()) -> Chunks:
    """LangChain's documents as chunks to cite; `sources` are the whole documents, where they are at hand."""
    return Chunks([_chunk(document) for document in context], by_id(sources))


def _chunk(document: Piece) -> Chunk:
    page = document.metadata.get("page")  # which its loaders count from 0
    number = page + 1 if isinstance(page, int) and "page_number" not in document.metadata else None
    return Chunk.of(document.page_content, document.id, document.metadata, page=number)


class CitewellRetriever(BaseRetriever):
    """Paragraphs of documents or of a library, each with its exact offsets in its metadata.

    Attributes:
        documents: what `citewell.ask` takes; or
        library: a `citewell.Library`, whose paragraphs are ranked by its own index.
        k: how many are returned.
        granularity: paragraph, sentence or section, of documents.
        retriever: the spec of a retriever, of documents.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)
    documents: Any = None
    library: Any = None
    k: int = 4
    granularity: Granularity = "paragraph"
    retriever: Any = "bm25"
    _ranking: Ranking | None = PrivateAttr(default=None)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Piece]:
        if self._ranking is None:
            self._ranking = Ranking(self.documents, self.library, self.granularity, self.retriever)
        best = self._ranking.best(query, self.k if k is None else k)
        return [
            Piece(page_content=text, metadata=data | {"score": score}, id=name)
            for (name, text, data), score in ((piece(document, part), score) for document, part, score in best)
        ]


class Cite(Runnable[Any, dict[str, Any]]):
    """What a chain returns, with its citations: the answer's statements, each with places in the chain's documents.

    Args:
        answer: the field of the chain's answer; the usual ones where it is not named.
        context: the field of its documents, likewise.
        sources: the whole documents, where they are at hand: citations then have their pages and rectangles.
        settings: those of `citewell.attribute`.
    """

    def __init__(
        self, answer: str | None = None, context: str | None = None, sources: Any = (), **settings: Any
    ) -> None:
        self.answer, self.context, self.sources, self.settings = answer, context, by_id(sources), settings

    def invoke(self, input: Mapping[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:  # noqa: A002  (theirs)
        """The input with `cited` (a `Cited`), `citations` (dictionaries) and `message`, whose text is annotated.

        Raises:
            UsageError: the input has no answer or no documents.
        """
        cited: dict[str, Any] = self._call_with_config(self._cite, input, config, run_type="chain")
        return cited

    def transform(
        self,
        input: Iterator[Any],  # noqa: A002  (theirs)
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> Iterator[Any]:
        """Stream: `marked` brings each statement when it is judged, the last piece all that `invoke` returns."""
        whole: Any = None
        count = 0
        for part in input:
            whole = part if whole is None else whole + part
            marked = self._settled(whole, count)
            count += len(marked)
            if marked:
                yield AddableDict(marked="".join(marked))
        last = self.invoke(whole, config)
        rest = self._marked(whole, count) if count else [last["cited"].marked] if "cited" in last else []
        yield AddableDict({**last, **({"marked": "".join(rest)} if rest else {})})

    def _settled(self, state: Any, count: int) -> list[str]:
        """The statements from the number `count` on that others follow, marked; the last one may still grow."""
        early = self.settings.get("on_unsupported", "mark") == "mark"
        known = isinstance(state, Mapping) and any(state.get(name) for name in (self.context, *CONTEXTS) if name)
        if not (early and known):
            return []
        return self._marked(state, count, settled=True)

    def _marked(self, state: Mapping[str, Any], count: int, *, settled: bool = False) -> list[str]:
        written = _first(state, ANSWERS if self.answer is None else (self.answer,))
        text = _text(written) if isinstance(written, str | BaseMessage) else ""
        statements = segments.statements(text)
        statements = statements[:-1] if settled else statements
        parts = list[str]()
        for number in range(count, len(statements)):
            before = text[statements[number - 1].end if number else 0 : statements[number].start]
            part = {**state, self.answer or "answer": text[statements[number].start : statements[number].end]}
            parts.append(before + cite(part, self.answer, self.context, self.sources, **self.settings).marked)
        return parts

    def _cite(self, state: Mapping[str, Any]) -> dict[str, Any]:
        if "messages" in state and _first(state, ANSWERS) is None:
            return self._of_messages(state["messages"], state)
        cited = cite(state, self.answer, self.context, self.sources, **self.settings)
        return {
            **state,
            "cited": cited,
            "citations": [place.to_dict() for place in cited.supporting],
            "message": message(cited),
        }

    def _of_messages(self, messages: Sequence[BaseMessage], state: Mapping[str, Any]) -> dict[str, Any]:
        """The update of a state of messages: the last reply with its citations, in the place of the one without.

        Its id, its usage and what else the model's client says of it stay.

        Documents are those of the state, or the artifacts of the tool messages since the user's last one.
        """
        last_question = max((n for n, message in enumerate(messages) if message.type == "human"), default=-1)
        reply = messages[-1] if messages else None
        if reply is None or reply.type != "ai":
            raise UsageError("the last message of the state is no reply")
        context = next((state[name] for name in (self.context, *CONTEXTS) if name and name in state), None)
        if context is None:
            artifacts = [
                getattr(message, "artifact", None)
                for message in messages[last_question + 1 :]
                if message.type == "tool"
            ]
            context = [message for artifact in artifacts if isinstance(artifact, list) for message in artifact]
        fields = {
            "answer": reply,
            "context": context,
            "question": _text(messages[last_question]) if last_question >= 0 else None,
        }
        cited = cite(fields, sources=self.sources, **self.settings)
        marked = reply.model_copy(update={"content": message(cited).content})
        return {"messages": [marked], "citations": [place.to_dict() for place in cited.supporting]}


class CitewellLoader(BaseLoader):
    """Loads what `citewell.ask` takes (PDF, DOCX, HTML, ...) with the exact offsets of each paragraph."""

    def __init__(self, documents: Any, granularity: Granularity = "paragraph") -> None:
        self.documents, self.granularity = documents, granularity

    def lazy_load(self) -> Iterator[Piece]:
        """The parts, in order."""
        yield from documents(self.documents, self.granularity)


class CitewellCompressor(BaseDocumentCompressor):
    """Keeps the documents in which the best sentences for the query stand, the best first.

    Attributes:
        k: how many sentences count.
        retriever: the spec of the retriever that ranks them.
    """

    k: int = 6
    retriever: str = "bm25"

    def compress_documents(self, documents: Sequence[Piece], query: str, callbacks: Any = None) -> Sequence[Piece]:
        """Copies of the documents that are kept, the ranges of their sentences in `metadata["citewell"]`."""
        return [
            documents[number].model_copy(update={"metadata": {**documents[number].metadata, "citewell": ranges}})
            for number, ranges in chunks(documents).best(query, self.k, self.retriever).items()
        ]


def cite(
    state: Mapping[str, Any], answer: str | None = None, context: str | None = None, sources: Any = (), **settings: Any
) -> Cited:
    """The evidence for what a chain returned, in the documents that it returned with it.

    Raises:
        UsageError: there is no answer or are no documents.
    """
    written = _field(state, "answer", ANSWERS, answer)
    retrieved = _field(state, "documents", CONTEXTS, context)
    question = next((state[name] for name in QUESTIONS if isinstance(state.get(name), str)), None)
    return chunks(retrieved, sources).attribute(_text(written), question, **settings)


def message(cited: Cited) -> AIMessage:
    """The answer as a message: a block of text for each part of it, with LangChain's own annotations of type citation.

    Only what is supported is annotated; behind any other claim stands its label with the reason. The offsets are those
    of the block, as LangChain defines; where the evidence stands is under `extras`. An abstention says why.
    """
    text, annotations = "" if cited.answer.text else cited.answer.marked, list[Any]()
    for words, statement in cited.answer.pieces():
        if statement is not None:
            unmarked = Unmarked(statement.text)
            for place in (cited.places[number] for number in statement.supporting):
                ends = (unmarked.at(end - statement.start) for end in (place.answer_start, place.answer_end))
                annotations.append(_annotation(place, *(len(text) + end for end in ends)))
        text += words + (f" {statement.mark}" if statement and statement.mark else "")
    text += f"\n\n{cited.answer.notice}" if cited.answer.notice else ""
    return AIMessage(content=[create_text_block(text, annotations=annotations)])


def _annotation(place: Place, start: int, end: int) -> Any:
    return create_citation(
        title=place.title or place.source or place.chunk_id,
        start_index=start,
        end_index=end,
        cited_text=place.quote,
        citewell=place.to_dict(),
    )


def _field(state: Mapping[str, Any], what: str, usual: Sequence[str], named: str | None) -> Any:
    names = usual if named is None else (named,)
    for name in names:
        if name in state:
            return state[name]
    raise UsageError(f"the input has no {what}: none of the fields {', '.join(names)}")


def _text(value: Any) -> str:
    """The text of an answer, which may be a message."""
    if isinstance(value, BaseMessage):
        return "".join(block if isinstance(block, str) else block.get("text", "") for block in _blocks(value))
    if not isinstance(value, str):
        raise UsageError(f"the answer is a text or a message, not {type(value).__name__}")
    return value


def _blocks(value: BaseMessage) -> list[Any]:
    return [value.content] if isinstance(value.content, str) else list(value.content)


class CitewellCallback(BaseCallbackHandler):
    """Cites the answer of every chain that it is given to, from what its retrievers returned in that run.

    chain.invoke(question, {"callbacks": [callback := CitewellCallback()]}); callback.results[0].places

    A run whose output has no text, or that retrieved nothing, has no result; a fault is kept in `faults`, and LangChain
    tells it as it does for all callbacks.

    Args:
        sources: the whole documents, where they are at hand.
        settings: those of `citewell.attribute`.
    """

    def __init__(self, sources: Any = (), **settings: Any) -> None:
        self.results: list[Cited] = []
        self._cite = partial(_attributed, sources=by_id(sources), settings=settings)
        self._roots: dict[UUID, UUID] = {}
        self._retrieved: dict[UUID, list[Piece]] = {}
        self._questions: dict[UUID, Any] = {}
        self._lock = threading.Lock()

    def on_chain_start(
        self, serialized: Any, inputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Remember which run belongs to which."""
        with self._lock:
            self._roots[run_id] = self._roots.get(parent_run_id, parent_run_id) if parent_run_id else run_id
            if parent_run_id is None:
                self._questions[run_id], self._retrieved[run_id] = inputs, []

    def on_retriever_end(
        self, documents: Sequence[Piece], *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Keep what was retrieved for the whole run."""
        with self._lock:
            root = self._roots.get(parent_run_id, parent_run_id) if parent_run_id else None
            if root in self._retrieved:
                self._retrieved[root] += documents

    def on_chain_end(self, outputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any) -> None:
        """Cite the answer of a whole run."""
        with self._lock:
            root = self._roots.pop(run_id, None)
            if root != run_id:
                return
            asked, retrieved = self._questions.pop(run_id), self._retrieved.pop(run_id)
        written = outputs if not isinstance(outputs, Mapping) else _first(outputs, ANSWERS)
        if isinstance(written, str | BaseMessage) and retrieved:
            question = _first(asked, QUESTIONS) if isinstance(asked, Mapping) else asked
            self.results.append(self._cite(retrieved, _text(written), question if isinstance(question, str) else None))

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Forget a run that failed."""
        with self._lock:
            self._roots.pop(run_id, None)
            self._retrieved.pop(run_id, None)
            self._questions.pop(run_id, None)


def _attributed(
    retrieved: list[Piece], answer: str, question: str | None, sources: Any, settings: Mapping[str, Any]
) -> Cited:
    distinct = {(document.id, document.page_content, str(document.metadata)): document for document in retrieved}
    return chunks(distinct.values(), sources).attribute(answer, question, **settings)


def _first(state: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((state[name] for name in names if name in state), None)


class CitewellEvaluator:
    """An evaluator for LangSmith: the share of an answer's claims that its documents support, and which they do not.

    Args:
        sources: the whole documents, where they are at hand.
        settings: those of `citewell.attribute`.
    """

    def __init__(self, sources: Any = (), **settings: Any) -> None:
        self.sources, self.settings = by_id(sources), settings
        self.__name__ = "citewell_support"  # by which LangSmith calls it

    def __call__(self, outputs: Mapping[str, Any], inputs: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The score, None where the answer claims nothing.

        Raises:
            UsageError: the outputs have no answer or no documents.
        """
        cited = cite({**(inputs or {}), **outputs}, sources=self.sources, **self.settings)
        return {"key": "citewell_support", "score": cited.support, "comment": cited.faults or None}
