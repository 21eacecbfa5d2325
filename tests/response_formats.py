"""Responses in other systems' formats, written by hand after each one's public documentation, which stands beside it.

Every response says the same three statements: the first is cited rightly, the second by words that do not support it, the
third by words or a place that the documents do not have.
"""

from __future__ import annotations

import json

from citewell.document import Document

REPORT = Document.from_text(
    "Northwater carried 4.1 million passengers in 2025 – a record. Fares rose by 3 percent in spring.\n\n"
    "The ferry Aurora was built in Turku. She is powered by batteries and a small diesel engine.\n\n"
    "Fuel costs fell to 18 million euros. The company employs 640 people in three harbours.",
    title="Report",
    source="report.pdf",
)
PARTS = (
    "The company employs 640 people in cafés and harbours.",
    "The Aurora was built in Turku.",
    "Fares rose by 3 percent.",
)
TEXT = " ".join(PARTS)
RIGHT = "The company employs 640 people in three harbours."
WRONG = "Fuel costs fell to 18 million euros."
INVENTED = "Fares sail at dawn, as she does."
QUOTES = (RIGHT, WRONG, INVENTED)
STARTS = tuple(TEXT.index(part) for part in PARTS)
ENDS = tuple(start + len(part) for start, part in zip(STARTS, PARTS, strict=True))
MARKED = "{} [1] {} [2] {} [3]".format(*PARTS)


def octets(offset):
    return len(TEXT[:offset].encode())


# docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationsContentBlock.html and API_runtime_Citation.html
def bedrock_converse():
    def block(part, quote):
        start = max(0, REPORT.text.find(quote))
        location = {"documentChar": {"documentIndex": 0, "start": start, "end": start + len(quote)}}
        citation = {"title": "Report", "sourceContent": [{"text": quote}], "location": location}
        return {"citationsContent": {"content": [{"text": part}], "citations": [citation]}}

    blocks = [block(part, quote) for part, quote in zip(PARTS, QUOTES, strict=True)]
    content = [blocks[0], {"text": " "}, blocks[1], {"text": " "}, blocks[2]]
    return {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "end_turn", "usage": {}}


# docs.aws.amazon.com/bedrock/latest/APIReference/API_agent-runtime_RetrieveAndGenerate.html; the end of a span is the
# offset of its last character in the examples of the user guide
def bedrock_retrieve_and_generate():
    citations = []
    for n, quote in enumerate(QUOTES):
        reference = {
            "content": {"text": quote, "type": "TEXT"},
            "location": {"type": "S3", "s3Location": {"uri": "s3://bucket/reports/report.pdf"}},
            "metadata": {"x-amz-bedrock-kb-source-uri": "s3://bucket/reports/report.pdf"},
        }
        part = {"textResponsePart": {"span": {"start": STARTS[n], "end": ENDS[n] - 1}, "text": PARTS[n]}}
        citations.append({"generatedResponsePart": part, "retrievedReferences": [reference]})
    return {"sessionId": "1", "output": {"text": TEXT}, "citations": citations}


# docs.cloud.google.com/generative-ai-app-builder/docs/check-grounding: positions are bytes, the end not included
def vertex_check_grounding():
    claims = [
        {"startPos": octets(STARTS[n]), "endPos": octets(ENDS[n]), "claimText": PARTS[n], "citationIndices": [n]}
        for n in range(3)
    ]
    chunks = [{"chunkText": quote, "source": "report.pdf", "index": n} for n, quote in enumerate(QUOTES)]
    return {"supportScore": 0.6, "citedChunks": chunks, "claims": claims}


