// The library: results of links as objects. index.d.ts has their types.
import { Library } from "./program.js";

const library = new Library();

/** A link as text, given as text or as a URL. */
function text(link, name) {
  if (typeof link === "string" || link instanceof URL) return String(link);
  throw new TypeError(`${name} needs a link, such as "?v=3&model=deepseek-v3&gpu=h200"`);
}

/** The answer of the program, which throws texts. */
function answer(call) {
  try {
    return JSON.parse(call());
  } catch (why) {
    throw typeof why === "string" ? new Error(why) : why;
  }
}

export function evaluate(link, { levers = true } = {}) {
  const asked = text(link, "evaluate");
  return answer(() => library.evaluate(asked, Boolean(levers)));
}

export function search(link) {
  const asked = text(link, "search");
  return answer(() => library.search(asked));
}

export function explain(link, number) {
  const asked = text(link, "explain");
  return answer(() => library.explain(asked, String(number)));
}

export function read(paste) {
  if (typeof paste !== "string") throw new TypeError("read needs the text of a benchmark");
  return answer(() => library.read(paste));
}
