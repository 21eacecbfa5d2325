// The pages of a PDF as they look: pictures near the view, text that can be selected, evidence laid over in points.
import * as api from "./api";
import { draw, make, say } from "./dom";
import { t } from "./language";
import { Lazy, Work } from "./lazy";
import { placed } from "./offsets";

const AT_ONCE = 3; // requests at the same time
const SHARPEST = 8; // pixels a point
const MOST = 24e6; // pixels of one picture
const STEPS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
const ruler = document.createElement("canvas").getContext("2d");
ruler.font = "100px sans-serif";

/** The number of a piece of evidence, as a small flag on its first corner. */
function flag(number, [, x0, y0]) {
  const wide = 4.5 + 3.8 * String(number).length;
  const [x, y] = [Math.max(0, x0 - wide - 1), Math.max(0, y0 - 4)];
  return [draw("rect", { class: "flag", x, y, width: wide, height: 8, rx: 2 }), draw("text", { x: x + wide / 2, y: y + 6.2 }, String(number))];
}

export class Pages {
  declare scroller: HTMLElement;
  declare id: string;
  declare pages: any[];
  declare turned: (page: number) => void;
  declare signal: AbortSignal;
  declare zoom: number;
  declare places: any[];
  declare lit: Set<number>;
  work = new Work(AT_ONCE, (error) => say(t("pageFailed", { reason: error.message })));
  stack: any;
  lazy: Lazy;
  resized: ResizeObserver;
  scrolled: () => void;
  frame: number | null = null;
  points: number;
  went = { page: 0, top: -1 };
  sharpening: ReturnType<typeof setTimeout>;

