/**
 * What no line of a log may hold, by its look. Written without a glance at server/log/clean.ts, which takes it out: whoever
 * searched by the same patterns would find nothing for sure.
 */
const forbidden: readonly (readonly [what: string, pattern: RegExp])[] = [
  // The service may name the database that it could not connect to, or the port that it could not have.
  [
    "an IPv4 address",
    /(?<!(?:connect|listen) E[A-Z]{1,20}(?:: address [a-z ]+)? |postgres(?:ql)?:\/\/)\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/,
  ],
  ["an IPv6 address", /\b[0-9a-f]{1,4}:[0-9a-f]{0,4}:[0-9a-f:]{2,}|(?<=[\s"[(])::(?:1|ffff)\b/i],
  ["a user agent", /Mozilla\/|AppleWebKit|curl\/\d|Googlebot/i],
  ["an API key", /\bsk_[A-Za-z0-9]/],
  ["an integration secret", /\bits_[A-Za-z0-9]/],
  ["a decline session", /\bdcl_[A-Za-z0-9]/],
  ["a credential", /\b(?:Bearer|Basic) (?!\[)\S/],
  ["a cookie", /\b(?:__Host-)?offers(?:_\w+)?=(?!\[)\w/],
  ["an e-mail address", /[\w.+-]+(?:@|%40)[\w-]+\.[a-z]{2,}/i],
  ["a token", /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{40,}(?![\w-])/],
  ["credentials of an address", /:\/\/(?!\[removed\])[^\s/"]+@/],
];

/** What the program says to the person who starts it: where it is, and by which link the first user signs in. */
const spoken = /^(?!\{).*(?:ready at http|\/dash\/link\/)/;

/**
 * Searches a log for what may never stand there, and for each of `used`, the very values of a test. Returns what was found,
 * with the line that it was found in.
 */
export function forbiddenIn(log: string, used: Iterable<string> = []): string[] {
  const values = [...new Set(used)].filter(({ length }) => length >= 6);
  return log
    .split("\n")
    .filter((line) => !spoken.test(line))
    .flatMap((line) => {
      // A time has the form of an address' groups.
      const text = line.replace(/"time":"[^"]*",/, "");
      const looks = forbidden.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
      const said = values.filter((value) => text.includes(value) || text.includes(escaped(value)));
      return [...looks, ...said.map((value) => `the value ${value}`)].map((what) => `${what} in ${line}`);
    });
}

const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);
