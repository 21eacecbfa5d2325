// The shelf: what is on its way in, collections, and the documents, filtered, sorted, a hundred a page.
import { signal } from "@preact/signals";
import { render } from "preact";
import { useState } from "preact/hooks";
import * as address from "./address";
import * as api from "./api";
import { $, say } from "./dom";
import * as documentsOf from "./documents";
import { language, t, type Key } from "./language";
import { all, asked, called, collection, collections, documents, leave, left, opened, uploads, type Doc, type Upload } from "./store";
import * as uploading from "./uploading";
import { worded } from "./wording";

const MANY = 8; // documents from which on they can be filtered and sorted
const AT_ONCE = 100; // rows of a page
const filter = signal("");
const order = signal<keyof typeof ORDERS>(address.recall("order", "newest"));
const first = signal(0); // the first row that is listed

const ORDERS = {
  newest: () => 0,
  name: (one: Doc, other: Doc) => called(one).localeCompare(called(other), language, { numeric: true }),
  year: (one: Doc, other: Doc) => (other.year ?? 0) - (one.year ?? 0),
  pages: (one: Doc, other: Doc) => (other.pages ?? 0) - (one.pages ?? 0),
};
const ORDER_WORDS: Record<keyof typeof ORDERS, Key> = { newest: "newest", name: "byName", year: "byYear", pages: "byLength" };

