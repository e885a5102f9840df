/** How language tags are kept, for the service and for the pages that write some, free of zod. */

const tagShape = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/;
export const mostTagLength = 35;

/**
 * A language tag (RFC 5646: language, script, region, variants) in the one spelling that is kept: `pt-BR`, `zh-Hant`.
 * Null for what is none, extensions and private ones included.
 */
export function spelledTag(text: string): string | null {
  if (text.length > mostTagLength || !tagShape.test(text)) return null;
  const [language = "", ...rest] = text.toLowerCase().split(/[-_]/);
  const spelled = rest.map((part) => {
    if (part.length === 2) return part.toUpperCase();
    return /^[a-z]{4}$/.test(part) ? part.charAt(0).toUpperCase() + part.slice(1) : part;
  });
  return [language, ...spelled].join("-");
}
