import type { Dice } from "../../../server/testing/odd-dice.ts";
import type { Parts } from "./document-calls.ts";

/** What stands in a query or a header in place of what belongs there, as it goes over the wire. */
const oddTexts: readonly string[] = [
  ...[
    "",
    "%20",
    "%00",
    "%",
    "%zz",
    "%ED%A0%80",
    "%E0%A4%A",
    "+",
    "null",
    "undefined",
    "NaN",
    "true",
    "[]",
    "{}",
  ],
  ...["0", "-1", "1e309", "99999999999999999999", "0x10", "1.5", "00", "-0", "Infinity"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "%5B%5D", "a%0d%0aX-Injected:%201"],
  ...["'%20or%201=1--", "..%2f..%2fetc%2fpasswd", "%3Cscript%3E", "%F0%9F%92%A9", "%C2%85", "%E2%80%AE"],
  "x".repeat(700),
  "%41".repeat(600),
];

const oddValues: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -0,
    Number.MAX_SAFE_INTEGER + 1,
    "",
    " ",
    "\u0000",
    "\ud800",
    "\u202e",
  ],
  ...[
    "__proto__",
    "constructor",
    "1",
    "null",
    "2026-02-30T25:61:61Z",
    "9999-12-31T23:59:59.999Z",
    "💩".repeat(100),
  ],
  ...[[], [[]], [null], {}, { a: {} }, { toString: 1 }, { length: 1e9 }, Array(300).fill(0)],
  "x".repeat(5000),
  JSON.parse('{"__proto__":{"admin":true}}'),
];

/** Bodies that are no JSON object, or too much of one. */
const oddBodies: readonly string[] = [
  ...[
    "",
    "{",
    "null",
    "[]",
    '"x"',
    "\ufeff{}",
    "{}{}",
    "NaN",
    "{'a':1}",
    '{"a":1e999}',
    '{"a":1,"a":2}',
    "\u0000",
  ],
  `{"a":${"[".repeat(8000)}${"]".repeat(8000)}}`,
  `{"a":"${"x".repeat(16_376)}"}`,
  `{${Array.from({ length: 900 }, (_, at) => `"${at}":0`).join(",")}}`,
  " ".repeat(20_000),
];

const oddHeaders: readonly [string, string][] = [
  ["Content-Type", "text/html"],
  ["Content-Type", "application/json; charset=utf-16"],
  ["Content-Type", ""],
  ["Content-Encoding", "gzip"],
  ["Content-Encoding", "x-own"],
  ["Accept", "text/html;q=nan, ;;,"],
  ["Accept-Encoding", "br;q=,gzip;q=9"],
  ["Authorization", "Bearer"],
  ["Authorization", "Basic Og=="],
  ["Authorization", `Bearer ${"a".repeat(5000)}`],
  ["Cookie", "offers=; offers=x; =; ;;"],
  ["Cookie", `offers=${"A".repeat(43)}`],
  ["Expect", "200-ok"],
  ["Range", "bytes=0-,-1"],
  ["If-None-Match", '"x", W/"y", *'],
  ["If-Modified-Since", "Thu, 99 Xxx 9999 99:99:99 GMT"],
  ["If-Match", '"18446744073709551616"'],
  ["Idempotency-Key", "\x80\xff"],
  ["Sec-GPC", "1, 1"],
  ["Sec-Fetch-Site", "cross-site"],
  ["Sec-Fetch-Dest", "image"],
  ["Sec-Purpose", "prefetch;prerender"],
  ["Upgrade", "websocket"],
  ["X-Forwarded-For", "::ffff:999.1.1.1, ,[::1]:x"],
  ["X-HTTP-Method-Override", "DELETE"],
  ["Access-Control-Request-Method", "\t"],
  ["traceparent", "00-00000000000000000000000000000000-0000000000000000-00"],
  ["User-Agent", "\xe9\xff".repeat(200)],
  ["Origin", "https://[::1"],
  ["Referer", "http://%"],
];

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY"];

