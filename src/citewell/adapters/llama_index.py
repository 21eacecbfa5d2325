"""LlamaIndex: a reader, a retriever, a postprocessor that keeps the nodes with evidence, a query engine, an evaluator.

engine = CitewellQueryEngine(index.as_query_engine(llm=llm))
engine.query("What was revenue in 2025?").metadata["citewell"]["citations"]

LlamaIndex looks for the text of each node in its document to tell where it starts, and may name the wrong one of two
equal passages; `nodes(...)` of this module carries the reader's offsets. Nodes without offsets are cited by themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from citewell.adapters.chunks import END, START, Chunk, Chunks, Cited, by_id, piece, pieces
from citewell.errors import UsageError, needing
from citewell.library.ranking import Ranking
from citewell.pipeline.sources import opened
from citewell.types import Granularity

with needing("citewell.adapters.llama_index", "llama-index-core", "llama-index"):
    from llama_index.core.base.base_query_engine import BaseQueryEngine
    from llama_index.core.base.response.schema import Response
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.callbacks import CallbackManager
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import (
        Document as SourceDocument,
    )
    from llama_index.core.schema import (
        MetadataMode,
        NodeRelationship,
        NodeWithScore,
        QueryBundle,
        RelatedNodeInfo,
        TextNode,
    )

KEY = "citewell"  # in metadata


def nodes(arguments: Any, granularity: Granularity = "paragraph") -> list[TextNode]:
    """Nodes for an index, with the exact offsets of each in its whole document.

    `arguments` is what `citewell.ask` takes: documents that were read, or paths.
    """
    return [_node(*piece) for piece in pieces(opened(arguments), granularity)]


def _node(name: str, text: str, data: dict[str, Any]) -> TextNode:
    start, end, document = (data.pop(key) for key in ("start_index", "end_index", "document_id"))
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document)}
    offsets = {"start_char_idx": start, "end_char_idx": end}
    return TextNode(id_=name, text=text, metadata=data, relationships=source, **offsets)


def chunks(scored_nodes: Iterable[NodeWithScore], sources: Any = ()) -> Chunks:
    """Nodes as chunks to cite; `sources` are the whole documents, where they are at hand."""
    return Chunks([_chunk(scored_node.node) for scored_node in scored_nodes], by_id(sources))


def _chunk(node: Any) -> Chunk:
    fields, start = dict(node.metadata), getattr(node, "start_char_idx", None)
    if start is not None:  # goes before offsets of what the node was cut from
        fields = {key: value for key, value in fields.items() if key not in (*START, *END)}
        fields |= {"start_char_idx": start, "end_char_idx": node.end_char_idx}
    return Chunk.of(
        str(node.get_content(metadata_mode=MetadataMode.NONE)), node.node_id, fields, source=node.ref_doc_id
    )


class CitewellReader(BaseReader):
    """Reads files as whole documents, whose text has exactly the offsets of citewell's citations."""

    def lazy_load_data(self, *paths: Any, **_: Any) -> Iterable[SourceDocument]:
        """A document for each path or URL; its id is that of the document that `citewell.read` gives."""
        for document in opened(list(paths)):
            about = {"title": document.title, "source": document.source}
            metadata = {key: value for key, value in about.items() if value is not None}
            yield SourceDocument(text=document.text, doc_id=document.id, metadata=metadata)


class CitewellRetriever(BaseRetriever):
    """The best paragraphs of documents or of a library, as nodes with exact offsets.

    Args:
        documents: what `citewell.ask` takes; or
        library: a `citewell.Library`, whose paragraphs are ranked by its own index.
        k: how many are returned.
        granularity: paragraph, sentence or section, of documents.
        retriever: the spec of a retriever, of documents.

    Raises:
        UsageError: neither documents nor a library, or both.
    """

    def __init__(
        self,
        documents: Any = None,
        library: Any = None,
        k: int = 4,
        granularity: Granularity = "paragraph",
        retriever: Any = "bm25",
    ) -> None:
        self._ranking, self._k = Ranking(documents, library, granularity, retriever), k
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        best = self._ranking.best(query_bundle.query_str, self._k)
        return [NodeWithScore(node=_node(*piece(document, part)), score=score) for document, part, score in best]


