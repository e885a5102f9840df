import { setTimeout as pause } from "node:timers/promises";
import { atLeast, atMost, type Check, equal } from "../../checks.ts";
import { type AnyMethodClient, openHttpClient } from "../../http-client.ts";
import { followLink, readingMs, reportEvent, visitorAt, visitPage } from "../../visitor.ts";
import { type DoorOptions, openDoor } from "./door.ts";
import { connectPartner } from "./partner.ts";
import { password, signIn } from "./people.ts";
import { openSession, openShop, type Shop } from "./shops.ts";
import { findTraces } from "./traces.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };

/** What nobody else has: the page of a visitor, and a browser that says more of itself than others. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64; Nemesisphone 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36";

/**
 * Uses every secret there is, well and badly, logging all that can be logged, and looks for them and for the visitors in
 * everything that is kept; then takes each away and waits until it opens nothing at either of two nodes.
 */
export async function keptSecrets({
  engine,
  visitors,
}: Pick<DoorOptions, "engine"> & { visitors: number }): Promise<Check[]> {
  const door = await openDoor({ engine }, { LOG_LEVEL: "trace" });
  const { service } = door;
  const node = await door.startNode();
  const clients = [service, node].map(({ url }) => openHttpClient(url, 8, { keepAlive: false }));
  const [client] = clients as [AnyMethodClient];
  try {
    const shop = await openShop(service, "a");
    const owner = await signIn(service, client, {
      email: "owner@shop-a.example",
      publisherId: shop.publisherId,
      role: "owner",
    });
    const partner = await connectPartner(service, client, owner, shop.publisherId);
    const token = await visitAll(client, shop, visitors);
    await misuse(client, shop, owner.cookie);
    const { key: second, keyId: secondId } = await service.admin<{ key: string; keyId: string }>(
      ...["key", "rotate", "--key-id", shop.keyId],
    );
    const { link } = await service.admin<{ link: string }>("user", "create", "--email", "late@forms.example");
    // What is written behind the answers is written within a second or two.
    await pause(2500);
    const bare = (authorization: string): string => authorization.slice("Bearer ".length);
    const traces = await findTraces(door, {
      "an address": /\b198\.1[89]\.\d+\.\d+\b|2001:db8/,
      "a user agent": /Mozilla\/|AppleWebKit|Nemesisphone/,
      "an API key": bare(shop.key.authorization),
      "the end of an API key": bare(shop.key.authorization).slice(-20),
      "a second API key": second,
      "an integration secret": shop.secret,
      "a partner's secret": partner.clientSecret,
      "a partner's access token": partner.access,
      "a partner's refresh token": partner.refresh,
      "a session": owner.cookie.slice(owner.cookie.indexOf("=") + 1),
      "a link to sign in by": link.slice(link.lastIndexOf("/") + 1),
      "a password": password,
      "a click token": token,
      "a page's address": "private-page",
    });
    const lines = door
      .wholeLog()
      .split("\n")
      .filter((line) => line.includes('"status":')).length;
    const late = await takeAway(clients, {
      "an API key": {
        open: (one) => one.get("/v1/offers", { authorization: `Bearer ${second}` }),
        take: () => service.admin("key", "revoke", "--key-id", secondId),
      },
      "a partner's access": {
        open: (one) => one.get("/v1/reports/aggregate", { authorization: `Bearer ${partner.access}` }),
        take: () => owner.call("DELETE", `/dash/api/publishers/${shop.publisherId}/apps/${partner.grantId}`),
      },
      "an integration secret": {
        open: (one) =>
          one.post("/v1/widget-decline/trigger", JSON.stringify({ sessionId: "dcl_nobodys" }), {
            ...json,
            authorization: `Bearer ${shop.secret}`,
          }),
        take: async () => {
          const [secret] = await service.admin<{ secretId: string }[]>(
            ...["secret", "list", "--website", shop.website.websiteKey],
          );
          await service.admin("secret", "revoke", "--secret-id", secret?.secretId ?? "");
        },
      },
      "a session": {
        open: (one) => one.get("/dash/api/me", { cookie: owner.cookie }),
        take: () => service.admin("user", "disable", "--email", owner.email),
      },
    });
    return [
      atLeast("requests in the log", lines, visitors * 3),
      equal("secrets and visitors in what is kept", traces.slice(0, 5).join("; "), ""),
      ...late,
    ];
  } finally {
    for (const one of clients) one.close();
    await door.stop();
  }
}

