import { deflateSync, gzipSync } from "node:zlib";

/** A request as it goes over the wire. */
export type OddCall = { method: string; text: Buffer };

/** What earlier answers gave, for later requests to name. */
export type Known = {
  requestIds: string[];
  tokens: string[];
  offerIds: string[];
  sessionIds: string[];
};

/** Credentials that a caller may have. */
export type Credentials = { keys: readonly string[]; secret: string };

/** Who is called for: websites, public keys and offers, those that most calls name first. */
export type Names = {
  websites: readonly [string, ...string[]];
  publicKeys: readonly [string, ...string[]];
  /** Beside those that were handed out. */
  offers: readonly string[];
};

const namesOfFixture: Names = {
  websites: ["ws_a", "ws_b", "ws_dev", "ws_wild", "ws_empty"],
  publicKeys: ["pub_a", "pub_b"],
  offers: ["offer_paused", "offer_french"],
};

/**
 * What may go together in one burst: `reading` needs no body, so its calls are answered in their order; `sending` has
 * one; `alone` is answered by another thread, whose order among others is not ours to say.
 */
export const kinds = ["reading", "sending", "alone"] as const;
export type Kind = (typeof kinds)[number];

/** Numbers from 0 to 1 that only depend on the seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Makes requests of every route, most of them odd in one way or another. */
export function createOddCalls(
  random: () => number,
  known: Known,
  credentials: Credentials,
  names = namesOfFixture,
): (kind: Kind) => OddCall {
  const dice = createDice(random);
  const texts = createTexts(dice, known, credentials, names);
  return (kind) => {
    const { method, target, headers, body } = texts[kind]();
    const given = dice.chance(0.06) ? dice.oneOf(methods) : method;
    const lines = dice.shuffled([...headers, ...commonHeaders(dice, credentials)]).map(writeHeader(dice));
    const framing = body === null ? "" : framingOf(dice, body);
    const head = `${given} ${oddTarget(dice, target)} HTTP/1.1\r\nHost: x\r\n${lines.join("")}${framing}\r\n`;
    const isChunked = framing.toLowerCase().startsWith("transfer");
    return {
      method: given,
      text: Buffer.concat([
        Buffer.from(head, "latin1"),
        body === null ? none : isChunked ? chunked(body) : body,
      ]),
    };
  };
}

type Dice = ReturnType<typeof createDice>;
type Parts = { method: string; target: string; headers: [string, string][]; body: Buffer | null };

const none = Buffer.alloc(0);
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

