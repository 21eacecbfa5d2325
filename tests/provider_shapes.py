"""Replies of thirty-two services and libraries in the shapes of their public documentation, made from two statements.

Each function takes the quote that each of the two statements cites, and returns the reply. The right reply cites for
each statement the sentence that says it, the wrong one the other's.
"""

import json

import citewell

FIRST, SECOND = "Revenue rose to $5.9bn in 2022.", "Two ferries were sold in March."
WHOLE = f"{FIRST} {SECOND}"
TEXTS = (f"{FIRST} Nobody was hurt in the storm.", f"The fleet grew old. {SECOND}")
TITLES, FILES = ("Harbour report", "Fleet report"), ("harbour.txt", "fleet.txt")
URLS = ("https://example.org/harbour", "https://example.net/fleet")
SPANS = ((0, len(FIRST)), (len(FIRST) + 1, len(WHOLE)))
BY_FILE = [citewell.Document.from_text(text, TITLES[n], source=FILES[n]) for n, text in enumerate(TEXTS)]
BY_URL = [citewell.Document.from_text(text, TITLES[n], source=URLS[n]) for n, text in enumerate(TEXTS)]


def number(quote):
    return 0 if quote in TEXTS[0] else 1


def ends(quote):
    start = TEXTS[number(quote)].index(quote)
    return start, start + len(quote)


def marked(a, b, form):
    return f"{FIRST} {form(a)} {SECOND} {form(b)}"


def chat(content, **more):
    message = {"role": "assistant", "content": content, **more.pop("message", {})}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], **more}


def url_note(quote, span):
    return {"url": URLS[number(quote)], "title": TITLES[number(quote)], "start_index": span[0], "end_index": span[1]}


def openai_chat(a, b):
    notes = [{"type": "url_citation", "url_citation": url_note(q, s)} for q, s in zip((a, b), SPANS, strict=True)]
    return chat(WHOLE, message={"annotations": notes})


def openrouter(a, b):
    notes = [
        {"type": "url_citation", "url_citation": {**url_note(q, s), "content": TEXTS[number(q)]}}
        for q, s in zip((a, b), SPANS, strict=True)
    ]
    return chat(WHOLE, message={"annotations": notes}, provider="x")


def openai_responses(a, b):
    notes = [{"type": "url_citation", **url_note(q, s)} for q, s in zip((a, b), SPANS, strict=True)]
    part = {"type": "output_text", "text": WHOLE, "annotations": notes}
    call = {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"type": "search", "query": "x"}}
    item = {"type": "message", "id": "msg", "role": "assistant", "status": "completed", "content": [part]}
    return {"id": "resp", "object": "response", "output": [call, item]}


def openai_files(a, b):
    notes = [
        {"type": "file_citation", "index": span[1], "file_id": f"file-{number(q)}", "filename": FILES[number(q)]}
        for q, span in zip((a, b), SPANS, strict=True)
    ]
    results = [
        {"file_id": f"file-{n}", "filename": FILES[n], "text": TEXTS[n], "score": 0.9, "attributes": {}} for n in (0, 1)
    ]
    part = {"type": "output_text", "text": WHOLE, "annotations": notes}
    call = {"type": "file_search_call", "id": "fs", "status": "completed", "queries": ["x"], "results": results}
    item = {"type": "message", "id": "msg", "role": "assistant", "status": "completed", "content": [part]}
    return {"id": "resp", "object": "response", "output": [call, item]}


def openai_assistants(a, b):
    text, notes = "", []
    for statement, quote in ((FIRST, a), (SECOND, b)):
        mark = f"【4:{number(quote)}†{FILES[number(quote)]}】"
        text += f"{statement[:-1]}{mark}. "
        start = text.index(mark, len(text) - len(mark) - 3)
        notes.append({"type": "file_citation", "text": mark, "start_index": start, "end_index": start + len(mark),
                      "file_citation": {"file_id": f"file-{number(quote)}"}})  # fmt: skip
    value = {"type": "text", "text": {"value": text.strip(), "annotations": notes}}
    return {"id": "msg", "object": "thread.message", "role": "assistant", "content": [value]}


def azure_own_data(a, b):
    cited = [
        {"content": TEXTS[n], "title": TITLES[n], "url": None, "filepath": FILES[n], "chunk_id": "0"} for n in (0, 1)
    ]
    content = marked(a, b, lambda quote: f"[doc{number(quote) + 1}]")
    return chat(content, message={"context": {"citations": cited, "intent": "x"}})


