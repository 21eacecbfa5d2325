// Requests to the service, and what they become: values, events of a stream, or an error with its sentence.
import { lost } from "./connection";
import { t } from "./language";
import { redeem, token, wanted } from "./token";
import { worded } from "./wording";

export class Failure extends Error {
  declare status: number;
  declare type: string;
  declare field: string | null;

  constructor(status: number, { type = "Error", message = t("unreachable"), field = null } = {}) {
    super(worded(message));
    Object.assign(this, { status, type, field });
  }
}

const authorized = () => (token() ? { Authorization: `Bearer ${token()}` } : {});
/** Which library is open, null for the first one, and which of their labels people carry there, null for all. */
export const where = { library: null, labels: null };
let choice = new AbortController(); // ends with the choice of library and labels

/** Choose a library and labels: what was asked for under the choice before is broken off, so nothing follows from it. */
export function choose(values) {
  Object.assign(where, values);
  choice.abort(new DOMException("", "AbortError"));
  choice = new AbortController();
}

/** An address in the library that is open. */
function placed(address) {
  const url = new URL(address, location.origin);
  if (where.library !== null) url.searchParams.set("library", where.library);
  if (where.labels !== null) url.searchParams.set("labels", where.labels.join(","));
  return `${url.pathname}${url.search}`;
}

/** Where files go that are sent now, and whether that is still what is open. */
export const here = () => {
  const { signal } = choice;
  return { address: placed(path("documents")), open: () => !signal.aborted };
};

const path = (...parts) => `/v1/${parts.map(encodeURIComponent).join("/")}`;
const WAIT = 30; // seconds beyond which a busy service is not asked again

async function failed(reply) {
  const told = await reply.json().catch(() => ({}));
  return new Failure(reply.status, told.error);
}

const request = (address: string, options: RequestInit = {}) => {
  const signals = [options.signal, choice.signal].filter(Boolean);
  return sent(placed(address), { ...options, signal: AbortSignal.any(signals) });
};

async function sent(address: string, options: RequestInit, tries = 3): Promise<Response> {
  let reply;
  try {
    reply = await fetch(address, { ...options, headers: { ...options.headers, ...authorized() } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    lost();
    throw new Failure(0);
  }
  if (reply.ok) return reply;
  const failure = await failed(reply);
  if (reply.status === 401) {
    await wanted(token() ? failure.message : "");
    return sent(address, options, tries);
  }
  const after = Number(reply.headers.get("Retry-After"));
  if (reply.status === 429 && tries && after <= WAIT) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * (after || 1)));
    return sent(address, options, tries - 1);
  }
  throw failure;
}

/** The labels that people may carry here. */
let labels = [];
export const carried = () => labels;

const json = async (address: string, options: RequestInit = {}) => (await request(address, options)).json();
const body = (value: unknown, signal: AbortSignal | null = null): RequestInit => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value), signal });

export async function settings() {
  const refused = await redeem();
  const health = await json("/health");
  document.getElementById("by-login").hidden = !health.login;
  if (!token() && health.token) await wanted(refused);
  const settings = await json(path("settings"));
  labels = settings.carries;
  return settings;
}
export const libraries = async () => (await json(path("libraries"))).libraries;
/** All rows of a list, part by part. */
async function all(name: string, limit: number, more: Record<string, string> = {}): Promise<any[]> {
  const rows: any[] = [];
  for (let next = null; ;) {
    const part = await json(`${path(name)}?${new URLSearchParams({ limit: String(limit), ...more, ...(next === null ? {} : { after: next }) })}`);
    rows.push(...part[name]);
    next = part.next;
    if (next === null) return rows;
  }
}
export const documents = (collection: string | null = null) => all("documents", 1000, collection ? { collection } : {});
export const collections = () => all("collections", 1000);
export const addCollection = (name: string, documents: string[]) => request(path("collections"), body({ name, documents }));
export const collect = (id: string, change: { add?: string[]; remove?: string[] }) => request(path("collections", id), { ...body(change), method: "PATCH" });
export const dissolve = (id: string) => request(path("collections", id), { method: "DELETE" });
export const users = () => all("users", 1000);
export const addUser = async (value) => (await (await request(path("users"), body(value))).json()).token;
export const limit = (name, value) => request(path("users", name), { ...body(value), method: "PATCH" });
export const renew = async (name) => (await json(path("users", name, "token"), { method: "POST" })).token;
export const revoke = (name) => request(path("users", name), { method: "DELETE" });
export const remove = (id) => request(path("documents", id), { method: "DELETE" });
// What a document is shown with; `signal` ends with its being shown: it may be gone by then.
export const pages = (id, signal: AbortSignal) => json(path("documents", id, "pages"), { signal });
export const lines = (id, page, signal: AbortSignal) => json(path("documents", id, "pages", `${page}.json`), { signal });
export const place = (id, start, end) => json(`${path("documents", id, "place")}?${new URLSearchParams({ start, end })}`);
export const find = (id, q) => json(`${path("documents", id, "find")}?${new URLSearchParams({ q })}`);
export const text = (id, signal: AbortSignal) => json(path("documents", id, "text"), { signal });

