import type { DashOperation } from "@offers/contract/dash/endpoints";
import { endpoints } from "@offers/contract/endpoints";
import { atLeast, type Check, equal } from "../../checks.ts";
import { type Answer, type AnyMethodClient, openHttpClient } from "../../http-client.ts";
import { offersPath, visitorAt } from "../../visitor.ts";
import { type DoorOptions, openDoor } from "./door.ts";
import { changedTables, dumpTables } from "./dump.ts";
import { openSession, openShop, type Shop } from "./shops.ts";
import { callOf, dashOperations, makeTeam, type Team, type Things } from "./team.ts";

type Kind = "own" | "others" | "unknown" | "malformed";

/** One route that takes an id, asked about each kind of it. */
type Asked = {
  name: string;
  call: (kind: Kind) => Promise<Answer> /** Whether nobody may have it: no own. */;
  isClosed?: true;
};

/** Names things of another tenant at every route that takes an id: the answer is that to an id that nobody has. */
export async function otherTenants({ engine }: Pick<DoorOptions, "engine">): Promise<Check[]> {
  const door = await openDoor({ engine });
  const { service } = door;
  const client = openHttpClient(service.url, 4, { keepAlive: false });
  try {
    const shops = { a: await openShop(service, "a"), b: await openShop(service, "b") };
    const teams = {
      a: await makeTeam(service, client, shops.a),
      b: await makeTeam(service, client, shops.b),
    };
    const routes = [...(await routesOfV1(client, shops, teams)), ...routesOfDash(teams)];
    const before = await dumpTables(service);
    const told: string[] = [];
    const let_in: string[] = [];
    const leaked: string[] = [];
    const names = [shops.b.website.origin, shops.b.publisherId, "Shop b", "owner@shop-b"];
    for (const { name, call } of routes) {
      const [others, unknown, malformed] = [
        await call("others"),
        await call("unknown"),
        await call("malformed"),
      ];
      if (![400, 403, 404].includes(others.status)) let_in.push(`${name}: ${others.status}`);
      if (![400, 403, 404].includes(malformed.status)) let_in.push(`${name}, malformed: ${malformed.status}`);
      if (tellable(others) !== tellable(unknown)) {
        told.push(`${name}: ${tellable(others)} and ${tellable(unknown)}`.slice(0, 400));
      }
      if ([others, unknown].some(({ body }) => names.some((one) => body.includes(one)))) leaked.push(name);
    }
    const changed = changedTables(before, await dumpTables(service));
    const refused: string[] = [];
    const owned = routes.filter(({ isClosed }) => !isClosed);
    for (const { name, call } of owned) {
      const { status, body } = await call("own");
      if (status >= 300) refused.push(`${name}: ${status} ${body.slice(0, 200)}`);
    }
    return [
      atLeast("routes with an id of somebody's", routes.length, 60),
      equal("routes that are for somebody and not tried", untried(routes).join("; "), ""),
      equal("routes that let another tenant in", let_in.slice(0, 3).join("; "), ""),
      equal("routes that tell another tenant's from unknown", told.slice(0, 3).join("; "), ""),
      equal("answers that name what is another tenant's", leaked.slice(0, 3).join("; "), ""),
      equal("tables that all of that changed", changed.join(", "), ""),
      atLeast("routes that answer about one's own", owned.length - refused.length, 40),
      equal("routes that refuse one's own", refused.slice(0, 3).join("; "), ""),
    ];
  } finally {
    client.close();
    await door.stop();
  }
}

/** Each route of pages and servers takes an id; of a path that both call, the name says whose call it is. */
const untried = (routes: readonly Asked[]): string[] => {
  const rows = endpoints.filter(({ group }) => group !== "open");
  return rows.flatMap(({ method, path, group }) => {
    const isShared = rows.some((other) => other.path === path && other.group !== group);
    const name = `${method} ${path}${isShared ? (group === "embed" ? ", page" : ", key") : ""}`;
    return routes.some((route) => `${route.name},`.startsWith(`${name},`)) ? [] : [name];
  });
};

