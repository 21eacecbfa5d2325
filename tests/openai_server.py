"""A server on loopback that speaks the OpenAI or the Anthropic protocol over real HTTP, as each test scripts it."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-test-0123456789abcdef"


class Reply:
    """One answer: a text, or a status with a body; `cut` ends a stream in the middle, `held` waits there."""

    def __init__(
        self, text="Yes.", status=200, body=None, headers=None, cut=False, raw=None, finish=None, gate=None, **more
    ):
        self.text, self.status, self.body, self.headers = text, status, body, headers or {}
        self.cut, self.raw, self.finish, self.gate, self.more = cut, raw, finish, gate, more


def error(status, message, code=None, headers=None, param=None, kind=None):
    body = {"error": {"message": message, "type": kind or "invalid_request_error", "code": code, "param": param}}
    return Reply(status=status, body=body, headers=headers)


class Server(ThreadingHTTPServer):
    """Answers one request after another with what `replies` says: a list, then the last of it for ever."""

    daemon_threads = True

    def __init__(self, protocol):
        super().__init__(("127.0.0.1", 0), Handler)
        self.protocol, self.replies, self.requests = protocol, [Reply()], []
        self.lock, self.most, self.under_way = threading.Lock(), 0, 0

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}" + ("/v1" if self.protocol == "openai" else "")

    def next(self):
        with self.lock:
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    def handle_error(self, request, client_address):
        """A client that gave up is no fault of the server."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        content = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            self.server.requests.append((self.path, dict(self.headers), content))
            self.server.under_way += 1
            self.server.most = max(self.server.most, self.server.under_way)
        try:
            self.answer(content)
        finally:
            with self.server.lock:
                self.server.under_way -= 1

    def answer(self, content):
        key = self.headers.get("authorization", "").removeprefix("Bearer ") or self.headers.get("api-key")
        key = key or self.headers.get("x-api-key")
        reply = self.server.next()
        if callable(reply):
            reply = reply(content)
        if isinstance(reply, str):
            reply = Reply(reply)
        if key not in (KEY, "none"):
            reply = error(401, f"Incorrect API key provided: {key}", "invalid_api_key", kind="authentication_error")
        elif content["model"] == "unknown":
            reply = error(404, "The model `unknown` does not exist", "model_not_found", kind="not_found_error")
        if reply.status != 200 or reply.body is not None:
            self.whole(reply.status, json.dumps(reply.body).encode(), reply.headers)
        elif reply.raw is not None:
            self.whole(200, reply.raw, reply.headers)
        elif content.get("stream"):
            self.stream(reply, content)
        else:
            self.whole(200, json.dumps(WHOLE[self.server.protocol](reply, content)).encode(), reply.headers)

    def whole(self, status, body, headers):
        self.send_response(status)
        self.send_header("content-type", headers.get("content-type", "application/json"))
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            if name != "content-type":
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def stream(self, reply, content):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        events = list(STREAMS[self.server.protocol](reply, content))
        if reply.cut:
            events = events[: len(events) // 2]
        for number, event in enumerate(events):
            if reply.gate is not None and number == len(events) // 2:
                self.wfile.flush()
                assert reply.gate.wait(30)
            self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        if reply.cut == "hard":  # the connection ends without the end of the body
            self.wfile.flush()
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")


def _openai(reply, content):
    message = {"role": "assistant", "content": reply.text, **reply.more}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": content["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish or "stop", "logprobs": None}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }  # fmt: skip


def _openai_stream(reply, content):
    def event(delta, finish=None, **more):
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
        chunk = {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": content["model"],
            "choices": choices,
            **more,
        }
        return b"data: " + json.dumps(chunk).encode() + b"\n\n"

    yield event({"role": "assistant", "content": ""})
    for word in reply.text.split(" "):
        yield event({"content": word + " "})
    for number, call in enumerate(reply.more.get("tool_calls", ())):
        written = call["function"]["arguments"]
        yield event({"tool_calls": [{**call, "index": number, "function": {**call["function"], "arguments": ""}}]})
        for piece in (written[:5], written[5:]):
            yield event({"tool_calls": [{"index": number, "function": {"arguments": piece}}]})
    yield event({}, reply.finish or "stop")
    if content.get("stream_options", {}).get("include_usage"):
        yield event({}, choices=[], usage={"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18})
    yield b"data: [DONE]\n\n"


def _anthropic(reply, content):
    blocks = reply.more.get("blocks", [{"type": "text", "text": reply.text, "citations": None}])
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": content["model"], "content": blocks,
        "stop_reason": reply.finish or "end_turn", "stop_sequence": None, "usage": {"input_tokens": 11, "output_tokens": 7},
    }  # fmt: skip


def _anthropic_stream(reply, content):
    def event(kind, **data):
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()

    whole = _anthropic(reply, content)
    start = {**whole, "content": [], "stop_reason": None, "usage": {"input_tokens": 11, "output_tokens": 1}}
    yield event("message_start", message=start)
    for n, block in enumerate(whole["content"]):
        if block["type"] == "tool_use":
            yield event("content_block_start", index=n, content_block={**block, "input": {}})
            written = json.dumps(block["input"])
            for piece in (written[:5], written[5:]):
                yield event("content_block_delta", index=n, delta={"type": "input_json_delta", "partial_json": piece})
            yield event("content_block_stop", index=n)
            continue
        yield event("content_block_start", index=n, content_block={"type": "text", "text": ""})
        for word in block["text"].split(" "):
            yield event("content_block_delta", index=n, delta={"type": "text_delta", "text": word + " "})
        for citation in block.get("citations") or ():
            yield event("content_block_delta", index=n, delta={"type": "citations_delta", "citation": citation})
        yield event("content_block_stop", index=n)
    if reply.more.get("fault"):
        yield event("error", error={"type": "overloaded_error", "message": "Overloaded"})
        return
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield event("message_delta", delta=delta, usage={"output_tokens": 7})
    yield event("message_stop")


WHOLE = {"openai": _openai, "anthropic": _anthropic}
STREAMS = {"openai": _openai_stream, "anthropic": _anthropic_stream}


@contextmanager
def serving(protocol="openai", *replies):
    server = Server(protocol)
    server.replies = list(replies) or [Reply()]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