# docs.cloud.google.com/generative-ai-app-builder/docs/reference/rest/v1alpha/projects.locations.collections.dataStores.
# sessions.answers: offsets are bytes, as texts, as JSON has no 64-bit numbers
def vertex_answer():
    citations = [
        {"startIndex": str(octets(STARTS[n])), "endIndex": str(octets(ENDS[n])), "sources": [{"referenceId": str(n)}]}
        for n in range(3)
    ]
    references = [
        {"chunkInfo": {"content": quote, "documentMetadata": {"uri": "gs://bucket/report.pdf", "title": "report"}}}
        for quote in QUOTES
    ]
    return {"answer": {"state": "SUCCEEDED", "answerText": TEXT, "citations": citations, "references": references}}


# learn.microsoft.com/azure/ai-services/openai/references/on-your-data
def azure():
    citations = [
        {"content": quote, "title": "Report", "url": None, "filepath": "report.pdf", "chunk_id": str(n)}
        for n, quote in enumerate(QUOTES)
    ]
    content = "{}[doc1] {}[doc2] {}[doc3]".format(*PARTS)
    message = {"role": "assistant", "content": content, "context": {"citations": citations, "intent": '["x"]'}}
    return {"object": "extensions.chat.completion", "choices": [{"index": 0, "message": message}]}


# the same page, note on versions before 2024-02-15-preview
def azure_before_2024():
    citations = azure()["choices"][0]["message"]["context"]["citations"]
    tool = {"role": "tool", "content": json.dumps({"citations": citations, "intent": '["x"]'}), "end_turn": False}
    settings = {"role": "assistant", "content": "{} [doc1] {} [doc2] {} [doc3]".format(*PARTS), "end_turn": True}
    return {"choices": [{"index": 0, "messages": [tool, settings]}]}


# ragflow.io/docs/http_api_reference, "Create chat completion"; the shape of a chunk as in the issue tracker's examples
def ragflow():
    chunks = {
        str(n): {
            "id": f"c{n}",
            "content": quote,
            "document_id": "d",
            "document_name": "report.pdf",
            "positions": [],
            "similarity": 0.5,
        }
        for n, quote in enumerate(QUOTES)
    }
    content = "{} [ID:0] {} [ID:1] {} [ID:2]".format(*PARTS)
    message = {"role": "assistant", "content": content, "reference": {"chunks": chunks, "doc_aggs": {}}}
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message}]}


# ragflow.io/docs/http_api_reference, "Converse with chat assistant", with the marks of older versions
def ragflow_session():
    chunks = [{"id": f"c{n}", "content": quote, "document_name": "report.pdf"} for n, quote in enumerate(QUOTES)]
    answer = "{} ##0$$ {} ##1$$ {} ##2$$".format(*PARTS)
    return {"code": 0, "data": {"answer": answer, "reference": {"total": 3, "chunks": chunks}, "session_id": "s"}}


# reference.langchain.com, create_retrieval_chain and RetrievalQA (return_source_documents): pages count from 0
def langchain():
    documents = [
        {"id": None, "metadata": {"source": "files/report.pdf"}, "page_content": quote, "type": "Document"}
        for quote in QUOTES
    ]
    return {"input": "What?", "context": documents, "answer": MARKED}


# langchain_core.load.dumpd of the same
def langchain_serialized():
    documents = [
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "document", "Document"],
            "kwargs": {"metadata": {"source": "files/report.pdf"}, "page_content": quote, "type": "Document"},
        }
        for quote in QUOTES
    ]
    return {"query": "What?", "result": MARKED, "source_documents": documents}


# reference.langchain.com, Citation: start and end are offsets of the reply's text
def langchain_message():
    def note(n):
        place = {"start_index": STARTS[n], "end_index": ENDS[n]}
        return {"type": "citation", "title": "Report", "cited_text": QUOTES[n], **place}

    return {"type": "ai", "content": [{"type": "text", "text": TEXT, "annotations": [note(n) for n in range(3)]}]}


# reference.langchain.com, create_citation_fuzzy_match_runnable: QuestionAnswer
def langchain_facts():
    answer = [{"fact": part, "substring_quote": [quote]} for part, quote in zip(PARTS, QUOTES, strict=True)]
    return {"question": "What?", "answer": answer}


