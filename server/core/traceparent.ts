/** Of every version of the header: version, trace id, parent id and flags, in lower case alone. */
const beginning = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?=$|-)/;
const beginningLength = 55;

/**
 * The trace id, 32 hexadecimal digits, of a `traceparent` header; null when there is none or it is not valid by W3C Trace
 * Context (section 3.2): whoever cannot read a part of it must not use the rest. A higher version than 00 may have more
 * behind a dash; version ff, and ids of zeros alone, are none. Of several headers, which Node joins, nobody can say which
 * one is meant.
 */
export function traceIdOf(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== "string") return null;
  const [, version, traceId = "", parentId = ""] = beginning.exec(header) ?? [];
  if (version === undefined || version === "ff") return null;
  if (version === "00" && header.length !== beginningLength) return null;
  return isZero(traceId) || isZero(parentId) ? null : traceId;
}

const isZero = (id: string): boolean => /^0*$/.test(id);
