/** A start tag of a page. */
export type ElementTag = {
  /** In lower case. */
  name: string;
  /** By names in lower case, the first 200 of them; of two with one name the first counts, as in a browser. */
  attributes: ReadonlyMap<string, string>;
  /** Of a script what stands in it, as it is written; `""` of others. */
  text: string;
};

/** What decides whether a tag works; all else of a page is passed over. */
const wanted: ReadonlySet<string> = new Set(["script", "meta", "base"]);

/** Within these a browser reads text and no tags, until their own end. */
const rawText: ReadonlySet<string> = new Set([
  "script",
  "style",
  "textarea",
  "title",
  "template",
  "noscript",
  "xmp",
  "iframe",
]);

/** What stands in these a page's own program may run. */
const programs: ReadonlySet<string> = new Set(["script", "template"]);

export type ReadHtml = {
  /** The start tags of scripts, metas and bases, in their order, without what stands in comments, texts and templates. */
  tags: ElementTag[];
  /** What nobody runs: comments and texts, with a line end for each tag between them. */
  text: string;
};

/** Reads a page once from its beginning to its end, whatever it holds. */
export function readHtml(html: string): ReadHtml {
  const tags: ElementTag[] = [];
  const texts: string[] = [];
  let textFrom = 0;
  const opening = /<!--|<([a-z][^\s/>]*)/giy;
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at)) {
    opening.lastIndex = at;
    const found = opening.exec(html);
    if (found === null) {
      at += 1;
      continue;
    }
    if (found[1] === undefined) {
      at = endOf(html, "-->", at + 2);
      continue;
    }
    const name = found[1].toLowerCase();
    const { attributes, end } = readAttributes(html, opening.lastIndex);
    texts.push(html.slice(textFrom, at));
    at = rawText.has(name) ? endOfText(html, name, end) : end;
    textFrom = programs.has(name) ? at : end;
    if (wanted.has(name)) tags.push({ name, attributes, text: html.slice(end, at) });
  }
  texts.push(html.slice(textFrom));
  return { tags, text: texts.join("\n") };
}

const endOf = (html: string, text: string, from: number): number => {
  const at = html.indexOf(text, from);
  return at < 0 ? html.length : at + text.length;
};

/** Where the text of such an element ends: at its end tag. */
const endOfText = (html: string, name: string, from: number): number => {
  const end = new RegExp(`</${name}[\\s/>]`, "gi");
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
};

/** More no tag has that people made; each of them is held beside the names that tools write. */
const attributesMost = 200;
const attribute = /[\s/]*(?:>|([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?)/gy;

const readAttributes = (html: string, from: number): { attributes: Map<string, string>; end: number } => {
  const attributes = new Map<string, string>();
  let end = from;
  for (;;) {
    attribute.lastIndex = end;
    const found = attribute.exec(html);
    // A quotation that is never closed, or the page's end.
    if (found === null) return { attributes, end: Math.max(end + 1, endOf(html, ">", end)) };
    end = attribute.lastIndex;
    const [, name, double, single, bare] = found;
    if (name === undefined) return { attributes, end };
    const key = name.toLowerCase();
    if (!attributes.has(key) && attributes.size < attributesMost)
      attributes.set(key, decode(double ?? single ?? bare ?? ""));
  }
};

const named: Readonly<Record<string, string>> = { amp: "&", quot: '"', apos: "'", lt: "<", gt: ">" };

/** The characters that addresses and keys are written with in attributes. */
const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|quot|apos|lt|gt));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