# developers.llamaindex.ai, Response and CitationQueryEngine
def llamaindex():
    nodes = [
        {
            "node": {
                "id_": str(n),
                "text": f"Source {n}:\n{quote}\n",
                "metadata": {"file_name": "report.pdf"},
                "class_name": "TextNode",
            },
            "score": 0.5,
            "class_name": "NodeWithScore",
        }
        for n, quote in enumerate(QUOTES, 1)
    ]
    return {"response": MARKED, "source_nodes": nodes, "metadata": {}}


# docs.haystack.deepset.ai/docs/answerbuilder; GeneratedAnswer.to_dict
def haystack():
    documents = [
        {"id": str(n), "content": quote, "meta": {"file_path": "report.pdf", "source_index": n}, "score": 0.5}
        for n, quote in enumerate(QUOTES, 1)
    ]
    fields = {"data": MARKED, "query": "What?", "documents": documents, "meta": {}}
    return {"type": "haystack.dataclasses.answer.GeneratedAnswer", "init_parameters": fields}


# the output of a pipeline that ends with an AnswerBuilder
def haystack_pipeline():
    return {"answer_builder": {"answers": [haystack()["init_parameters"]]}}


# platform.openai.com/docs/assistants/deep-dive, "Message annotations"
def openai_assistants():
    value, annotations = "", []
    for n, part in enumerate(PARTS):
        mark = f"【{n}:0†source】"
        start = len(value) + len(part)
        value += part + mark + " "
        file = {"file_id": "file-1", "quote": QUOTES[n]}
        place = {"start_index": start, "end_index": start + len(mark)}
        annotations.append({"type": "file_citation", "text": mark, **place, "file_citation": file})
    content = [{"type": "text", "text": {"value": value.rstrip(), "annotations": annotations}}]
    return {"id": "msg_1", "object": "thread.message", "role": "assistant", "content": content}


def _events(*data, named=False):
    kinds = (f"event: {record['type']}\n" if named else "" for record in data)
    return "".join(f"{kind}data: {json.dumps(record)}\n\n" for kind, record in zip(kinds, data, strict=True))


# platform.openai.com/docs/api-reference/chat-streaming, with the annotations of search models
def openai_chat_stream():
    def chunk(delta, finish=None):
        return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    def note(n):
        inner = {
            "url": "https://files.example/report.pdf",
            "title": "report.pdf",
            "start_index": STARTS[n],
            "end_index": ENDS[n],
        }
        return {"type": "url_citation", "url_citation": {**inner, "quote": QUOTES[n]}}

    words = [chunk({"content": word + " "}) for word in TEXT.split(" ")[:-1]] + [
        chunk({"content": TEXT.split(" ")[-1]})
    ]
    notes = chunk({"annotations": [note(n) for n in range(3)]})
    return (
        ": keep-alive\n\n"
        + _events(chunk({"role": "assistant"}), *words, notes, chunk({}, "stop"))
        + "data: [DONE]\n\n"
    )


# platform.openai.com/docs/api-reference/responses-streaming: without the last event, as of a connection that broke
def openai_responses_stream():
    def event(kind, **more):
        return {"type": kind, "item_id": "m", "output_index": 0, "content_index": 0, **more}

    words = [event("response.output_text.delta", delta=word + " ") for word in TEXT.split(" ")]
    notes = [
        event(
            "response.output_text.annotation.added",
            annotation_index=n,
            annotation={
                "type": "file_citation",
                "index": ENDS[n],
                "file_id": "f",
                "filename": "report.pdf",
                "quote": QUOTES[n],
            },
        )
        for n in range(3)
    ]
    return _events({"type": "response.created", "response": {"output": []}}, *words, *notes, named=True)