class CitewellPostprocessor(BaseNodePostprocessor):
    """Keeps the nodes in which the best sentences for the query stand, the best first, and tells where they stand.

    The ranges are in `metadata["citewell"]`, which a language model does not see. The nodes are copies: those of an
    index stay as they are.

    Attributes:
        k: how many sentences count.
        retriever: the spec of the retriever that ranks them.
    """

    k: int = Field(default=6, ge=1)
    retriever: str = "bm25"

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is saved."""
        return "CitewellPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if query_bundle is None:
            raise UsageError("CitewellPostprocessor needs the query")
        best = chunks(nodes).best(query_bundle.query_str, self.k, self.retriever)
        return [_with_ranges(nodes[number], ranges) for number, ranges in best.items()]


def _with_ranges(scored: NodeWithScore, ranges: list[dict[str, Any]]) -> NodeWithScore:
    """A copy of a node that has the best ranges in its metadata."""
    node = scored.node.model_copy(deep=True)
    node.metadata[KEY] = ranges
    node.excluded_llm_metadata_keys = [*node.excluded_llm_metadata_keys, KEY]
    node.excluded_embed_metadata_keys = [*node.excluded_embed_metadata_keys, KEY]
    return NodeWithScore(node=node, score=ranges[0]["score"])


class CitewellQueryEngine(BaseQueryEngine):
    """Answers with `[n]` marks, n counting the source nodes from 1, and with places in `metadata["citewell"]`.

    Args:
        query_engine: writes the answer, from nodes that it returns; or
        retriever: finds nodes, from which citewell answers by itself, or abstains.
        sources: the whole documents, where they are at hand: citations then have their pages and rectangles.
        settings: those of `citewell.attribute`, or of `citewell.ask` with a retriever.

    Raises:
        UsageError: neither is given, or both.
    """

    def __init__(self, query_engine: Any = None, *, retriever: Any = None, sources: Any = (), **settings: Any) -> None:
        if (query_engine is None) == (retriever is None):
            raise UsageError("a CitewellQueryEngine takes either a query engine or a retriever")
        self._engine, self._retriever, self._settings = query_engine, retriever, settings
        self._sources = by_id(sources)
        inner = retriever if query_engine is None else query_engine
        super().__init__(callback_manager=getattr(inner, "callback_manager", None) or CallbackManager())

    def _get_prompt_modules(self) -> dict[str, Any]:
        return {} if self._engine is None else {"query_engine": self._engine}

    def _query(self, query_bundle: QueryBundle) -> Response:
        if self._engine is None:
            return self._answer(self._retriever.retrieve(query_bundle), query_bundle)
        answer = self._engine.query(query_bundle)
        return self._with_citations(answer.get_response() if hasattr(answer, "get_response") else answer, query_bundle)

    async def _aquery(self, query_bundle: QueryBundle) -> Response:
        if self._engine is None:
            matches = await self._retriever.aretrieve(query_bundle)
            return await asyncio.to_thread(self._answer, matches, query_bundle)
        answer = await self._engine.aquery(query_bundle)
        if hasattr(answer, "get_response"):  # it reads the whole of a stream that is not awaited
            whole = await asyncio.to_thread(answer.get_response)
            answer = await whole if asyncio.iscoroutine(whole) else whole
        return await asyncio.to_thread(self._with_citations, answer, query_bundle)

    def _answer(self, scored_nodes: Sequence[NodeWithScore], query: QueryBundle) -> Response:
        return _response(chunks(scored_nodes, self._sources).ask(query.query_str, **self._settings), scored_nodes, {})

    def _with_citations(self, answer: Any, query: QueryBundle) -> Response:
        source_nodes = answer.source_nodes
        cited = chunks(source_nodes, self._sources).attribute(str(answer), query.query_str, **self._settings)
        return _response(cited, source_nodes, answer.metadata or {})


def _response(cited: Cited, scored_nodes: Sequence[NodeWithScore], about: Mapping[str, Any]) -> Response:
    return Response(cited.marked, source_nodes=list(scored_nodes), metadata={**about, KEY: cited.to_dict()})


class CitewellEvaluator(BaseEvaluator):
    """The share of a response's claims that its contexts support; the feedback names the others.

    Args:
        threshold: the least share that passes.
        settings: those of `citewell.attribute`.
    """

    def __init__(self, threshold: float = 1.0, **settings: Any) -> None:
        self._threshold, self._settings = threshold, settings

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts: Any) -> None:
        """There are none."""

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """Score a response; one that claims nothing passes without a score.

        Raises:
            UsageError: the response or the contexts are missing.
        """
        if response is None or contexts is None:
            raise UsageError("CitewellEvaluator needs the response and its contexts")
        values = Chunks.read(contexts)
        cited = await asyncio.to_thread(values.attribute, response, query, **self._settings)
        passing = cited.support is None or cited.support >= self._threshold
        payload = {
            "query": query,
            "contexts": [chunk.text for chunk in values.chunks],
            "response": response,
            "feedback": cited.faults or None,
        }
        return EvaluationResult(**payload, score=cited.support, passing=passing)
