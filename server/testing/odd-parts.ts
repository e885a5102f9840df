import type { Dice } from "./odd-dice.ts";

/** No bytes. */
export const none = Buffer.alloc(0);

/** A query of these parameters, some missing, repeated, blank or oddly written. */
export function queryOf(dice: Dice, parameters: Record<string, string>): string {
  const pairs = Object.entries(parameters).flatMap(([name, text]) => {
    if (dice.chance(0.94)) return [`${name}=${encodeURIComponent(text)}`];
    const value = text.replaceAll(" ", "+");
    return dice.oneOf([
      [],
      [`${name}=`],
      [name],
      [`${name}=%20`],
      [`${name}=${encodeURIComponent(value)}`, `${name}=${encodeURIComponent(value)}`],
      [`${name}=${value}%`],
      [`${name}=${value}%00`],
      [`${name}=+${value}`],
      [`${name}[]=${value}`],
      [`${name}=${value}%ED%A0%80`],
      [`${name}=${"x".repeat(700)}`],
      [`%${name}=${value}`],
      [`${name.toUpperCase()}=${value}`],
    ]);
  });
  const more = dice.chance(0.1)
    ? [dice.oneOf(["utm=1", "__proto__=x", "constructor", "=", "&", "a=b=c"])]
    : [];
  const all = dice.chance(0.1) ? dice.shuffled([...pairs, ...more]) : [...pairs, ...more];
  return all.length === 0 && dice.chance(0.5) ? "" : `?${all.join("&")}`;
}

/** A JSON object with some members missing, of another kind, or too many. */
export function bodyOf(dice: Dice, members: Record<string, unknown>): Buffer {
  if (dice.chance(0.04)) return oddBody(dice);
  const entries = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    if (dice.chance(0.95)) return [[name, value]];
    return dice.oneOf<[string, unknown][]>([
      [],
      [[name, null]],
      [[name, 7]],
      [[name, ""]],
      [[name, [value]]],
      [[name, { value }]],
      [[name, "\ud800"]],
      [[name, `${value}\u0000`]],
      [[name, "x".repeat(500)]],
    ]);
  });
  if (dice.chance(0.03)) entries.push(["__proto__", 1], ["more", { list: [1, 2, { a: [] }] }]);
  return Buffer.from(JSON.stringify(Object.fromEntries(entries)));
}

/** The header of a body, which is nearly always one that is taken. */
export function bodyType(dice: Dice): [string, string][] {
  return dice.chance(0.92)
    ? [["Content-Type", dice.oneOf(["application/json", "text/plain", "text/plain;charset=UTF-8"])]]
    : dice.oneOf<[string, string][]>([
        [],
        [["Content-Type", "text/html"]],
        [["Content-Type", "Application/JSON ; charset=utf-8"]],
        [["Content-Type", "application/json; charset=utf-16"]],
        [["Content-Type", 'text/plain; charset="utf-8"']],
        [["Content-Type", "application/problem+json"]],
        [["Content-Type", ""]],
      ]);
}

/** A page's own, mostly a registered one; now and then none, or two. */
export function origin(dice: Dice): [string, string][] {
  return dice.chance(0.9)
    ? [
        ["Origin", dice.oneOf(origins)],
        ...(dice.chance(0.02) ? ([["Origin", "x"]] as [string, string][]) : []),
      ]
    : [];
}

/** A key, written well or badly, or none. */
export function authorization(dice: Dice, keys: readonly string[]): string {
  return dice.oneOf([
    ...keys.map((key) => `Bearer ${key}`),
    ...keys.map((key) => `bearer  ${key}`),
    `Bearer ${keys[0]} ${keys[0]}`,
    "Bearer sk_unknownunkno_0000000000000000000000000000000000",
    "Basic YTpi",
    "Bearer",
    "",
  ]);
}