# platform.claude.com/docs/build-with-claude/streaming and /citations
def anthropic_stream():
    events = [{"type": "message_start", "message": {"role": "assistant", "content": []}}]
    for n, part in enumerate(PARTS):
        start = max(0, REPORT.text.find(QUOTES[n]))
        citation = {
            "type": "char_location",
            "cited_text": QUOTES[n],
            "document_index": 0,
            "document_title": "Report",
            "start_char_index": start,
            "end_char_index": start + len(QUOTES[n]),
        }
        result = part + " " * (n < 2)
        events += [
            {"type": "content_block_start", "index": n, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": n, "delta": {"type": "text_delta", "text": result[:9]}},
            {"type": "content_block_delta", "index": n, "delta": {"type": "text_delta", "text": result[9:]}},
            {"type": "content_block_delta", "index": n, "delta": {"type": "citations_delta", "citation": citation}},
            {"type": "content_block_stop", "index": n},
        ]
    return _events(*events, {"type": "message_stop"}, named=True)


# ai.google.dev/api/generate-content, streamGenerateContent: a list of chunks, or events with alt=sse; bytes
def _gemini_chunks():
    supports = [
        {
            "segment": {"startIndex": octets(STARTS[n]), "endIndex": octets(ENDS[n]), "text": PARTS[n]},
            "groundingChunkIndices": [n],
        }
        for n in range(3)
    ]
    chunks = [{"retrievedContext": {"title": "report.pdf", "text": quote}} for quote in QUOTES]
    grounding = {"groundingChunks": chunks, "groundingSupports": supports}
    pieces = [
        {"candidates": [{"content": {"parts": [{"text": text}]}}]} for text in (TEXT[:20], TEXT[20:50], TEXT[50:])
    ]
    pieces[-1]["candidates"][0]["groundingMetadata"] = grounding
    return pieces


def gemini_stream():
    return _events(*_gemini_chunks()).replace("\n", "\r\n")


def gemini_list():
    return _gemini_chunks()


# docs.cohere.com/v2/docs/streaming
def cohere_stream():
    citations = [
        {
            "start": STARTS[n],
            "end": ENDS[n],
            "text": PARTS[n],
            "sources": [{"type": "document", "id": "d", "document": {"id": "d", "title": "Report", "text": QUOTES[n]}}],
        }
        for n in range(3)
    ]
    words = [
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": text}}}}
        for text in (TEXT[:30], TEXT[30:])
    ]
    notes = [
        {"type": "citation-start", "index": n, "delta": {"message": {"citations": citation}}}
        for n, citation in enumerate(citations)
    ]
    return _events({"type": "message-start"}, *words, *notes, {"type": "message-end"}, named=True)


def plain_with_sources():
    entries = "\n".join(f"[{n}] {quote}" for n, quote in enumerate(QUOTES, 1))
    return f"{MARKED}\n\n**Sources:**\n{entries}\n"


def plain_with_footnotes():
    notes = "\n".join(f"[^{n}]: Report: “{quote}”" for n, quote in enumerate(QUOTES, 1))
    return "{} [^1] {} [^2] {} [^3]\n\n".format(*PARTS) + notes


FORMATS = {
    bedrock_converse: "bedrock-converse",
    bedrock_retrieve_and_generate: "bedrock-retrieve-and-generate",
    vertex_check_grounding: "vertex-check-grounding",
    vertex_answer: "vertex-answer",
    azure: "azure",
    azure_before_2024: "azure",
    ragflow: "ragflow",
    ragflow_session: "ragflow",
    langchain: "langchain",
    langchain_serialized: "langchain",
    langchain_message: "langchain",
    langchain_facts: "langchain",
    llamaindex: "llamaindex",
    haystack: "haystack",
    haystack_pipeline: "haystack",
    openai_assistants: "openai-assistants",
    openai_chat_stream: "openai-chat",
    openai_responses_stream: "openai-responses",
    anthropic_stream: "anthropic",
    gemini_stream: "gemini",
    gemini_list: "gemini",
    cohere_stream: "cohere",
    plain_with_sources: "plain",
    plain_with_footnotes: "plain",
}