export const history = (query, before) => json(`${path("history")}?${new URLSearchParams({ q: query, limit: "30", ...(before ? { before } : {}) })}`);
/** All kept turns of a thread, the oldest first. */
export const turns = async (thread) => (await json(`${path("history")}?${new URLSearchParams({ thread, limit: "200" })}`)).entries.reverse();
export const share = (id) => request(path("history", id), { ...body({ shared: true }), method: "PATCH" });
export const entry = (id) => json(path("history", id));
export const forget = (id) => request(id ? path("history", id) : path("history"), { method: "DELETE" });
export const corrections = async (id) => (await json(`${path("corrections")}?history=${id}`)).corrections;
export const correct = async (value) => (await request(path("corrections"), body(value))).json();
export const uncorrect = (id) => request(path("corrections", id), { method: "DELETE" });

/** A file of the service, kept under a name of this browser's; a plain link would send no token. */
export async function download(address, name) {
  save(await (await request(address)).blob(), name);
}

export const exported = (id, form, document) => `${path("history", id, "export")}?${new URLSearchParams({ as: form, ...(document ? { document } : {}) })}`;

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A page as a file of a picture, so many pixels a point. It comes by `fetch`, since an image element would send no token. */
export async function drawn(id: string, page: number, scale: number, signal: AbortSignal): Promise<Blob> {
  const reply = await request(`${path("documents", id, "pages", `${page}.png`)}?scale=${scale}`, { signal });
  return reply.blob();
}

/** The reply to a verb. */
export async function send(verb: string, value: unknown, signal: AbortSignal | null = null) {
  const reply = await request(path(verb), body(value, signal));
  return { told: await reply.json(), kept: reply.headers.get("x-citewell-history") };
}

/** The same as a stream: `hear` is told each statement, the end is the whole answer. */
export async function stream(verb, value, hear, signal) {
  const reply = await request(path(verb), body({ ...value, stream: true }, signal));
  for await (const { kind, data } of heard(reply)) {
    const told = JSON.parse(data);
    if (kind === "statement") hear(told);
    else if (kind === "error") throw new Failure(500, told.error);
    else if (kind === "answer") return { told: told.answer ?? told, kept: told.history ?? null };
  }
  throw new Failure(0, { message: t("brokeOff") });
}

/** What happens, from an event on: `hear` gets each one's kind, id and data; done where the stream ends. */
export async function events(last: string, signal: AbortSignal, hear: (kind: string, id: string, data: any) => void): Promise<void> {
  const reply = await request(path("events"), { signal, headers: last ? { "Last-Event-ID": last } : {} });
  for await (const { kind, id, data } of heard(reply)) hear(kind, id, JSON.parse(data));
}

/** The events of a stream. */
async function* heard(reply: Response): AsyncGenerator<{ kind: string; id: string; data: string }> {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value: part } = await reader.read();
    if (done) return;
    rest += part;
    const parts = rest.split("\n\n");
    rest = parts.pop();
    for (const event of parts) {
      const [kind, id, data] = ["event", "id", "data"].map((name) => new RegExp(`^${name}: (.*)$`, "m").exec(event)?.[1]);
      if (kind && data !== undefined) yield { kind, id: id ?? "", data };
    }
  }
}

/** Send a file to an address of `here`; `hear` gets the share that was sent, which only XMLHttpRequest reports. */
export function upload(file: File, address: string, hear: (share: number) => void): Promise<any> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("POST", address);
    for (const [name, value] of Object.entries(authorized())) sending.setRequestHeader(name, value);
    sending.responseType = "json";
    sending.upload.addEventListener("progress", (event: any) => event.lengthComputable && hear(event.loaded / event.total));
    sending.addEventListener("error", () => {
      lost();
      reject(new Failure(0));
    });
    sending.addEventListener("load", () => {
      if (sending.status === 201) resolve(sending.response);
      else if (sending.status === 401) wanted("").then(() => upload(file, address, hear)).then(resolve, reject);
      else if (sending.status === 429) setTimeout(() => upload(file, address, hear).then(resolve, reject), 1000);
      else reject(new Failure(sending.status, sending.response?.error));
    });
    const form = new FormData();
    form.append("file", file, file.name);
    sending.send(form);
  });
}