/** Those whose title, file or label has all words that are looked for. */
function matching(): Doc[] {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return documents.value;
  return documents.value.filter((one) => {
    const text = [called(one), one.source ?? "", ...one.labels].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A button that asks once more, in its own place. */
function Sure({ ask, sure, label, does, ...rest }: { ask: string; sure: string; label?: string; does: () => unknown; [name: string]: any }) {
  const [again, setAgain] = useState(false);
  const press = () => {
    if (again) does();
    setAgain(!again);
  };
  const name = label && (again ? `${sure} ${label}` : `${ask === "×" ? t("remove") : ask} ${label}`);
  return <button type="button" {...rest} class={`quiet ${rest.class ?? ""}${again ? " sure" : ""}`} aria-label={name} onClick={press} onBlur={() => setAgain(false)}>{again ? sure : ask}</button>;
}

const STATES = { waiting: "waiting", sending: "uploading", reading: "reading" } as const;

function Sending({ upload }: { upload: Upload }) {
  const { key, file, state, share, reason, pages } = upload;
  if (state === "failed") {
    return (
      <li class="failed">
        <span class="file">{file.name}</span>
        <small>{reason}</small>
        <span class="mend">
          <button type="button" class="quiet" aria-label={`${t("tryAgain")} ${file.name}`} onClick={() => uploading.retry(key)}>{t("tryAgain")}</button>
          <button type="button" class="quiet" aria-label={`${t("dismiss")} ${file.name}`} onClick={() => uploading.dismiss(key)}>×</button>
        </span>
      </li>
    );
  }
  return (
    <li>
      <span class="file">{file.name}</span>
      <small>{pages ? t("readingPages", { done: pages[0], many: pages[1] }) : t(STATES[state])}</small>
      <progress max={1} value={share ?? undefined} aria-label={file.name} />
    </li>
  );
}

function Uploads() {
  const failed = uploads.value.filter((one) => one.state === "failed");
  return (
    <>
      <ul class="uploads" id="uploads" aria-label={t("beingAdded")}>{uploads.value.map((one) => <Sending key={one.key} upload={one} />)}</ul>
      {failed.length > 1 ? (
        <p class="mend">
          <button type="button" class="quiet" id="retry-all" onClick={() => failed.forEach((one) => uploading.retry(one.key))}>{t("tryAllAgain", { n: failed.length })}</button>
          <button type="button" class="quiet" onClick={() => uploading.dismiss(...failed.map((one) => one.key))}>{t("dismissAll")}</button>
        </p>
      ) : null}
    </>
  );
}

function Row({ one }: { one: Doc }) {
  const name = called(one);
  const labels = api.carried().length ? one.labels.join(", ") || t("noLabel") : null;
  const facts = [labels, one.source && one.source !== name ? one.source : null, one.pages && t("pages", { n: one.pages }), one.warnings.length && t("remarks", { n: one.warnings.length })];
  const open = opened.value === one.id;
  const tick = (event: any) => leave((ids) => (event.currentTarget.checked ? ids.delete(one.id) : ids.add(one.id)));
  return (
    <li data-id={one.id} class={open ? "open" : undefined}>
      {documents.value.length > 1 ? <input type="checkbox" aria-label={t("askIt", { name })} checked={!left.value.has(one.id)} onChange={tick} /> : null}
      <button type="button" class="name" aria-current={open ? "true" : undefined} title={one.warnings.map(worded).join("\n") || undefined} onClick={() => documentsOf.show(one.id)}>
        <span dir="auto">{name}</span>
        <small>{facts.filter(Boolean).join(" · ")}</small>
      </button>
      <Sure class="remove" ask="×" sure={t("removeSure")} label={name} title={t("remove")} does={() => documentsOf.remove([one])} />
    </li>
  );
}

/** Do something with a collection, and list what there is then. */
async function change(work: () => Promise<unknown>, words: string): Promise<void> {
  try {
    await work();
    say(words);
  } catch (error) {
    say(error.message);
  }
  await documentsOf.refresh().catch((error) => say(error.message));
}

/** It is left first: its list would not be there any more. */
function dissolve(id: string): Promise<unknown> {
  collection.value = null;
  return api.dissolve(id);
}

function Collections() {
  if (!collections.value.length) return null;
  const open = collections.value.find((one) => one.id === collection.value);
  return (
    <p class="sets">
      <label class="unseen" for="collection">{t("collection")}</label>
      <select id="collection" value={collection.value ?? ""} onChange={(event) => documentsOf.turnCollection(event.currentTarget.value || null)}>
        <option value="">{t("allDocuments")}</option>
        {collections.value.map((one) => <option key={one.id} value={one.id} selected={one.id === collection.value}>{`${one.name} (${one.documents})`}</option>)}
      </select>
      {open ? <Sure id="dissolve" ask={t("dissolve")} sure={t("dissolveSure")} title={t("dissolveTitle")} does={() => change(() => dissolve(open.id), t("dissolved", { name: open.name }))} /> : null}
    </p>
  );
}

const NEW = "+";

/** What can be done with the documents that are chosen. */
function Bulk({ found }: { found: Doc[] }) {
  const [naming, setNaming] = useState(false);
  const some = asked.value;
  const ids = some.map((one) => one.id);
  const open = collections.value.find((one) => one.id === collection.value);
  const put = (event: any) => {
    const chosen = event.currentTarget.value;
    event.currentTarget.value = "";
    if (chosen === NEW) return setNaming(true);
    const { id, name } = collections.value.find((one) => one.id === chosen);
    return change(() => api.collect(id, { add: ids }), t("putIn", { n: ids.length, name }));
  };
  const create = (event: any) => {
    event.preventDefault();
    const name = event.currentTarget.elements[0].value.trim();
    setNaming(false);
    if (name) change(() => api.addCollection(name, ids), t("putIn", { n: ids.length, name }));
  };
  const narrowed = found.length < documents.value.length && found.length > 0;
  if (documents.value.length < 2 || (all.value && !narrowed)) return null;
  return (
    <div class="bulk" role="group" aria-label={t("withChosen")}>
      {narrowed ? <button type="button" class="quiet" id="choose-these" onClick={() => leave((out) => { out.clear(); for (const one of documents.value) if (!found.includes(one)) out.add(one.id); })}>{t("chooseThese", { n: found.length })}</button> : null}
      {some.length && !all.value ? (
        <>
          <Sure id="remove-chosen" ask={t("removeChosen", { n: some.length })} sure={t("removeChosenSure", { n: some.length })} does={() => documentsOf.remove(some)} />
          {open ? <button type="button" class="quiet" id="take-out" onClick={() => change(() => api.collect(open.id, { remove: ids }), t("takenOut", { n: ids.length, name: open.name }))}>{t("takeOut", { name: open.name })}</button> : null}
          {naming ? (
            <form onSubmit={create} onKeyDown={(event) => event.key === "Escape" && setNaming(false)}>
              <input id="collection-name" aria-label={t("collectionName")} placeholder={t("collectionName")} maxLength={200} required ref={(input) => input?.focus()} />
              <button type="submit">{t("create")}</button>
            </form>
          ) : (
            <select id="put-in" aria-label={t("addToCollection")} onChange={put}>
              <option value="">{t("addToCollection")}</option>
              {collections.value.filter((one) => one !== open).map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
              <option value={NEW}>{t("newCollection")}</option>
            </select>
          )}
        </>
      ) : null}
    </div>
  );
}

function Pager({ from, many }: { from: number; many: number }) {
  if (many <= AT_ONCE) return null;
  const turn = (by: number) => {
    first.value = Math.max(0, Math.min(from + by * AT_ONCE, AT_ONCE * Math.floor((many - 1) / AT_ONCE)));
  };
  const last = Math.min(from + AT_ONCE, many);
  return (
    <p class="pager" role="group" aria-label={t("partsOfList")}>
      <button type="button" id="rows-before" disabled={from === 0} aria-label={t("rowsBefore")} onClick={() => turn(-1)}>‹</button>
      <span>{t("rows", { from: from + 1, to: last, many })}</span>
      <button type="button" id="rows-after" disabled={last === many} aria-label={t("rowsAfter")} onClick={() => turn(1)}>›</button>
    </p>
  );
}

function Shelf() {
  const found = [...matching()].sort(ORDERS[order.value]);
  const many = documents.value.length;
  const from = first.value < found.length ? first.value : 0;
  const rows = found.slice(from, from + AT_ONCE);
  const tickAll = (event: any) => leave((ids) => {
    ids.clear();
    if (!event.currentTarget.checked) for (const one of documents.value) ids.add(one.id);
  });
  return (
    <>
      <Uploads />
      <section class="shelf">
        <div class="bar">
          <h2 id="shelf-name">{t("documents")}{many > MANY ? <small> {t("inNumbers", { many })}</small> : null}</h2>
          {many > 1 ? <label class="all"><input type="checkbox" id="all" checked={!left.value.size} indeterminate={left.value.size > 0 && left.value.size < many} onChange={tickAll} /> {t("askAllTick")}</label> : null}
        </div>
        <Collections />
        {many >= MANY || filter.value ? (
          <>
            <label class="unseen" for="filter">{t("filterLabel")}</label>
            <input type="search" id="filter" placeholder={t("filter")} autocomplete="off" value={filter.value} onInput={(event) => { filter.value = event.currentTarget.value; first.value = 0; }} />
          </>
        ) : null}
        {many >= MANY ? (
          <label class="order">{t("sortBy")} <select id="order" value={order.value} onChange={(event) => { order.value = event.currentTarget.value as keyof typeof ORDERS; first.value = 0; address.remember("order", order.value); }}>
            {Object.entries(ORDER_WORDS).map(([value, words]) => <option key={value} value={value} selected={value === order.value}>{t(words)}</option>)}
          </select></label>
        ) : null}
        <Bulk found={found} />
        <ul class="list" id="list" aria-labelledby="shelf-name">
          {rows.map((one) => <Row key={one.id} one={one} />)}
          {many && !found.length ? <li class="hint">{t("noneMatches")}</li> : null}
        </ul>
        <Pager from={from} many={found.length} />
        {many ? null : <p class="hint" id="none">{t(collection.value ? "emptyCollection" : "formats")}</p>}
      </section>
    </>
  );
}

export function begin(): void {
  render(<Shelf />, $("shelf"));
}