/** What any request may carry. */
export function commonHeaders(dice: Dice, keys: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  const maybe = (share: number, name: string, value: () => string): void => {
    if (dice.chance(share)) headers.push([name, value()]);
  };
  maybe(0.97, "X-Forwarded-For", () => dice.oneOf(addresses));
  maybe(0.02, "X-Forwarded-For", () => dice.oneOf(addresses));
  maybe(0.9, "User-Agent", () => dice.oneOf(["Mozilla/5.0 (X11)", "Mozilla/5.0 (iPhone)", "curl/8", "\xe9"]));
  maybe(0.1, "Sec-GPC", () => dice.oneOf(["1", "0", "1, 1"]));
  maybe(0.4, "Accept", () => dice.oneOf(accepts));
  maybe(0.3, "Accept-Encoding", () => dice.oneOf(["gzip, br", "gzip", "identity", "br;q=0", "*"]));
  maybe(0.1, "Sec-Fetch-Site", () => dice.oneOf(["cross-site", "same-site", "same-origin", "none"]));
  maybe(0.03, "Sec-Purpose", () => dice.oneOf(["prefetch", "prefetch;prerender", "x"]));
  maybe(0.02, "Purpose", () => "prefetch");
  maybe(0.15, "Referer", () =>
    dice.oneOf(["https://shop-a.example/a?b", "https://evil.example/", "x", "about:blank"]),
  );
  maybe(0.04, "Authorization", () => authorization(dice, keys));
  maybe(0.03, "If-None-Match", () => dice.oneOf(["*", '"x"']));
  maybe(0.03, "Access-Control-Request-Method", () => "POST");
  maybe(0.03, "Cookie", () => "a=b");
  return headers;
}

/** Now and then in another form: absolute, with a fragment, in another case, with more slashes, too long. */
export function oddTarget(dice: Dice, target: string): string {
  if (dice.chance(0.9)) return target;
  const [path = "", query] = target.split("?");
  const behind = query === undefined ? "" : `?${query}`;
  return dice.oneOf([
    `http://offers.test${target}`,
    `HTTPS://x:1${target}`,
    `${target}#fragment`,
    `${target}#?x=1`,
    `${path}/${behind}`,
    `/${path}${behind}`,
    `${path.toUpperCase()}${behind}`,
    path.replace("/v1/", "/v1//") + behind,
    path.replace("d", "%64") + behind,
    `${path}%${behind}`,
    `${path}%2F${behind}`,
    `${path}${behind}${query === undefined ? "?" : "&"}x=${"y".repeat(2100)}`,
    `${path}/../x${behind}`,
    path,
    `${path}?`,
  ]);
}

/** A header's line, whose name and whose space before the value are written in one of several ways. */
export function writeHeader(dice: Dice, [name, value]: [string, string]): string {
  const written = dice.oneOf([name, name, name.toLowerCase(), name.toUpperCase()]);
  return `${written}:${dice.oneOf([" ", " ", "", "\t "])}${value}\r\n`;
}

/** How long the body is said to be. */
export function framingOf(dice: Dice, body: Buffer): string {
  return dice.chance(0.1) ? "Transfer-Encoding: chunked\r\n" : `Content-Length: ${body.length}\r\n`;
}

/** The body in one piece, as it goes over the wire. */
export function chunked(body: Buffer): Buffer {
  return Buffer.concat([
    ...(body.length === 0 ? [] : [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n")]),
    Buffer.from("0\r\n\r\n"),
  ]);
}

const oddBody = (dice: Dice): Buffer =>
  dice.oneOf([
    none,
    Buffer.from("{"),
    Buffer.from("null"),
    Buffer.from("[]"),
    Buffer.from('"x"'),
    Buffer.from("\ufeff{}"),
    Buffer.from([0x7b, 0xff, 0x7d]),
    Buffer.from(JSON.stringify({ list: Array(100).fill(0) })),
    Buffer.from(`{"a":${"[".repeat(3000)}${"]".repeat(3000)}}`),
    Buffer.from(`{"a":"${"x".repeat(16 * 1024 - 8)}"}`),
    Buffer.from(`{"a":"${"x".repeat(16 * 1024 - 7)}"}`),
    Buffer.from(" ".repeat(20_000)),
  ]);

const addresses = [
  "203.0.113.7",
  "203.0.113.8",
  "203.0.113.9",
  "198.51.100.7",
  "192.0.2.7",
  "2001:db8:1:2::1",
  "2001:db8:1:2:ffff::2",
  "::ffff:203.0.113.7",
  "10.0.0.1, 203.0.113.7",
  "203.0.113.7, 10.0.0.1",
  "203.0.113.07",
  "unknown",
  "",
] as const;

const origins = [
  "https://shop-a.example",
  "https://shop-a.example",
  "https://shop-a.example",
  "https://shop-a.example",
  "https://shop-b.example",
  "https://dev.shop-a.example",
  "http://localhost:8788",
  "https://x.wild-a.example",
  "https://*.wild-a.example",
  "https://empty.example",
  "https://evil.example",
  "https://shop-a.example:443",
  "https://SHOP-a.example",
  "https://evil@x.wild-a.example",
  "null",
  "",
] as const;

const accepts = [
  "*/*",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "text/csv",
  "application/json;q=0.5, text/*",
  "text/html;q=0",
  "image/png",
  "nonsense",
  "",
] as const;
