// The service counts code points, the browser counts UTF-16 units: an emoji is one of those and two of these.

/** The offsets of one text, from one count to the other. */
export class Offsets {
  text: string;
  wide: number[];

  constructor(text: string) {
    this.text = text;
    this.wide = []; // where, in code points, a character of two units stands
    if (/[\ud800-\udbff]/.test(text)) {
      let point = 0;
      for (const character of text) {
        if (character.length > 1) this.wide.push(point);
        point += 1;
      }
    }
  }

  /** How many of the wide characters stand before a code point. */
  before(point) {
    let [low, high] = [0, this.wide.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.wide[middle] < point) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** From code points to units. */
  unit(point) {
    return point + this.before(point);
  }

  /** From units to code points; inside a character it is the one before. */
  point(unit) {
    let [low, high] = [0, this.wide.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.wide[middle] + middle < unit) low = middle + 1;
      else high = middle;
    }
    return unit - low;
  }

  /** What stands between two code points. */
  slice(start, end) {
    return this.text.slice(this.unit(start), this.unit(end));
  }
}

const starts = new WeakMap(); // text nodes -> where in their document or answer they begin

/** A text node that knows at which code point it begins. */
export function placed(text, start) {
  const node = document.createTextNode(text);
  starts.set(node, start);
  return node;
}

/** Which code points a selection holds inside `root`, null where it holds none of its text. */
export function selected(root) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(root)) return null;
  let [low, high] = [Infinity, -Infinity];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text; node; node = walker.nextNode() as Text) {
    const start = starts.get(node);
    if (start === undefined || !range.intersectsNode(node)) continue;
    const from = node === range.startContainer ? range.startOffset : 0;
    const to = node === range.endContainer ? range.endOffset : node.data.length;
    if (from >= to) continue;
    const points = new Offsets(node.data);
    low = Math.min(low, start + points.point(from));
    high = Math.max(high, start + points.point(to));
  }
  return low < high ? { start: low, end: high } : null;
}

/** A text cut where spans begin and end: [start, end, the spans over it], all of it, in order. */
export function pieces(start, end, spans) {
  const over = spans.filter((span) => span.start < end && span.end > start);
  const cuts = new Set([start, end]);
  for (const span of over) {
    if (span.start > start) cuts.add(span.start);
    if (span.end < end) cuts.add(span.end);
  }
  const edges = [...cuts].sort((one, other) => one - other);
  return edges.slice(1).map((to, index) => {
    const from = edges[index];
    return [from, to, over.filter((span) => span.start <= from && span.end >= to)];
  });
}
