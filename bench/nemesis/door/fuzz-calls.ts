import type { DashOperation } from "@offers/contract/dash/endpoints";
import { createOddCalls, type Kind, type Known } from "../../../server/testing/odd-calls.ts";
import type { Dice } from "../../../server/testing/odd-dice.ts";
import { visitorAt } from "../../visitor.ts";
import { type ApiDocument, type Parts, type Pools, validCall } from "./document-calls.ts";
import { bytesOf, mutate, mutateBytes } from "./mutate.ts";
import { ownPage } from "./people.ts";
import type { Shop } from "./shops.ts";
import { callOf, dashOperations, type Team } from "./team.ts";

/** One request that is about to be sent. */
export type Sent = { bytes: Buffer; isHead: boolean; documented: readonly string[] | null };

/** Whom and what is called about. */
export type World = {
  dice: Dice;
  random: () => number;
  known: Known;
  shops: readonly [Shop, Shop];
  team: Team;
  url: string;
  document: ApiDocument;
};

/** Everything that is asked, in its share: what the document has, odd calls, the dashboard, other paths, and bytes. */
export function prepareCalls(world: World): () => Sent {
  const { dice } = world;
  const odd = prepareOddCalls(world);
  const whole = (): Sent => {
    const share = dice.below(100);
    if (share < 50) return documentCall(world);
    if (share < 80) return odd();
    return partsSent(share < 94 ? dashCall(world) : otherCall(world));
  };
  return () => {
    const sent = whole();
    if (!dice.chance(0.15)) return sent;
    const bytes = mutateBytes(sent.bytes, dice);
    return { bytes, isHead: /^\s*HEAD\b/.test(bytes.toString("latin1", 0, 3000)), documented: null };
  };
}

const documentCall = ({ dice, document, known, shops }: World): Sent => {
  const [shop] = shops;
  const path = dice.oneOf(Object.keys(document.paths));
  const method = dice.oneOf(Object.keys(document.paths[path] ?? {})).toUpperCase();
  const operation = document.paths[path]?.[method.toLowerCase()];
  const websites = shops.map(({ website }) => website.websiteKey);
  const pools: Pools = {
    website: [shop.website.websiteKey, ...websites],
    websiteKey: [shop.website.websiteKey, ...websites],
    pub: [shop.website.publicKey],
    requestId: known.requestIds,
    offerId: known.offerIds,
    offer: known.offerIds,
    sessionId: known.sessionIds,
    t: known.tokens,
    secret: [shop.secret],
    "X-Integration-Secret": [shop.secret],
    Origin: [shop.website.origin, shop.website.origin, "https://x.wild-a.example"],
    from: [dayOf(-3)],
    to: [dayOf(0)],
    ts: [new Date().toISOString()],
    ip: ["203.0.113.7", "198.18.1.1", "2001:db8::1"],
    eventId: ["evt_AAAAAAAAAAAAAAAAAAAAAAAA"],
  };
  const parts = validCall(document, { method, path }, { dice, pools });
  const isKeyed = !parts.headers.some(([name]) => name === "Origin");
  const headers: [string, string][] = [
    ...parts.headers,
    ["X-Forwarded-For", `198.18.${dice.below(256)}.${dice.below(256)}`],
    ["User-Agent", dice.oneOf([visitorAt(1, shop.website).headers["user-agent"] ?? "", "curl/8.5.0"])],
    ...(isKeyed && dice.chance(0.7)
      ? [
          ["Authorization", path.endsWith("trigger") ? `Bearer ${shop.secret}` : shop.key.authorization] as [
            string,
            string,
          ],
        ]
      : []),
  ];
  let made: Parts = { ...parts, headers };
  for (let times = dice.oneOf([0, 1, 1, 1, 2, 3]); times > 0; times -= 1) made = mutate(made, dice);
  const isAsDocumented = made.method === method && made.path === parts.path && operation !== undefined;
  return { ...partsSent(made), documented: isAsDocumented ? Object.keys(operation.responses) : null };
};

