// A document without pages as structured text: headings, paragraphs, lists and tables, evidence marked by offsets.
import { bring, make } from "./dom";
import { t } from "./language";
import { Lazy } from "./lazy";
import { Offsets, pieces, placed } from "./offsets";

const CHUNK = 30; // blocks that are laid out together

export class Structured {
  scroller: HTMLElement;
  offsets: Offsets;
  places: any[];
  lit: Set<number>;
  zoom: number;
  parts: any[];
  article: any;
  chunks: { start: number; end: number; element: any }[];
  lazy: Lazy;

  constructor(scroller, told) {
    this.scroller = scroller;
    this.offsets = new Offsets(told.text);
    this.places = [];
    this.lit = new Set();
    this.zoom = 1;
    this.parts = parts(told);
    this.article = make("article", { class: "running" });
    this.chunks = [];
    for (let first = 0; first < this.parts.length; first += CHUNK) {
      const chunk = make("div", { class: "chunk", data: { first } });
      const held = this.parts.slice(first, first + CHUNK);
      chunk.style.setProperty("--guess", Math.ceil(held.reduce((sum, part) => sum + 2 + (part.end - part.start) / 70, 0)));
      this.chunks.push({ start: held[0].start, end: held.at(-1).end, element: chunk });
      this.article.append(chunk);
    }
    scroller.replaceChildren(this.article);
    this.lazy = new Lazy(scroller, (chunk) => this.fill(chunk), (chunk) => this.empty(chunk));
    for (const { element } of this.chunks) this.lazy.watch(element);
  }

  close() {
    this.lazy.stop();
  }

  fill(chunk) {
    const first = Number(chunk.dataset.first);
    const rows = [];
    for (const part of this.parts.slice(first, first + CHUNK)) {
      const element = this.part(part);
      if (part.kind === "list_item" && rows.at(-1)?.matches?.("ul")) rows.at(-1).append(...element.children);
      else rows.push(element);
    }
    chunk.replaceChildren(...rows);
    chunk.classList.add("full");
  }

  empty(chunk) {
    chunk.style.setProperty("--height", chunk.offsetHeight);
    chunk.classList.remove("full");
    chunk.replaceChildren();
  }

  part(part) {
    const body = () => this.inline(part.start, part.end);
    if (part.rows) return this.table(part);
    if (part.kind === "heading") return make(`h${Math.min(6, Math.max(1, part.level) + 2)}`, { dir: "auto" }, ...body());
    if (part.kind === "list_item") return make("ul", {}, make("li", { dir: "auto" }, ...body()));
    if (part.kind === "code") return make("pre", {}, ...body());
    return make("p", { dir: "auto", class: part.kind }, ...body());
  }

  table(part) {
    const wide = Math.max(...part.rows.flatMap((row) => row.cells.map((cell) => cell.column + cell.columns)));
    const taken = new Set();
    const rows = part.rows.map((row, down) => {
      const cells = [];
      const fillTo = (from, to) => {
        for (let column = from; column < to; column += 1) if (!taken.has(`${down} ${column}`)) cells.push(make("td"));
      };
      let column = 0;
      for (const cell of row.cells) {
        fillTo(column, cell.column);
        for (let below = 1; below < cell.rows; below += 1) {
          for (let right = 0; right < cell.columns; right += 1) taken.add(`${down + below} ${cell.column + right}`);
        }
        const text = this.offsets.slice(cell.start, cell.end);
        const figure = /^[-–−+(]?\s*[$€£¥]?\s*\d[\d.,\s]*[%)]?$/.test(text.trim());
        cells.push(make(row.head ? "th" : "td", { dir: "auto", class: figure ? "figure" : null, colspan: cell.columns > 1 ? cell.columns : null, rowspan: cell.rows > 1 ? cell.rows : null, data: { from: cell.start, to: cell.end } }, ...this.inline(cell.start, cell.end)));
        column = cell.column + cell.columns;
      }
      fillTo(column, wide);
      return make("tr", {}, ...cells);
    });
    return make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": t("table") }, make("table", {}, make("tbody", {}, ...rows)));
  }

  /** Text with its marks. */
  inline(start, end) {
    const spans = this.places.flatMap((place) => [
      { start: place.start, end: place.end, place, kind: place.cell ? "cell" : "line" },
      ...(place.cell?.headers ?? []).map(([from, to]) => ({ start: from, end: to, place, kind: "head" })),
    ]);
    return pieces(start, end, spans).map(([from, to, over]) => {
      const text = placed(this.offsets.slice(from, to), from);
      if (!over.length) return text;
      const numbers = [...new Set<number>(over.map((span) => span.place.number))];
      const kinds = new Set(over.map((span) => span.kind));
      const kind = ["cell", "head", "line"].find((one) => kinds.has(one));
      const shining = numbers.some((number) => this.lit.has(number));
      return make("mark", { class: `${kind}${shining ? " lit" : ""}`, data: { p: numbers.join(" ") } }, text);
    });
  }

  mark(places) {
    this.places = places;
    this.lazy.near.forEach((chunk) => this.fill(chunk));
  }

  light(numbers) {
    this.lit = numbers;
    for (const mark of this.article.querySelectorAll("mark")) {
      mark.classList.toggle("lit", mark.dataset.p.split(" ").some((number) => numbers.has(Number(number))));
    }
  }

  go(place) {
    const chunk = this.chunks.findLast(({ start }) => start <= place.start)?.element;
    if (!chunk) return;
    if (!chunk.classList.contains("full")) {
      chunk.scrollIntoView({ block: "center", behavior: "instant" });
      this.lazy.near.add(chunk);
      this.fill(chunk);
    }
    const marks = [...chunk.querySelectorAll("mark")].filter((mark) => mark.dataset.p.split(" ").includes(String(place.number)));
    const target = marks.find((mark) => mark.matches(place.cell ? ".cell" : ".line")) ?? marks[0] ?? chunk;
    bring(target, "center");
  }

  resize(by) {
    this.zoom = by === 0 ? 1 : Math.max(0.7, Math.min(2, this.zoom + by * 0.1));
    this.article.style.setProperty("--zoom", this.zoom);
    return this.zoom;
  }

  hit(x, y) {
    const mark = document.elementFromPoint(x, y)?.closest<HTMLElement>("mark[data-p]");
    return mark ? mark.dataset.p.split(" ").map(Number) : [];
  }
}

/** Blocks and tables in order; a table stands in the place of its blocks. */
function parts({ blocks, tables }) {
  const held = [];
  let next = 0;
  for (const block of blocks) {
    while (next < tables.length && tables[next].end <= block.start) next += 1;
    const table = tables[next];
    if (!table || block.start < table.start) held.push(block);
    else if (held.at(-1) !== table) held.push(table);
  }
  return held;
}
