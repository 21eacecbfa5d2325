// What happens on the shelf, as the service tells it: documents that others add or remove, and how far files are read.
// It comes by `fetch`, since an EventSource would send no token.
import * as api from "./api";
import { renew, uploads } from "./store";

const AGAIN = 3000; // milliseconds after which a stream that ended is asked for again
const SOON = 300; // milliseconds that changes wait for others
let stream: AbortController | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;
let last = ""; // the id of the last event

/** Hear: `look` is called where the list may be another one, `gone` with each document that was removed. */
export async function listen(look: () => unknown, gone: (id: string) => void): Promise<void> {
  stream?.abort();
  const { signal } = (stream = new AbortController());
  last = "";
  while (!signal.aborted) {
    try {
      await api.events(last, signal, (kind, id, data) => {
        last = id || last;
        if (kind === "upload") progress(data);
        else if (kind === "document" || kind === "reset") {
          clearTimeout(timer);
          timer = setTimeout(look, SOON);
          if (data.change === "removed") gone(data.id);
        }
      });
    } catch {
      // the banner says so where nobody can be reached; else the list is looked at every few seconds anyway
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

/** How many pages of one of the files that are sent here have been read. */
function progress({ change, upload }: any): void {
  if (change === "removed" || !upload?.of) return;
  const mine = uploads.peek().find(({ file, state }) => ["sending", "reading"].includes(state) && file.name === upload.name && file.size === upload.size);
  if (mine) renew(mine.key, { state: "reading", share: upload.pages / upload.of, pages: [upload.pages, upload.of] });
}
