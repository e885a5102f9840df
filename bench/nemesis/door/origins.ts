import { endpoints } from "@offers/contract/endpoints";
import { strangers } from "../../../server/testing/odd-origins.ts";
import { countEvents } from "../../books.ts";
import { atLeast, type Check, equal } from "../../checks.ts";
import { type Answer, openHttpClient } from "../../http-client.ts";
import { offersPath, visitorAt, visitPage } from "../../visitor.ts";
import { type DoorOptions, forEachOf, openDoor } from "./door.ts";
import { openSession, openShop } from "./shops.ts";

const referrers: readonly (string | null)[] = [null, "https://shop-a.example/", "https://evil.example/"];

type Route = { name: string; method: "GET" | "POST"; path: string; body?: object };

/** Calls every route of pages from origins that nobody registered: none may be admitted, or read the answer. */
export async function foreignOrigins({ engine }: Pick<DoorOptions, "engine">): Promise<Check[]> {
  const door = await openDoor({ engine });
  const { service } = door;
  const client = openHttpClient(service.url, 16, { keepAlive: false });
  try {
    const { website } = await openShop(service, "a", { moreWebsites: ["https://*.wild-a.example"] });
    const visitor = visitorAt(1, website);
    const { decision, offers } = await visitPage(client, website, visitor);
    const sessionId = await openSession(client, website, visitor.headers);
    const { requestId } = decision;
    const event = { requestId, offerId: offers[0]?.id };
    const site = `pub=${website.publicKey}&website=${website.websiteKey}`;
    const get = (name: string, path: string): Route => ({ name, method: "GET", path });
    const post = (name: string, path: string, body: object): Route => ({ name, method: "POST", path, body });
    const routes: Route[] = [
      get("decision", `/v1/decision?${site}`),
      get("offers", offersPath(website, decision)),
      post("drawn", "/v1/events/drawn", { requestId, offerIds: [offers[0]?.id] }),
      post("impression", "/v1/events/impression", event),
      post("click", "/v1/events/click", event),
      post("dismiss", "/v1/events/dismiss", { requestId }),
      post("ping", "/v1/events/snippet-ping", { websiteKey: website.websiteKey, pub: website.publicKey }),
      post("session", `/v1/widget-decline/session?${site}`, {}),
      get("poll", `/v1/widget-decline/session/${sessionId}?${site}`),
    ];
    const call = ({ method, path, body }: Route, origin: string | null, referrer: string | null) => {
      const { origin: _, ...headers } = visitor.headers;
      const text = body === undefined ? "" : JSON.stringify(body);
      return client.send(
        method,
        path,
        {
          ...headers,
          ...(origin !== null && { origin }),
          ...(referrer !== null && { referer: referrer }),
          ...(body !== undefined && {
            "content-type": "text/plain",
            "content-length": String(Buffer.byteLength(text)),
          }),
        },
        text,
      );
    };
    const own: string[] = [];
    for (const route of routes) {
      const answer = await call(route, website.origin, null);
      const granted = answer.headers["access-control-allow-origin"];
      if (answer.status >= 300 || granted !== website.origin)
        own.push(`${route.name} ${answer.status} ${granted}`);
    }
    const before = await countEvents(service);
    const tried = strangers.flatMap((origin) =>
      referrers.flatMap((referrer) => routes.map((route) => ({ origin, referrer, route }))),
    );
    const seen = { admitted: [] as string[], granted: [] as string[], withoutVary: [] as string[] };
    const bodies = new Set<string>();
    await forEachOf(tried, 16, async ({ origin, referrer, route }) => {
      const answer = await call(route, origin, referrer);
      const name = `${route.name} from ${origin}`;
      if (answer.status !== 403) seen.admitted.push(`${name}: ${answer.status}`);
      if (answer.headers["access-control-allow-origin"] !== undefined) seen.granted.push(name);
      if (!hasVary(answer)) seen.withoutVary.push(name);
      bodies.add(answer.body.replace(/,"instance":"[\w-]+"/, ""));
    });
    return [
      equal("routes of pages that are not tried", untried(routes).join("; "), ""),
      atLeast("foreign origins, routes and referrers tried", tried.length, 480),
      equal("routes that refuse the website's own page", own.slice(0, 3).join("; "), ""),
      equal("foreign pages admitted", seen.admitted.slice(0, 3).join("; "), ""),
      equal("foreign pages that may read the answer", seen.granted.slice(0, 3).join("; "), ""),
      equal("answers without Vary: Origin", seen.withoutVary.slice(0, 3).join("; "), ""),
      equal("refusals that can be told apart", bodies.size, 1),
      equal("events that all of that left", (await countEvents(service)) - before, 0),
    ];
  } finally {
    client.close();
    await door.stop();
  }
}

const untried = (routes: readonly Route[]): string[] =>
  endpoints.flatMap(({ method, path, group }) => {
    const asked = new RegExp(`^${method} ${path.replaceAll(/:\w+/g, "[^/]+")}(?:\\?|$)`);
    return group !== "embed" || routes.some((route) => asked.test(`${route.method} ${route.path}`))
      ? []
      : [`${method} ${path}`];
  });

const hasVary = ({ headers }: Answer): boolean =>
  String(headers.vary ?? "")
    .split(",")
    .some((name) => name.trim().toLowerCase() === "origin");
