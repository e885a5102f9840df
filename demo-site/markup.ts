/** Text that already is safe HTML. Only {@link html} and {@link trusted} make one. */
export type Markup = { readonly html: string };

type Piece = string | number | Markup | readonly Piece[] | null | undefined | false;

/** A template in which every value is escaped, unless it is markup itself; lists are joined, empty values vanish. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  return { html: parts.reduce((text, part, index) => text + render(values[index - 1]) + part) };
}

/** Marks text of this project's own files, such as a drawing, as HTML. Never use it on text of a request. */
export function trusted(text: string): Markup {
  return { html: text };
}

/** Escapes text for element content and for attribute values in double quotes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function render(value: Piece): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  if ("html" in value) return value.html;
  return value.map(render).join("");
}