/** All that could tell two answers apart, but for the clock, the request's id and what is left of a limit. */
const tellable = ({ status, headers, body }: Answer): string => {
  const { date: _, ratelimit: __, "request-id": ___, ...others } = headers;
  return JSON.stringify([status, others, body.replace(/,"instance":"[\w-]+"/, "")]);
};

const unknown: Things = {
  publisher: "publisher_nobodys",
  website: "ws_nobodysnobodys",
  secret: "its_nobodys",
  key: "nobodysnobod",
  user: "999999",
  invitation: "999999",
  grant: "grant_nobodys",
  session: "999999",
  advertiser: "advertiser_nobodys",
  offer: "offer_nobodys",
  client: "client_nobodys",
  request: `req_${"A".repeat(80)}`,
};

const malformed = Object.fromEntries(Object.keys(unknown).map((name) => [name, "no such/thing?"])) as Things;

const routesOfV1 = async (
  client: AnyMethodClient,
  { a, b }: Record<"a" | "b", Shop>,
  teams: Record<"a" | "b", Team>,
): Promise<Asked[]> => {
  const visitor = visitorAt(60, a.website);
  const things: Record<Kind, Things> = { own: teams.a.things, others: teams.b.things, unknown, malformed };
  const sessions: Record<Kind, string> = {
    own: await openSession(client, a.website, visitor.headers),
    others: await openSession(client, b.website, visitorAt(60, b.website).headers),
    unknown: "dcl_nobodysnobodysnobodys0",
    malformed: "no such",
  };
  const ask = (path: string, headers: Record<string, string>) => (kind: Kind) =>
    client.get(
      path
        .replace("{website}", encodeURIComponent(things[kind].website))
        .replace("{request}", encodeURIComponent(things[kind].request))
        .replace("{session}", encodeURIComponent(sessions[kind])),
      headers,
    );
  const post =
    (path: string, headers: Record<string, string>, body: (kind: Kind) => object) => (kind: Kind) =>
      client.post(path, JSON.stringify(body(kind)), { ...headers, "content-type": "application/json" });
  const offerId = a.offers[0]?.offerId;
  const site = `pub=${a.website.publicKey}`;
  const secret = { authorization: `Bearer ${a.secret}` };
  const own = { requestId: things.own.request, country: "ZZ" };
  const reported = (kind: Kind, more: object) => ({
    type: "served",
    offerId,
    websiteKey: things.own.website,
    ...more,
    ...(kind === "own" && { type: "impression" }),
  });
  return [
    { name: "GET /v1/decision, key, website", call: ask("/v1/decision?website={website}", a.key) },
    { name: "GET /v1/offers, key, website", call: ask("/v1/offers?website={website}", a.key) },
    { name: "GET /v1/reports/aggregate", call: ask("/v1/reports/aggregate?websiteKey={website}", a.key) },
    {
      name: "GET /v1/reports/aggregate.csv",
      call: ask("/v1/reports/aggregate.csv?websiteKey={website}", a.key),
    },
    { name: "GET /v1/explain", call: ask("/v1/explain?requestId={request}", a.key) },
    {
      name: "POST /v1/events, websiteKey",
      call: post("/v1/events", a.key, (kind) => reported(kind, { websiteKey: things[kind].website })),
    },
    {
      name: "POST /v1/events, requestId",
      call: post("/v1/events", a.key, (kind) => reported(kind, { requestId: things[kind].request })),
    },
    { name: "GET /v1/decision, page", call: ask(`/v1/decision?${site}&website={website}`, visitor.headers) },
    {
      name: "GET /v1/offers, page, website",
      call: ask(
        offersPath(a.website, own).replace(`website=${a.website.websiteKey}`, "website={website}"),
        visitor.headers,
      ),
    },
    {
      name: "GET /v1/offers, page, requestId",
      call: ask(`/v1/offers?website=${a.website.websiteKey}&country=ZZ&requestId={request}`, visitor.headers),
    },
    ...(["impression", "click", "dismiss"] as const).map((type) => ({
      name: `POST /v1/events/${type}`,
      call: post(`/v1/events/${type}`, visitor.headers, (kind) => ({
        requestId: things[kind].request,
        ...(type !== "dismiss" && { offerId }),
      })),
    })),
    {
      name: "POST /v1/events/drawn",
      call: post("/v1/events/drawn", visitor.headers, (kind) => ({
        requestId: things[kind].request,
        offerIds: [offerId],
      })),
    },
    {
      name: "POST /v1/events/snippet-ping",
      call: post("/v1/events/snippet-ping", visitor.headers, (kind) => ({
        websiteKey: things[kind].website,
      })),
    },
    {
      name: "POST /v1/widget-decline/session",
      call: (kind) =>
        client.post(
          `/v1/widget-decline/session?${site}&website=${encodeURIComponent(things[kind].website)}`,
          "",
          visitor.headers,
        ),
    },
    {
      name: "GET /v1/widget-decline/session/:sessionId",
      call: ask(
        `/v1/widget-decline/session/{session}?${site}&website=${a.website.websiteKey}`,
        visitor.headers,
      ),
    },
    {
      name: "POST /v1/widget-decline/trigger",
      call: post("/v1/widget-decline/trigger", secret, (kind) => ({ sessionId: sessions[kind] })),
    },
  ];
};

