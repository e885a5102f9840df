import { readFileSync } from "node:fs";
import { Marked, type Token } from "marked";
import { escapeHtml } from "../http/escape-html.ts";
import { docsPage } from "./docs-page.ts";

/** A page of `docs/` as it stands in the repository, rendered. It has its headings' anchors and a list of them. */
export function articlePage(name: "guide" | "embed" | "partners"): string {
  const source = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
  const headings: { depth: number; id: string; text: string }[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const text = textOf(tokens);
        const id = anchorOf(text);
        headings.push({ depth, id, text });
        return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
      },
      // What is wider than the page scrolls within itself, and by the keyboard as well.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      link({ href, tokens }) {
        return `<a href="${escapeHtml(pageOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href, text }) =>
        `<img src="/docs/${escapeHtml(href)}" alt="${escapeHtml(text)}" width="720" height="300">`,
      html: ({ text }) => escapeHtml(text),
    },
  });
  const rendered = marked
    .parse(source, { async: false })
    .replaceAll("<table>", '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<th></th>", "<td></td>");
  const contents = headings.filter(({ depth }) => depth === 2);
  return docsPage({
    path: `/docs/${name}`,
    title: escapeHtml(headings[0]?.text ?? name),
    bodyClass: "article",
    body: `<nav class="contents" aria-label="On this page"><ul>
${contents.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join("\n")}
</ul></nav>
<main>
${rendered}</main>`,
  });
}

/** The pages that are served stand beside each other as their files do; what is not served stays what it is. */
const pageOf = (href: string): string =>
  href.replace(/^(?:\.\/)?(guide|embed|partners)\.md(?=#|$)/, "/docs/$1");

const textOf = (tokens: readonly Token[]): string =>
  tokens.map((token) => ("tokens" in token && token.tokens ? textOf(token.tokens) : plain(token))).join("");

const plain = (token: Token): string => ("text" in token ? String(token.text) : token.raw);

/** As code hosts make it, so that a link to a heading works there and here. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