def perplexity(a, b):
    return chat(marked(a, b, lambda quote: f"[{number(quote) + 1}]"), citations=list(URLS))


def perplexity_results(a, b):
    results = [{"title": TITLES[n], "url": URLS[n], "date": "2024-01-01"} for n in (0, 1)]
    return chat(marked(a, b, lambda quote: f"[{number(quote) + 1}]"), search_results=results)


def grok(a, b):
    return chat(marked(a, b, lambda q: f"[[{number(q) + 1}]]({URLS[number(q)]})"), citations=list(URLS))


def exa(a, b):
    cited = [{"id": URLS[n], "url": URLS[n], "title": TITLES[n], "text": TEXTS[n]} for n in (0, 1)]
    return {"answer": marked(a, b, lambda q: f"([{TITLES[number(q)]}]({URLS[number(q)]}))"), "citations": cited}


def kagi(a, b):
    listed = [{"title": TITLES[n], "snippet": TEXTS[n], "url": URLS[n]} for n in (0, 1)]
    output = marked(a, b, lambda q: f"【{number(q) + 1}】")
    return {"meta": {"id": "x"}, "data": {"output": output, "tokens": 5, "references": listed}}


def _claude(*blocks):
    usage = {"input_tokens": 7, "output_tokens": 5}
    head = {"id": "msg", "type": "message", "role": "assistant", "model": "claude", "stop_reason": "end_turn"}
    return {**head, "stop_sequence": None, "usage": usage, "content": list(blocks)}


def _said(a, b, cite):
    return [
        {"type": "text", "text": FIRST, "citations": [cite(a)]},
        {"type": "text", "text": " ", "citations": None},
        {"type": "text", "text": SECOND, "citations": [cite(b)]},
    ]


def char_location(quote):
    start, end = ends(quote)
    named = {"document_index": number(quote), "document_title": TITLES[number(quote)], "file_id": None}
    return {"type": "char_location", "cited_text": quote, "start_char_index": start, "end_char_index": end, **named}


def anthropic_chars(a, b):
    return _claude(*_said(a, b, char_location))


def anthropic_blocks(a, b):
    def cite(quote):
        named = {"document_index": number(quote), "document_title": TITLES[number(quote)], "file_id": None}
        blocks = {"start_block_index": 0, "end_block_index": 1}
        return {"type": "content_block_location", "cited_text": TEXTS[number(quote)], **blocks, **named}

    return _claude(*_said(a, b, cite))


def anthropic_search_results(a, b):
    def cite(quote):
        named = {"search_result_index": number(quote), "source": FILES[number(quote)], "title": TITLES[number(quote)]}
        blocks = {"start_block_index": 0, "end_block_index": 1}
        return {"type": "search_result_location", "cited_text": TEXTS[number(quote)], **blocks, **named}

    return _claude(*_said(a, b, cite))


def anthropic_web(a, b):
    def cite(quote):
        named = {"url": URLS[number(quote)], "title": TITLES[number(quote)], "encrypted_index": "Eo8B"}
        return {"type": "web_search_result_location", "cited_text": quote, **named}

    results = [
        {"type": "web_search_result", "url": URLS[n], "title": TITLES[n], "encrypted_content": "Eq", "page_age": None}
        for n in (0, 1)
    ]
    return _claude(
        {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "srv", "content": results},
        *_said(a, b, cite),
    )