const createDice = (random: () => number) => {
  const below = (most: number): number => Math.floor(random() * most);
  const oneOf = <T>(list: readonly [T, ...T[]] | readonly T[]): T => list[below(list.length)] as T;
  return {
    below,
    oneOf,
    chance: (share: number): boolean => random() < share,
    shuffled: <T>(list: readonly T[]): T[] =>
      list
        .map((item) => ({ item, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  };
};

const writeHeader =
  (dice: Dice) =>
  ([name, value]: [string, string]): string => {
    const written = dice.oneOf([name, name, name.toLowerCase(), name.toUpperCase()]);
    return `${written}:${dice.oneOf([" ", " ", "", "\t "])}${value}\r\n`;
  };

const framingOf = (dice: Dice, body: Buffer): string =>
  dice.chance(0.1) ? "Transfer-Encoding: chunked\r\n" : `Content-Length: ${body.length}\r\n`;

const chunked = (body: Buffer): Buffer =>
  Buffer.concat([
    ...(body.length === 0 ? [] : [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n")]),
    Buffer.from("0\r\n\r\n"),
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

/** What any request may carry. */
const commonHeaders = (dice: Dice, { keys }: Credentials): [string, string][] => {
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
};

const authorization = (dice: Dice, keys: readonly string[]): string =>
  dice.oneOf([
    ...keys.map((key) => `Bearer ${key}`),
    ...keys.map((key) => `bearer  ${key}`),
    `Bearer ${keys[0]} ${keys[0]}`,
    "Bearer sk_unknownunkno_0000000000000000000000000000000000",
    "Basic YTpi",
    "Bearer",
    "",
  ]);

const origin = (dice: Dice): [string, string][] =>
  dice.chance(0.9)
    ? [
        ["Origin", dice.oneOf(origins)],
        ...(dice.chance(0.02) ? ([["Origin", "x"]] as [string, string][]) : []),
      ]
    : [];

/** Now and then in another form: absolute, with a fragment, in another case, with more slashes, too long. */
const oddTarget = (dice: Dice, target: string): string => {
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
};

/** A query of these parameters, some missing, repeated, blank or oddly written. */
const queryOf = (dice: Dice, parameters: Record<string, string>): string => {
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
};

/** A JSON object with some members missing, of another kind, or too many. */
const bodyOf = (dice: Dice, members: Record<string, unknown>): Buffer => {
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
};

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

const bodyType = (dice: Dice): [string, string][] =>
  dice.chance(0.92)
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

const createTexts = (
  dice: Dice,
  known: Known,
  { keys, secret }: Credentials,
  names: Names,
): Record<Kind, () => Parts> => {
  const [usual, ...otherWebsites] = names.websites;
  const [usualKey, ...otherKeys] = names.publicKeys;
  const website = (): string => dice.oneOf([usual, usual, usual, usual, ...otherWebsites, "ws_none", "x"]);
  const pub = (): string => dice.oneOf([usualKey, usualKey, usualKey, ...otherKeys, "pub_none"]);
  const country = (): string => dice.oneOf(["DE", "DE", "de", "US", "FR", "ZZ", "XQ", "UK", "D"]);
  const requestId = (): string =>
    known.requestIds.length > 0 && dice.chance(0.92)
      ? dice.oneOf(known.requestIds)
      : dice.oneOf(["req_x", "x", `req_${"A".repeat(90)}`]);
  const offerId = (): string =>
    dice.chance(0.9) ? dice.oneOf(known.offerIds) : dice.oneOf([...names.offers, "offer_none", "x"]);
  const places = (): Record<string, string> => ({
    ...(dice.chance(0.3) && { country: country() }),
    ...(dice.chance(0.15) && { region: dice.oneOf(["NJ", "US-NJ", "by", "XXX", "1234"]) }),
    ...(dice.chance(0.2) && { "dev-country": country() }),
    ...(dice.chance(0.1) && { "dev-region": dice.oneOf(["NJ", "x"]) }),
  });
  const keyed = (): [string, string][] => [
    ["Authorization", dice.chance(0.9) ? `Bearer ${dice.oneOf(keys)}` : authorization(dice, keys)],
    ...(dice.chance(0.03) ? origin(dice) : []),
  ];
  const get = (path: string, query: Record<string, string>, headers: [string, string][]): Parts => ({
    method: "GET",
    target: path + queryOf(dice, query),
    headers,
    body: null,
  });
  const post = (path: string, members: Record<string, unknown>, headers: [string, string][]): Parts => ({
    method: "POST",
    target: path,
    headers: [...bodyType(dice), ...headers],
    body: bodyOf(dice, members),
  });
  const seen = (): Record<string, unknown> => ({
    requestId: requestId(),
    offerId: offerId(),
    ...(dice.chance(0.6) && { placement: dice.oneOf(["premium", "standard", "section", "x"]) }),
    ...(dice.chance(0.6) && { position: dice.oneOf([1, 2, 3, 0, 1.5]) }),
    ...(dice.chance(0.2) && { website: website() }),
    ...(dice.chance(0.2) && { pub: pub() }),
    ...(dice.chance(0.2) && { surface: dice.oneOf(["overlay", "section", "x"]) }),
  });
  const decision = (): Parts =>
    get(
      "/v1/decision",
      {
        pub: pub(),
        website: website(),
        ...(dice.chance(0.2) && { mode: "section" }),
        ...(dice.chance(0.2) && { frequency: dice.oneOf(["page", "closed", "day", "x"]) }),
        ...places(),
      },
      origin(dice),
    );
  const offers = (): Parts =>
    get(
      "/v1/offers",
      {
        website: website(),
        requestId: requestId(),
        country: country(),
        ...(dice.chance(0.3) && { limit: dice.oneOf(["1", "6", "20", "0", "21", "x"]) }),
      },
      origin(dice),
    );
  const hop = (): Parts =>
    get(
      "/v1/r",
      { t: known.tokens.length > 0 && dice.chance(0.9) ? dice.oneOf(known.tokens) : "forged" },
      dice.chance(0.1) ? origin(dice) : [],
    );
  const named = (): Record<string, string> => ({
    ...(dice.chance(0.9) && { website: website() }),
    ...(dice.chance(0.8) && { ip: dice.oneOf(["203.0.113.7", "198.51.100.7", "2001:db8::1", "x"]) }),
    ...(dice.chance(0.6) && { userAgent: "Mozilla/5.0 (X11)" }),
  });
  const event = (): Parts =>
    post(`/v1/events/${dice.oneOf(["impression", "click", "dismiss"])}`, seen(), origin(dice));
  const reading: (() => Parts)[] = [
    decision,
    decision,
    offers,
    offers,
    offers,
    hop,
    hop,
    hop,
    () => get("/v1/decision", named(), keyed()),
    () => get("/v1/offers", { ...named(), ...(dice.chance(0.3) && { country: country() }) }, keyed()),
    () => ({
      ...get("/v1/widget-decline/session", { pub: pub(), website: website(), ...places() }, origin(dice)),
      method: "POST",
    }),
    () => get("/v1/whats-my-ip", {}, origin(dice)),
    () =>
      get(
        dice.oneOf(["/healthz", "/readyz", "/v1/nothing", "/", "/v1", "/docs", "/c/x.js"]),
        {},
        origin(dice),
      ),
  ];
  const sending: (() => Parts)[] = [
    event,
    event,
    event,
    () =>
      post(
        "/v1/events/snippet-ping",
        { websiteKey: website(), pub: pub(), url: dice.oneOf(["https://shop-a.example/x", "x?"]) },
        origin(dice),
      ),
    () =>
      post(
        "/v1/events",
        {
          type: dice.oneOf(["served", "impression", "click", "x"]),
          websiteKey: website(),
          offerId: offerId(),
          ...(dice.chance(0.5) && { requestId: requestId() }),
          ...(dice.chance(0.3) && { country: country() }),
          ...(dice.chance(0.2) && { ts: dice.oneOf(["2026-11-20T12:00:00Z", "2020-01-01T00:00:00Z", "x"]) }),
        },
        [
          ...keyed(),
          ...(dice.chance(0.4)
            ? ([["Idempotency-Key", dice.oneOf(["a", "b", "c", "d", "e", ""])]] as [string, string][])
            : []),
        ],
      ),
    () =>
      post(
        "/v1/widget-decline/trigger",
        {
          sessionId: known.sessionIds.length > 0 ? dice.oneOf(known.sessionIds) : "dcl_x",
          ...(dice.chance(0.3) && { reason: dice.oneOf(["self_excluded", "other"]) }),
          ...(dice.chance(0.2) && { secret }),
        },
        dice.oneOf<[string, string][]>([
          [["Authorization", `Bearer ${secret}`]],
          [["Authorization", `Bearer ${secret}`]],
          [["X-Integration-Secret", secret]],
          [["X-Integration-Secret", "its_x"]],
          [],
        ]),
      ),
  ];
  const alone: (() => Parts)[] = [
    () => {
      const packed = dice.oneOf([gzipSync, deflateSync]);
      const parts = event();
      const body = dice.chance(0.1) ? gzipSync(Buffer.alloc(1 << 20)) : packed(parts.body ?? none);
      const broken = dice.chance(0.1) ? body.subarray(0, -5) : body;
      const encoding = dice.oneOf(["gzip", "deflate", "GZIP", "x-own", ""]);
      return { ...parts, headers: [...parts.headers, ["Content-Encoding", encoding]], body: broken };
    },
    () =>
      get(
        `/v1/widget-decline/session/${known.sessionIds.length > 0 ? dice.oneOf(known.sessionIds) : "dcl_x"}`,
        { pub: pub(), website: website() },
        origin(dice),
      ),
    () =>
      get(
        "/v1/reports/aggregate",
        {
          ...(dice.chance(0.3) && { websiteKey: website() }),
          ...(dice.chance(0.2) && { country: country() }),
          ...(dice.chance(0.2) && { format: dice.oneOf(["csv", "json", "x"]) }),
          ...(dice.chance(0.2) && { groupBy: dice.oneOf(["date", "date,country", "x"]) }),
        },
        keyed(),
      ),
    () => get(dice.oneOf(["/v1/openapi.json", "/docs/swagger-ui.css", "/embed.js"]), {}, origin(dice)),
  ];
  return {
    reading: () => dice.oneOf(reading)(),
    sending: () => dice.oneOf(sending)(),
    alone: () => dice.oneOf(alone)(),
  };
};