/** As an owner of publisher A: about publisher B and what is B's, and about what is B's as if it were A's own. */
const routesOfDash = ({ a, b }: Record<"a" | "b", Team>): Asked[] => {
  const ask = (operation: DashOperation, things: Things): Promise<Answer> => {
    const { method, path, body } = callOf(operation, things, a.things);
    return a.owner.call(method, path, { body });
  };
  const all: Record<Kind, Things> = { own: a.things, others: b.things, unknown, malformed };
  const inOwn = (kind: Kind): Things => ({ ...all[kind], publisher: a.things.publisher });
  const inPublisher = (kind: Kind): Things => ({
    // What is under the name of an unknown publisher is B's as well: the publisher alone must decide.
    ...b.things,
    publisher: all[kind].publisher,
  });
  const named = dashOperations.filter((operation) =>
    /:|=publisher_a|\{request\}/.test(subjectsOf(operation)),
  );
  return named.flatMap((operation): Asked[] => {
    const isOperators = operation.includes("/operator/");
    const hasPublisher = /:publisher|=publisher_a/.test(subjectsOf(operation));
    const hasOwn = /:(?!publisher)|\{request\}/.test(subjectsOf(operation));
    return [
      ...(hasPublisher
        ? [
            {
              name: `${operation}, of B`,
              call: (kind: Kind) => ask(operation, inPublisher(kind)),
              isClosed: true as const,
            },
          ]
        : []),
      ...(hasOwn || isOperators
        ? [
            {
              name: operation,
              call: (kind: Kind) => ask(operation, inOwn(kind)),
              ...(isOperators || isNotForUse(operation) ? { isClosed: true as const } : {}),
            },
          ]
        : []),
      ...(hasPublisher && !hasOwn && !isOperators
        ? [
            {
              name: `${operation}, own`,
              call: async (kind: Kind) => ask(operation, kind === "own" ? a.things : all[kind]),
            },
          ]
        : []),
    ];
  });
};

const subjectsOf = (operation: DashOperation): string => {
  const { path } = callOf(operation, { ...unknown, publisher: "=publisher_a", request: "{request}" });
  return operation + decodeURIComponent(path);
};

/** It would end the session that asks, or fetch a page of the internet. */
const isNotForUse = (operation: DashOperation): boolean =>
  operation.endsWith("/me/sessions/:session") || operation.endsWith("/check-page");