const dayOf = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const partsSent = (parts: Parts): Sent => ({
  bytes: bytesOf(parts),
  isHead: parts.method === "HEAD",
  documented: null,
});

/** Those that would end the session that asks, or fetch a page of the internet. */
const notAsked: readonly DashOperation[] = [
  "DELETE /dash/api/me/sessions",
  "DELETE /dash/api/me/sessions/:session",
  "POST /dash/api/me/password",
  "POST /dash/api/publishers/:publisher/websites/:website/health/check-page",
];
const askedOperations = dashOperations.filter((operation) => !notAsked.includes(operation));

const dashCall = ({ dice, team, url }: World): Parts => {
  const { method, path, body } = callOf(dice.oneOf(askedOperations), team.things);
  const [bare = "", query = ""] = path.split("?");
  const parts: Parts = {
    method,
    path: bare,
    query: query === "" ? [] : query.split("&").map((pair) => pair.split("=", 2) as [string, string]),
    headers: [
      ["Cookie", team.owner.cookie],
      ...Object.entries(ownPage(url)),
      ...(body === undefined ? [] : [["Content-Type", "application/json"] as [string, string]]),
    ],
    body: body === undefined ? null : { json: body },
  };
  // What is as it should be would make and take away things without end.
  return method === "GET" && dice.chance(0.3) ? parts : mutate(mutate(parts, dice), dice);
};

const otherPaths: readonly string[] = [
  ...[
    "/",
    "/v1",
    "/v1/",
    "/docs",
    "/docs/errors",
    "/docs/guide",
    "/embed.js",
    "/c/x.js",
    "/dash",
    "/dash/",
    "/dash/x",
  ],
  ...[
    "/dash/sign-in",
    "/dash/sign-out",
    "/dash/link/x",
    "/dash/api",
    "/dash/api/x",
    "/dash/a/x.js",
    "/connect/x",
  ],
  ...[
    "/v1/oauth/authorize",
    "/v1/oauth/token",
    "/v1/oauth/revoke",
    "/.well-known/oauth-authorization-server",
  ],
  ...[
    "/.well-known/x",
    "/metrics",
    "/healthz",
    "/readyz",
    "/favicon.ico",
    "/robots.txt",
    "/.env",
    "/..%2f..%2fetc/passwd",
  ],
];

const otherCall = ({ dice, team, url }: World): Parts => {
  const form =
    "grant_type=authorization_code&client_id=x&code=x&redirect_uri=x&code_verifier=x&email=x&password=x&token=x";
  const method = dice.oneOf(["GET", "GET", "POST"]);
  const path = dice.oneOf(otherPaths);
  const parts: Parts = {
    method,
    path,
    query: dice.chance(0.5) ? (form.split("&").map((pair) => pair.split("=")) as [string, string][]) : [],
    headers: [
      ...Object.entries(ownPage(url)),
      ["Content-Type", "application/x-www-form-urlencoded"],
      // Signing out would end the session that asks.
      ...(dice.chance(0.3) && path !== "/dash/sign-out"
        ? [["Cookie", team.owner.cookie] as [string, string]]
        : []),
    ],
    body: method === "POST" ? { text: form } : null,
  };
  return dice.chance(0.3) ? parts : mutate(parts, dice);
};

const prepareOddCalls = ({ dice, random, known, shops }: World): (() => Sent) => {
  const [a, b] = shops;
  const make = createOddCalls(
    random,
    known,
    {
      keys: [a.key, b.key].map(({ authorization }) => authorization.slice("Bearer ".length)),
      secret: a.secret,
    },
    {
      websites: [a.website.websiteKey, b.website.websiteKey],
      publicKeys: [a.website.publicKey, b.website.publicKey],
      offers: b.offers.map(({ offerId }) => offerId),
    },
  );
  return () => {
    const { method, text } = make(dice.oneOf<Kind>(["reading", "sending", "alone"]));
    return { bytes: text, isHead: method === "HEAD", documented: null };
  };
};