  /** `told` is what the service says of all pages; `turned` hears the number of the page in view; `signal` ends with the document's being shown. */
  constructor(scroller, id, told, turned, signal) {
    Object.assign(this, { scroller, id, pages: told, turned, signal, zoom: 1, places: [], lit: new Set() });
    this.stack = make("div", { class: "stack" }, ...told.map((page) => this.sheet(page)));
    scroller.replaceChildren(this.stack);
    this.lazy = new Lazy(scroller, (sheet) => this.fill(sheet), (sheet) => this.empty(sheet));
    this.resized = new ResizeObserver(() => this.size());
    this.resized.observe(scroller);
    this.scrolled = () => this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.turned(this.current());
    });
    scroller.addEventListener("scroll", this.scrolled, { passive: true });
    this.size();
    for (const sheet of this.stack.children) this.lazy.watch(sheet);
  }

  sheet(page) {
    const sheet = make("article", { class: "sheet", "aria-label": t("pageOf", { page: page.page, many: this.pages.length }), data: { page: page.page } });
    sheet.style.setProperty("--w", page.width);
    sheet.style.setProperty("--h", page.height);
    return sheet;
  }

  close() {
    this.lazy.stop();
    this.resized.disconnect();
    this.scroller.removeEventListener("scroll", this.scrolled);
    this.work.clear();
    for (const sheet of this.stack.children) this.empty(sheet);
  }

  /** Fit the widest page into the view, and keep the place that is read. */
  size() {
    const widest = Math.max(...this.pages.map((page) => page.width));
    const room = this.scroller.clientWidth - 2 * parseFloat(getComputedStyle(this.stack).paddingLeft);
    const points = Math.max(0.2, Math.min(room / widest, 1.6) * this.zoom);
    if (points === this.points || room <= 0) return;
    const before = this.points ? this.scroller.scrollTop + this.scroller.clientHeight / 2 : 0;
    const share = this.points ? before / this.stack.scrollHeight : 0;
    this.points = points;
    this.stack.style.setProperty("--s", points);
    if (share) this.scroller.scrollTop = share * this.stack.scrollHeight - this.scroller.clientHeight / 2;
    clearTimeout(this.sharpening);
    this.sharpening = setTimeout(() => this.lazy.near.forEach((sheet) => this.picture(sheet)), 150);
  }

  resize(by) {
    const at = STEPS.indexOf(this.zoom);
    this.zoom = by === 0 ? 1 : STEPS[Math.max(0, Math.min(STEPS.length - 1, at + by))];
    this.size();
    return this.zoom;
  }

  /** The number of the page in the upper half of the view; one that was gone to, as long as that is in view: the last cannot come to the top. */
  current() {
    if (this.scroller.scrollTop === this.went.top) return this.went.page;
    const line = this.scroller.scrollTop + this.scroller.clientHeight / 3;
    const sheets = this.stack.children;
    let [low, high] = [0, sheets.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (sheets[middle].offsetTop <= line) low = middle;
      else high = middle - 1;
    }
    return this.pages[low].page;
  }

  find(page) {
    return this.stack.children[this.pages.findIndex((one) => one.page === page)];
  }

  fill(sheet) {
    sheet.stay = {};
    this.text(sheet);
    this.picture(sheet);
    this.overlay(sheet);
  }

  text(sheet) {
    const { stay } = sheet;
    this.work.add(async () => {
      if (sheet.stay !== stay) return;
      const { lines } = await api.lines(this.id, Number(sheet.dataset.page), this.signal);
      if (sheet.stay === stay) sheet.append(make("div", { class: "words" }, ...lines.map((line) => this.line(line))));
    });
  }

  /** Text as invisible letters over the picture's, as wide as those. */
  line({ text, start, rect: [x0, y0, x1, y1] }) {
    const shown = make("div", { dir: "auto" }, placed(text, start));
    const height = y1 - y0;
    const natural = (ruler.measureText(text).width / 100) * height;
    for (const [name, value] of [["x", x0], ["y", y0], ["f", height], ["k", natural ? (x1 - x0) / natural : 1]]) {
      shown.style.setProperty(`--${name}`, value);
    }
    return shown;
  }

  empty(sheet) {
    sheet.stay = null;
    sheet.sharp = 0;
    delete sheet.dataset.drawn;
    sheet.replaceChildren();
  }

  /** Ask for a picture as sharp as the screen; the one before stays until it is there. */
  picture(sheet) {
    const { width, height } = this.pages[[...this.stack.children].indexOf(sheet)];
    const wanted = Math.min(SHARPEST, this.points * devicePixelRatio, Math.sqrt(MOST / (width * height)));
    const scale = Math.ceil(wanted * 8) / 8;
    if (sheet.sharp === scale) return;
    sheet.sharp = scale;
    const { stay } = sheet;
    this.work.add(async () => {
      if (sheet.stay !== stay || sheet.sharp !== scale) return;
      const bitmap = await createImageBitmap(await api.drawn(this.id, Number(sheet.dataset.page), scale, this.signal));
      if (sheet.stay !== stay || sheet.sharp !== scale) return;
      const canvas = make("canvas", { width: bitmap.width, height: bitmap.height, "aria-hidden": "true" });
      canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
      sheet.querySelector("canvas")?.remove();
      sheet.prepend(canvas);
      sheet.dataset.drawn = scale;
    });
  }

  /** Show these places; `number` of each is its mark in the margin. */
  mark(places) {
    this.places = places;
    this.lazy.near.forEach((sheet) => this.overlay(sheet));
  }

  light(numbers) {
    this.lit = numbers;
    for (const group of this.stack.querySelectorAll(".marks g")) group.classList.toggle("lit", numbers.has(Number(group.dataset.p)));
  }

  overlay(sheet) {
    const number = Number(sheet.dataset.page);
    const { width, height } = this.pages[[...this.stack.children].indexOf(sheet)];
    const groups = this.places.map((place) => {
      const own = place.rects.filter(([page]) => page === number);
      if (!own.length) return null;
      const group = draw("g", { "data-p": place.number, class: `${place.role}${this.lit.has(place.number) ? " lit" : ""}` });
      own.forEach(([, x0, y0, x1, y1], index) => {
        const heads = place.cell && (index > 0 || own[0] !== place.rects[0]);
        const [across, down] = [1.5, Math.min(2, 0.2 * (y1 - y0))];
        group.append(draw("rect", { x: x0 - across, y: y0 - down, width: x1 - x0 + 2 * across, height: y1 - y0 + 2 * down, rx: 1.5, class: heads ? "head" : place.cell ? "cell" : "line" }));
      });
      if (place.sign && place.role !== "differs" && own[0] === place.rects[0]) group.append(...flag(place.sign, own[0]));
      return group;
    }).filter(Boolean);
    sheet.querySelector(".marks")?.remove();
    if (groups.length) sheet.append(draw("svg", { class: "marks", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...groups));
  }

  /** Bring a place into view; without rectangles its page. */
  go(place) {
    this.size(); // it may just have come into view
    const [page, x0, y0] = place.rects[0] ?? [place.page ?? this.pageAt(place.start), 0, 0];
    const sheet = this.find(page);
    if (!sheet) return;
    const top = sheet.offsetTop + y0 * this.points - this.scroller.clientHeight * 0.33;
    const left = sheet.offsetLeft + x0 * this.points - this.scroller.clientWidth * 0.25;
    this.scroller.scrollTo({ top, left, behavior: Math.abs(top - this.scroller.scrollTop) > 2 * this.scroller.clientHeight ? "instant" : "smooth" });
  }

  pageAt(start) {
    return (this.pages.findLast((page) => page.start <= start) ?? this.pages[0]).page;
  }

  goPage(number) {
    const sheet = this.find(Math.max(1, Math.min(this.pages.length, number)));
    if (!sheet) return;
    this.scroller.scrollTo({ top: sheet.offsetTop - 8, behavior: "instant" });
    this.went = { page: Number(sheet.dataset.page), top: this.scroller.scrollTop };
    this.scrolled();
  }

  /** The numbers of the places under a point of the screen. */
  hit(x, y) {
    const sheet = document.elementFromPoint(x, y)?.closest<HTMLElement>(".sheet");
    if (!sheet) return [];
    const box = sheet.getBoundingClientRect();
    const [px, py] = [(x - box.left) / this.points, (y - box.top) / this.points];
    const number = Number(sheet.dataset.page);
    const inside = ([page, x0, y0, x1, y1]) => page === number && px >= x0 - 2 && px <= x1 + 2 && py >= y0 - 2 && py <= y1 + 2;
    return this.places.filter((place) => place.rects.some(inside)).map((place) => place.number);
  }
}
