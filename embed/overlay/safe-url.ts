/** Null for `""` as well, which would otherwise mean the base itself. */
function parsed(text: string, base?: string): URL | null {
  try {
    return text ? new URL(text, base) : null;
  } catch {
    return null;
  }
}

/** A link of an offer: only to the service itself, below `base`, whose hop knows the destination. */
export function hopUrl(text: string, base: string): string | null {
  const url = parsed(text, base);
  return url?.href.startsWith(base) ? url.href : null;
}

/** A picture: https, or what the service itself speaks (http while developing). Never `data:`. */
export function imageUrl(text: string, base: string): string | null {
  const url = parsed(text, base);
  return url && (url.protocol === "https:" || base.startsWith(url.protocol)) ? url.href : null;
}

/** A page of the publisher's support. */
export function webUrl(text: string): string | null {
  const url = parsed(text);
  return url && /^https?:/.test(url.href) ? url.href : null;
}