/** Changes one thing of a request that was as it should be. */
export function mutate(parts: Parts, dice: Dice): Parts {
  const { query, headers, body } = parts;
  const at = dice.below(query.length);
  const [name = "x", value = ""] = query[at] ?? [];
  const withQuery = (...pairs: [string, string][]): Parts => ({
    ...parts,
    query: [...query.slice(0, at), ...pairs, ...query.slice(at + 1)],
  });
  const changes: (() => Parts)[] = [
    ...(query.length === 0
      ? []
      : [
          () => withQuery(),
          () => withQuery([name, value], [name, value]),
          () => withQuery([name, dice.oneOf(oddTexts)]),
          () => withQuery([name, dice.oneOf(oddTexts)]),
          () => withQuery([name, value + dice.oneOf(oddTexts)]),
          () => withQuery([`${name}[]`, value]),
          () => withQuery([name.toUpperCase(), value]),
        ]),
    () => ({
      ...parts,
      query: [...query, [dice.oneOf(["__proto__", "", "a[b]", "%", "x"]), dice.oneOf(oddTexts)]],
    }),
    () => ({ ...parts, headers: [...headers, dice.oneOf(oddHeaders)] }),
    () => ({ ...parts, headers: [...headers, dice.oneOf(oddHeaders)] }),
    () => ({ ...parts, headers: headers.toSpliced(dice.below(headers.length), 1) }),
    () => ({ ...parts, method: dice.oneOf(methods) }),
    () => ({ ...parts, path: mutatePath(parts.path, dice) }),
    ...(body === null
      ? [() => ({ ...parts, body: { text: dice.oneOf(oddBodies) } })]
      : [
          () => ({ ...parts, body: { text: dice.oneOf(oddBodies) } }),
          ...Array.from({ length: 5 }, () => () => ({
            ...parts,
            body: "json" in body ? { json: mutateMember(body.json, dice) } : body,
          })),
        ]),
  ];
  return dice.oneOf(changes)();
}

const mutatePath = (path: string, dice: Dice): string =>
  dice.oneOf([
    `${path}/`,
    `/${path}`,
    path.toUpperCase(),
    path.replace(/[^/]+$/, () => encodeURIComponent("\u0000")),
    path.replace(/[^/]+$/, () => dice.oneOf(oddTexts).replace(/[? #]/g, "")),
    `${path}%2f..%2f..`,
    `${path}/../../..`,
    `${path};x=1`,
    path.replaceAll("/", "\\"),
    `http://evil.example${path}`,
    `${path}#x`,
    "*",
    path.slice(0, -1),
  ]);

/** One member of a JSON value, however deep, is another value, gone, or beside one that nobody knows. */
const mutateMember = (value: unknown, dice: Dice): unknown => {
  if (Array.isArray(value) && value.length > 0 && dice.chance(0.6)) {
    const at = dice.below(value.length);
    return value.with(at, mutateMember(value[at], dice));
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && dice.chance(0.97)) {
    const names = Object.keys(value);
    const name = dice.oneOf(names);
    const members: Record<string, unknown> = { ...value };
    if (names.length === 0 || dice.chance(0.1))
      return { ...members, [dice.oneOf(["more", "constructor", ""])]: dice.oneOf(oddValues) };
    if (dice.chance(0.2)) return Object.fromEntries(Object.entries(members).filter(([one]) => one !== name));
    return { ...members, [name]: mutateMember(members[name], dice) };
  }
  return dice.oneOf(oddValues);
};

/** Bytes as they might arrive of something that is no request, made of one that is. */
export function mutateBytes(bytes: Buffer, dice: Dice): Buffer {
  const at = dice.below(bytes.length);
  const some = (): Buffer => Buffer.from(Array.from({ length: 1 + dice.below(8) }, () => dice.below(256)));
  const inserted = (what: string | Buffer): Buffer =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(what), bytes.subarray(at)]);
  return dice.oneOf<() => Buffer>([
    () => inserted(some()),
    () => inserted("\r\n"),
    () => inserted("\u0000"),
    () => inserted("\r\nTransfer-Encoding: chunked\r\n"),
    () => inserted("\r\nContent-Length: 5\r\n"),
    () => inserted(Buffer.alloc(20_000, 0x41)),
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + dice.below(20))]),
    () => Buffer.from(bytes).fill(dice.below(256), at, at + 1),
    () => Buffer.concat([bytes, bytes, some()]),
    () => Buffer.concat([Buffer.alloc(1 + dice.below(2000), 0x0a), bytes]),
    () =>
      Buffer.from(
        bytes.toString("latin1").replace("HTTP/1.1", dice.oneOf(["HTTP/2.0", "HTTP/1.0", "HTTP/9", ""])),
        "latin1",
      ),
    () =>
      Buffer.from(
        bytes
          .toString("latin1")
          .replace(
            /Content-Length: \d+/i,
            `Content-Length: ${dice.oneOf(["-1", "9".repeat(20), "1, 2", "0x1", "999"])}`,
          ),
        "latin1",
      ),
    () => Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"),
    () => Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
    () => some(),
  ])();
}

/** A request as bytes. Headers go out byte by byte, so that one above 0x7f is what it is. */
export function bytesOf({ method, path, query, headers, body }: Parts): Buffer {
  const target = query.length === 0 ? path : `${path}?${query.map((pair) => pair.join("=")).join("&")}`;
  const text =
    body === null ? null : Buffer.from("json" in body ? (JSON.stringify(body.json) ?? "") : body.text);
  const lines = headers.map(([name, value]) => `${name}: ${value.replace(/[\r\n]/g, "")}\r\n`);
  const length = text === null ? "" : `Content-Length: ${text.length}\r\n`;
  const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\n${lines.join("")}${length}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), text ?? Buffer.alloc(0)]);
}