/** Whole visits, each at an address of its own. Returns a token that was followed. */
const visitAll = async (
  client: AnyMethodClient,
  { website, key }: Shop,
  visitors: number,
): Promise<string> => {
  let token = "";
  for (let number = 0; number < visitors; number += 1) {
    const visitor = visitorAt(number, website);
    visitor.headers["user-agent"] = userAgent;
    visitor.headers.referer = `${website.origin}/private-page?mail=somebody`;
    const { decision, offers } = await visitPage(client, website, visitor);
    const { requestId } = decision;
    const [offer] = offers;
    if (offer === undefined) throw new Error("no offers were handed out");
    await reportEvent(client, "impression", visitor, { requestId, offer });
    await reportEvent(client, "click", visitor, { requestId, offer });
    if (number % 5 === 0) await pause(readingMs);
    await followLink(client, visitor, offer.url);
    token = new URL(offer.url).searchParams.get("t") ?? "";
    const named = new URLSearchParams({ website: website.websiteKey, ip: `2001:db8::${number}`, userAgent });
    await client.get(`/v1/decision?${named}`, key);
    await openSession(client, website, visitor.headers);
  }
  return token;
};

/** Secrets where they do not belong: each is refused, and must be nowhere afterwards all the same. */
const misuse = async (
  client: AnyMethodClient,
  { key, secret, website }: Shop,
  cookie: string,
): Promise<void> => {
  const bare = key.authorization.slice("Bearer ".length);
  const from = { "x-forwarded-for": "198.18.99.99", "user-agent": userAgent };
  for (const path of [
    `/v1/offers?api_key=${bare}`,
    `/v1/nothing/${bare}`,
    `/v1/decision?pub=${bare}&website=${secret}`,
    `/v1/widget-decline/session/${bare}`,
    `/dash/api/publishers/${bare}/team`,
    `/v1/r?t=${bare}`,
    `/docs/${secret}`,
  ]) {
    await client.get(path, from);
    await client.get(path, { ...from, ...key });
    await client.get(path, { ...from, origin: website.origin, referer: `https://x.example/${bare}`, cookie });
  }
  await client.post("/v1/events", JSON.stringify({ api_key: bare, type: secret }), { ...json, ...from });
  await client.post("/v1/events", `{"type":"${bare}`, { ...json, ...key, ...from });
  await client.post("/v1/widget-decline/trigger", JSON.stringify({ sessionId: "dcl_x", secret }), {
    ...json,
    ...from,
  });
  await client.post("/v1/events", JSON.stringify({}), { ...json, authorization: `Bearer ${secret}` });
  const fields = new URLSearchParams({ email: "owner@shop-a.example", password: `${password}!` });
  await client.post("/dash/sign-in", fields.toString(), {
    ...form,
    ...from,
    "sec-fetch-site": "same-origin",
  });
};

type Taken = {
  open: (client: AnyMethodClient) => Promise<{ status: number }>;
  take: () => Promise<unknown>;
};

/** Takes each away, and finds when it last opened anything at any of the nodes. */
const takeAway = async (
  clients: readonly AnyMethodClient[],
  all: Record<string, Taken>,
): Promise<Check[]> => {
  const checks: Check[] = [];
  for (const [name, { open, take }] of Object.entries(all)) {
    // A node takes over what another one has made within a second or two.
    const until = Date.now() + 5000;
    while ((await Promise.all(clients.map(open))).some(({ status }) => status === 401) && Date.now() < until)
      await pause(100);
    const before = (await Promise.all(clients.map(open))).filter(({ status }) => status === 401);
    await take();
    const from = performance.now();
    let lastOpen = 0;
    while (performance.now() - from < 6000 && performance.now() - from - lastOpen < 2500) {
      for (const client of clients) {
        if ((await open(client)).status !== 401) lastOpen = performance.now() - from;
      }
      await pause(50);
    }
    checks.push(
      equal(`nodes that did not know ${name}`, before.length, 0),
      atMost(
        `seconds for which ${name} that was taken away still opened something`,
        Math.round(lastOpen / 100) / 10,
        5,
      ),
    );
  }
  return checks;
};
