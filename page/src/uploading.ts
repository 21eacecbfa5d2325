// Files on their way in: picked or dropped, sent two at a time, tried again where that failed.
import * as api from "./api";
import * as conversation from "./conversation";
import { $, narrow, say, turnTo } from "./dom";
import * as documentsOf from "./documents";
import { t } from "./language";
import { documents, renew, uploads, type Upload } from "./store";
import * as viewer from "./viewer";

const AT_ONCE = 2;
let largest = Infinity; // bytes of a file
let running = 0;
let keys = 0;

/** Take files: each is sent and read. */
export function take(files: File[]): void {
  if (narrow.matches && files.length) turnTo("documents");
  const some = files.filter((file) => !file.name.startsWith(".")); // what a system keeps in folders for itself
  const to = api.here();
  uploads.value = [...uploads.value, ...some.map((file): Upload => ({ key: keys++, file, to, state: "waiting", share: 0, reason: "" }))];
  for (let free = running; free < AT_ONCE; free += 1) next();
}

/** Try a file again that failed. */
export function retry(key: number): void {
  renew(key, { state: "waiting", share: 0, reason: "" });
  if (running < AT_ONCE) next();
}

export const dismiss = (...keys: number[]): void => {
  uploads.value = uploads.value.filter((one) => !keys.includes(one.key));
};

async function next(): Promise<void> {
  const upload = uploads.value.find((one) => one.state === "waiting");
  if (!upload) return;
  running += 1;
  const { key, file, to } = upload;
  try {
    if (file.size > largest) throw new Error(t("tooLarge", { n: Math.floor(largest / 2 ** 20) }));
    renew(key, { state: "sending" });
    const added = await api.upload(file, to.address, (share) => renew(key, share === 1 ? { state: "reading", share: null, pages: undefined } : { share }));
    dismiss(key);
    say(t("wasAdded", { name: file.name }));
    if (to.open()) list(added.id).catch((error) => say(error.message));
  } catch (error) {
    renew(key, { state: "failed", reason: error.message });
    say(`${file.name}: ${error.message}`);
  }
  running -= 1;
  next();
}

/** List a document that was read, and open it where none is. */
async function list(id: string): Promise<void> {
  await documentsOf.refresh(); // broken off where people go to another library meanwhile
  if (narrow.matches && conversation.empty()) turnTo("answer"); // where its overview is
  if (conversation.empty() && documents.value.some((one) => one.id === id)) await viewer.show(id);
  else if (!viewer.open.id) await viewer.show(id);
}

/** The files of what was dropped, those inside of folders too. */
async function dropped(transfer: DataTransfer): Promise<File[]> {
  const entries: any[] = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files];
  const files: File[] = [];
  const walk = async (entry: any) => {
    if (entry.isFile) {
      files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const inside: any[] = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!inside.length) return;
      for (const one of inside) await walk(one);
    }
  };
  for (const entry of entries) await walk(entry);
  return files;
}

const brings = (event: DragEvent) => event.dataTransfer.types.includes("Files");

export function begin(most: number): void {
  largest = most;
  for (const id of ["files", "folder"]) {
    $(id).addEventListener("change", (event: any) => {
      take([...event.target.files]);
      event.target.value = "";
    });
  }
  addEventListener("dragover", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => !event.relatedTarget && document.body.classList.remove("dropping"));
  addEventListener("drop", async (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    take(await dropped(event.dataTransfer));
  });
}
