import { isIPv6 } from "node:net";

const removed = "[removed]";

/** Longer texts are cut: a line must have a size that can be counted on. */
const mostCharacters = 1000;
/** How much of a text is looked through, so that what the cut would go through is still found whole. */
const mostLookedAt = 16 * mostCharacters;
const mostFrames = 10;
const mostEntries = 20;
const mostDepth = 4;
/** A shorter one would be struck out of words that have nothing to do with it. */
const leastSecret = 4;

/**
 * Makes a detail of a line fit for the log, and is the one place that knows what may never stand there: credentials,
 * tokens, e-mail addresses, the addresses of callers, user agents, and `secrets`, which the service was started with. Of
 * an error only what is listed here is taken: drivers hang rows, parameters and whole inputs onto theirs.
 */
export function createCleaning(secrets: readonly string[]): (detail: unknown) => unknown {
  const known = secrets.filter(({ length }) => length >= leastSecret);
  const cleanText = (text: string): string => {
    let clean = text.slice(0, mostLookedAt);
    for (const secret of known) clean = clean.replaceAll(secret, removed);
    clean = clean.replace(colonText, (text) => (isIPv6(text) ? removed : text));
    for (const [pattern, by] of patterns) clean = clean.replace(pattern, by);
    return clean.length > mostCharacters ? `${clean.slice(0, mostCharacters)}…` : clean;
  };
  const clean = (detail: unknown, depth: number): unknown => {
    if (typeof detail === "string") return cleanText(detail);
    if (detail === null || typeof detail !== "object") {
      return typeof detail === "bigint" ? String(detail) : detail;
    }
    if (depth >= mostDepth) return "…";
    const within = (inner: unknown): unknown => clean(inner, depth + 1);
    if (detail instanceof Error) return cleanError(detail, within);
    if (Array.isArray(detail)) return detail.slice(0, mostEntries).map(within);
    const members = Object.entries(detail).slice(0, mostEntries);
    return Object.fromEntries(members.map(([name, value]) => [cleanText(name), within(value)]));
  };
  return (detail) => clean(detail, 0);
}

/**
 * E-mail addresses, several in a row as well. It begins where such letters begin and nowhere within them: tried at each of them, 16,000
 * dots took two seconds, and a caller may have written them.
 */
const eMail =
  /(?<![\p{L}\p{N}.!#$%&*+=?^_{|}~-])(?:[\p{L}\p{N}.!#$%&*+=?^_{|}~-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,})+/gu;

/** What each pattern finds goes, but for what says which kind of thing it was. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // The user and password of an address, such as the database's.
  [/(:\/\/)[^\s/"']*@/g, `$1${removed}@`],
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, `$1 ${removed}`],
  // The cookies of a session, whose names cookies.ts and provider.ts choose.
  [/\b((?:__Host-)?offers\w*)=[^\s;"',]+/g, `$1=${removed}`],
  // API keys, integration secrets, decline sessions, requestIds; by their beginnings, for some are short.
  [/\b(sk|its|dcl|req)_[\w-]{6,}/g, `$1_${removed}`],
  // Tokens of links, sessions, clicks and partners are long, and are nothing but such letters.
  [/[\w-]{40,}/g, removed],
  [eMail, removed],
  [/\bMozilla\/\d.*/gs, removed],
  // But for the one that the service itself could not reach, or listen at.
  [
    /(?<![\d.])(?=\d{1,3}\.)(?<!\b(?:connect|listen) E[A-Z]+(?:: [a-z ]+)? )(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)/g,
    removed,
  ],
];

/**
 * What may be an IPv6 address; times of day and the lines of a stack look alike. How it is introduced is looked at last, for that
 * may take the whole text before it.
 */
const colonText =
  /(?<![\w:.])(?=[\da-f]{0,4}:)(?<!\b(?:connect|listen) E[A-Z]+(?:: [a-z ]+)? )(?:[\da-f]{0,4}:){2,7}(?:(?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,4}|(?<=::))(?!\w|:\w)/gi;

const cleanError = (error: Error, within: (inner: unknown) => unknown): Record<string, unknown> => {
  const { name, message, stack = "", cause } = error;
  const code = "code" in error ? error.code : undefined;
  const errors = error instanceof AggregateError ? error.errors : undefined;
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: within(name),
    ...(code !== undefined && { code: within(code) }),
    message: within(message),
    ...(cause !== undefined && { cause: within(cause) }),
    ...(errors !== undefined && { errors: within(errors) }),
    stack: within(frames.slice(0, mostFrames).join("\n")),
  };
};
