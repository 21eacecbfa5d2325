// Sentences of the service in the language of the page. A sentence is known by its form; what it quotes stays as it is.
import { language } from "./language";
import { SENTENCES } from "./sentences";

type Form = [RegExp, string];
const SLOT = /\\\{(\w+)\\\}/g;
const ANY = ".+?";
const ONE = "(?:(?!; |”).)+?"; // of one sentence, and of one quotation in it
const JOIN = "; "; // between sentences
const isSentence = (name: string): boolean => /^[A-Z]/.test(name);

/** A form as a pattern: what stands in braces is a group of its name. */
function form([known, words]: readonly [string, string], filled: string): Form {
  const plain = known.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const slot = (_: string, name: string) => `(?<${name}>${isSentence(name) ? ANY : filled})`;
  return [new RegExp(`^${plain.replaceAll(/\\\[(\w+)\\\]/g, "(?:$1)?").replaceAll(SLOT, slot)}$`, "su"), words];
}

let strict: Form[] = []; // those whose gaps hold no other sentence
let loose: Form[] = [];
const known = new Map<string, string | null>(); // sentences that were looked up

/** A sentence that has one of some forms; what is a sentence in it is worded too. */
function filled(text: string, forms: Form[]): string | null {
  for (const [pattern, words] of forms) {
    const found = pattern.exec(text);
    if (!found) continue;
    const parts: Record<string, string | null> = {};
    for (const [name, value] of Object.entries(found.groups ?? {})) {
      parts[name] = isSentence(name) ? german(value) : name.startsWith("figure") ? german(value) ?? value : value;
    }
    if (!Object.values(parts).includes(null)) return words.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name]);
  }
  return null;
}

/** Several sentences in one, each worded. */
function several(text: string): string | null {
  for (let at = text.indexOf(JOIN); at >= 0; at = text.indexOf(JOIN, at + 1)) {
    const first = filled(text.slice(0, at), strict);
    const rest = first && german(text.slice(at + JOIN.length));
    if (rest) return `${first}${JOIN}${rest}`;
  }
  return null;
}

/** A sentence in German, null for one that is not of the table. */
function german(text: string): string | null {
  if (!strict.length) {
    strict = SENTENCES.map((pair) => form(pair, ONE));
    loose = SENTENCES.filter(([known]) => !/\{[A-Z]/.test(known)).map((pair) => form(pair, ANY));
  }
  if (!known.has(text)) known.set(text, filled(text, strict) ?? several(text) ?? filled(text, loose));
  return known.get(text);
}

/** A sentence as the page says it: the service's own where there is no other. */
export const worded = (text: string): string => (language === "de" ? german(text) ?? text : text);
