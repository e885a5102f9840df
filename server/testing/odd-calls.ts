import { deflateSync, gzipSync } from "node:zlib";
import { createDice, type Dice } from "./odd-dice.ts";
import {
  authorization,
  bodyOf,
  bodyType,
  chunked,
  commonHeaders,
  framingOf,
  none,
  oddTarget,
  origin,
  queryOf,
  writeHeader,
} from "./odd-parts.ts";

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
    const all = dice.shuffled([...headers, ...commonHeaders(dice, credentials.keys)]);
    const lines = all.map((header) => writeHeader(dice, header));
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

type Parts = { method: string; target: string; headers: [string, string][]; body: Buffer | null };

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

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
        dice.oneOf([
          ...["/healthz", "/readyz", "/.well-known/gpc.json", "/v1/nothing"],
          ...["/", "/v1", "/docs", "/c/x.js"],
        ]),
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
        "/v1/events/drawn",
        { requestId: requestId(), offerIds: dice.oneOf([[offerId()], [offerId(), offerId()], [], "x"]) },
        origin(dice),
      ),
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
        dice.oneOf(["/v1/reports/aggregate", "/v1/reports/aggregate.csv"]),
        {
          ...(dice.chance(0.3) && { websiteKey: website() }),
          ...(dice.chance(0.2) && { country: country() }),
          ...(dice.chance(0.2) && { format: dice.oneOf(["csv", "json", "x"]) }),
          ...(dice.chance(0.2) && { groupBy: dice.oneOf(["date", "date,country", "x"]) }),
        },
        keyed(),
      ),
    // Of what was stored it would tell as much as the disk has at that moment, which two services need not have alike.
    () =>
      get(
        "/v1/explain",
        dice.oneOf<Record<string, string>>([
          {},
          { requestId: "req_x" },
          { clickId: "A".repeat(22) },
          { eventId: "x" },
        ]),
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
