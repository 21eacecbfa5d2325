// The state that several parts of the page share: documents and what is chosen of them, uploads, collections.
import { computed, effect, signal } from "@preact/signals";
import * as address from "./address";

export interface Doc {
  id: string;
  title: string;
  source: string | null;
  pages: number | null;
  year?: number | null;
  labels: string[];
  warnings: string[];
}

export interface Collection {
  id: string;
  name: string;
  documents: number;
  owner: string | null;
  shared: boolean;
}

export interface Upload {
  key: number;
  file: File;
  to: { address: string; open: () => boolean }; // the library that it was dropped on
  state: "waiting" | "sending" | "reading" | "failed";
  share: number | null; // how much of it is done, null where that is not known
  reason: string;
  pages?: [number, number]; // how many are read, of how many
}

export const documents = signal<Doc[]>([]); // the newest first
export const left = signal(new Set<string>(address.recall("left", []))); // ids of documents that are not asked
export const opened = signal<string | null>(null); // the document beside the answer
export const uploads = signal<Upload[]>([]);
export const collections = signal<Collection[]>([]);
export const collection = signal<string | null>(address.recall("collection", null)); // the one whose documents are listed

export const asked = computed(() => documents.value.filter((one) => !left.value.has(one.id)));
export const all = computed(() => asked.value.length === documents.value.length);

effect(() => address.remember("left", [...left.value]));
effect(() => address.remember("collection", collection.value));

/** Change what is left out. */
export function leave(change: (ids: Set<string>) => void): void {
  const ids = new Set(left.peek());
  change(ids);
  left.value = ids;
}

/** Change an upload. */
export function renew(key: number, change: Partial<Upload>): void {
  uploads.value = uploads.peek().map((one) => (one.key === key ? { ...one, ...change } : one));
}

export const called = (document: { id: string; title?: string | null; source?: string | null }): string => document.title || document.source || document.id;