def anthropic_stream(a, b):
    events = [("message_start", {"message": {**_claude(), "stop_reason": None}})]
    for index, (statement, quote) in enumerate(((FIRST, a), (SECOND, b))):
        block = {"type": "text", "text": "", "citations": []}
        events.append(("content_block_start", {"index": index, "content_block": block}))
        said = {"type": "text_delta", "text": statement + " "}
        cited = {"type": "citations_delta", "citation": char_location(quote)}
        events += [("content_block_delta", {"index": index, "delta": delta}) for delta in (said, cited)]
        events.append(("content_block_stop", {"index": index}))
    end = {"delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 5}}
    events += [("message_delta", end), ("message_stop", {})]
    return "".join(f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n" for kind, data in events)


def _gemini(a, b, chunk):
    supports = [
        {"segment": {"startIndex": span[0], "endIndex": span[1], "text": WHOLE[slice(*span)]},
         "groundingChunkIndices": [number(quote)], "confidenceScores": [0.9]}
        for quote, span in zip((a, b), SPANS, strict=True)
    ]  # fmt: skip
    grounding = {"groundingChunks": [chunk(n) for n in (0, 1)], "groundingSupports": supports}
    content = {"parts": [{"text": WHOLE}], "role": "model"}
    return {"candidates": [{"content": content, "finishReason": "STOP", "groundingMetadata": grounding}]}


def gemini_web(a, b):
    return _gemini(a, b, lambda n: {"web": {"uri": URLS[n], "title": TITLES[n]}})


def gemini_redirect(a, b):
    place = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
    return _gemini(a, b, lambda n: {"web": {"uri": f"{place}A{n}", "title": URLS[n].split("/")[2]}})


def gemini_files(a, b):
    return _gemini(a, b, lambda n: {"retrievedContext": {"title": FILES[n], "text": TEXTS[n]}})


def gemini_python(a, b):
    def snake(value):
        if isinstance(value, list):
            return [snake(part) for part in value]
        if not isinstance(value, dict):
            return value
        names = {key: "".join(f"_{c.lower()}" if c.isupper() else c for c in key) for key in value}
        return {names[key]: snake(part) for key, part in value.items()}

    return snake(gemini_web(a, b))


def cohere_v2(a, b):
    cited = [
        {"start": span[0], "end": span[1], "text": WHOLE[slice(*span)], "type": "TEXT_CONTENT",
         "sources": [{"type": "document", "id": f"doc:{number(q)}",
                      "document": {"id": f"doc:{number(q)}", "title": TITLES[number(q)], "snippet": TEXTS[number(q)]}}]}
        for q, span in zip((a, b), SPANS, strict=True)
    ]  # fmt: skip
    message = {"role": "assistant", "content": [{"type": "text", "text": WHOLE}], "citations": cited}
    return {"id": "x", "finish_reason": "COMPLETE", "message": message}


def cohere_v1(a, b):
    cited = [
        {"start": span[0], "end": span[1], "text": WHOLE[slice(*span)], "document_ids": [f"doc_{number(q)}"]}
        for q, span in zip((a, b), SPANS, strict=True)
    ]
    listed = [{"id": f"doc_{n}", "title": TITLES[n], "text": TEXTS[n]} for n in (0, 1)]
    return {"response_id": "x", "text": WHOLE, "generation_id": "y", "citations": cited, "documents": listed}


def bedrock_converse(a, b):
    def part(statement, quote):
        start, end = ends(quote)
        place = {"documentChar": {"documentIndex": number(quote), "start": start, "end": end}}
        cited = {"title": TITLES[number(quote)], "sourceContent": [{"text": quote}], "location": place}
        return {"citationsContent": {"content": [{"text": statement}], "citations": [cited]}}

    message = {"role": "assistant", "content": [part(FIRST, a), {"text": " "}, part(SECOND, b)]}
    return {"output": {"message": message}, "stopReason": "end_turn", "usage": {"inputTokens": 5, "outputTokens": 5}}


def bedrock_knowledge(a, b):
    def part(span, quote):
        text = {"text": WHOLE[slice(*span)], "span": {"start": span[0], "end": span[1] - 1}}
        where = {"type": "S3", "s3Location": {"uri": f"s3://bucket/{FILES[number(quote)]}"}}
        found = {"content": {"text": TEXTS[number(quote)]}, "location": where, "metadata": {}}
        return {"generatedResponsePart": {"textResponsePart": text}, "retrievedReferences": [found]}

    cited = [part(span, quote) for span, quote in zip(SPANS, (a, b), strict=True)]
    return {"sessionId": "s", "output": {"text": WHOLE}, "citations": cited}


def vertex_check(a, b):
    chunks = [{"chunkText": TEXTS[n], "source": str(n)} for n in (0, 1)]
    claims = [
        {"startPos": span[0], "endPos": span[1], "claimText": WHOLE[slice(*span)], "citationIndices": [number(q)],
         "groundingCheckRequired": True, "score": 0.9}
        for q, span in zip((a, b), SPANS, strict=True)
    ]  # fmt: skip
    return {"supportScore": 0.9, "citedChunks": chunks, "claims": claims}


def vertex_answer(a, b):
    cited = [
        {"startIndex": str(span[0]), "endIndex": str(span[1]), "sources": [{"referenceId": str(number(q))}]}
        for q, span in zip((a, b), SPANS, strict=True)
    ]
    listed = [
        {"chunkInfo": {"content": TEXTS[n], "documentMetadata": {"title": TITLES[n], "uri": f"gs://b/{FILES[n]}"}}}
        for n in (0, 1)
    ]
    answer = {"state": "SUCCEEDED", "answerText": WHOLE, "citations": cited, "references": listed}
    return {"answer": answer}


def mistral_chat(a, b):
    def reference(quote):
        return {"type": "reference", "reference_ids": [number(quote)]}

    parts = [{"type": "text", "text": FIRST}, reference(a), {"type": "text", "text": f" {SECOND}"}, reference(b)]
    return chat(parts)


def mistral_conversation(a, b):
    def reference(quote):
        named = {"title": TITLES[number(quote)], "url": URLS[number(quote)]}
        return {"type": "tool_reference", "tool": "web_search", **named, "source": "brave"}

    content = [{"type": "text", "text": FIRST}, reference(a), {"type": "text", "text": f" {SECOND}"}, reference(b)]
    outputs = [
        {"type": "tool.execution", "name": "web_search", "object": "entry"},
        {"type": "message.output", "role": "assistant", "object": "entry", "content": content},
    ]
    return {"conversation_id": "conv", "object": "conversation.response", "outputs": outputs, "usage": {}}


def langchain_message(a, b):
    notes = [
        {"type": "citation", "url": URLS[number(q)], "title": TITLES[number(q)], "start_index": span[0],
         "end_index": span[1], "cited_text": q}
        for q, span in zip((a, b), SPANS, strict=True)
    ]  # fmt: skip
    return {"type": "ai", "content": [{"type": "text", "text": WHOLE, "annotations": notes}], "tool_calls": []}


def litellm(a, b):
    cited = [[{**char_location(a), "supported_text": FIRST}], [{**char_location(b), "supported_text": SECOND}]]
    return chat(WHOLE, message={"provider_specific_fields": {"citations": cited}})


def llama_index(a, b):
    nodes = [
        {"node": {"id_": f"n{n}", "text": TEXTS[n], "metadata": {"file_name": FILES[n]}}, "score": 0.9} for n in (0, 1)
    ]
    return {"response": marked(a, b, lambda q: f"[{number(q) + 1}]"), "source_nodes": nodes, "metadata": {}}


def haystack(a, b):
    listed = [{"id": f"d{n}", "content": TEXTS[n], "meta": {"file_path": FILES[n]}, "score": 0.9} for n in (0, 1)]
    answer = {"data": marked(a, b, lambda q: f"[{number(q) + 1}]"), "query": "x", "documents": listed, "meta": {}}
    return {"type": "haystack.dataclasses.answer.GeneratedAnswer", "init_parameters": answer}


def vectara(a, b):
    listed = [{"text": TEXTS[n], "score": 0.9, "document_id": FILES[n], "part_metadata": {}} for n in (0, 1)]
    return {
        "summary": marked(a, b, lambda q: f"[{number(q) + 1}]"),
        "search_results": listed,
        "response_language": "eng",
    }


def plain_footnotes(a, b):
    text = f"{FIRST[:-1]}.[^1] {SECOND[:-1]}.[^2]\n\n"
    return text + "".join(f"[^{n}]: {FILES[number(q)]}\n" for n, q in enumerate((a, b), 1))


SHAPES = {
    name: (function, documents)
    for documents, functions in (
        (BY_URL, (openai_chat, openrouter, openai_responses, perplexity, perplexity_results, grok, exa, kagi,
                  anthropic_web, gemini_web, gemini_redirect, gemini_python, mistral_conversation, langchain_message)),
        (BY_FILE, (openai_files, openai_assistants, azure_own_data, anthropic_chars, anthropic_blocks, litellm,
                   anthropic_search_results, anthropic_stream, gemini_files, cohere_v2, cohere_v1, bedrock_converse,
                   bedrock_knowledge, vertex_answer, mistral_chat, llama_index, haystack, vectara)),
    )
    for function in functions
    for name in (function.__name__,)
}  # fmt: skip
