import { setTimeout as pause } from "node:timers/promises";
import type { RateLimitName, refusalLimits } from "@offers/contract/endpoints";
import { type Check, equal } from "../../checks.ts";
import { type Answer, openHttpClient } from "../../http-client.ts";
import { untilMinuteHas } from "../../until-minute-has.ts";
import { decisionPath, offersPath, visitorAt, visitPage } from "../../visitor.ts";
import { type DoorOptions, openDoor } from "./door.ts";
import { signIn } from "./people.ts";
import { openSession, openShop } from "./shops.ts";

/** A limit is added to `met` once it refuses a call. */
type Limited = { name: string; call: () => Promise<Answer>; met: Set<string> };

/** Every limit but those of links that are followed, which say nothing, of refused calls, of sign-ins and of OAuth. */
type Announced = Exclude<
  RateLimitName,
  "hop" | (typeof refusalLimits)[number] | "sign_in" | "oauth_token" | "oauth_address"
>;

/** What an answer says of its limit: structured fields (RFC 9651) of draft-ietf-httpapi-ratelimit-headers. */
type Told = { status: number; limit: number; left: number; seconds: number; retrySeconds: number | null };

/** A tenth of the usual, so that a minute is enough for each. */
const factor = 0.1;
/** All of them are met within it, and a window must not end meanwhile. */
const neededMs = 15_000;

/** Calls until each limit is met, and on until it ends: what is announced on the way has to come true, to the second. */
export async function announcedLimits({ engine }: Pick<DoorOptions, "engine">): Promise<Check[]> {
  const door = await openDoor({ engine }, { RATE_LIMIT_FACTOR: String(factor) });
  const { service } = door;
  const client = openHttpClient(service.url, 32, { keepAlive: false });
  try {
    const { website, key, secret, publisherId } = await openShop(service, "a");
    // By then the service knows the secret: a call with one that it does not know yet is counted as a guess.
    await pause(1500);
    const owner = await signIn(service, client, {
      email: "owner@shop-a.example",
      publisherId,
      role: "owner",
    });
    const seen = visitorAt(1, website);
    const { decision, offers } = await visitPage(client, website, seen);
    const sessionId = await openSession(client, website, seen.headers);
    const { headers } = visitorAt(2, website);
    const site = `pub=${website.publicKey}&website=${website.websiteKey}`;
    const post = (path: string, body: object, given = headers) =>
      client.post(path, JSON.stringify(body), { ...given, "content-type": "application/json" });
    const event = { requestId: decision.requestId, offerId: offers[0]?.id };
    const all: Record<Announced, () => Promise<Answer>> = {
      decision: () => client.get(decisionPath(website), headers),
      offers: () => client.get(offersPath(website, decision), headers),
      drawn: () => post("/v1/events/drawn", { requestId: decision.requestId, offerIds: [event.offerId] }),
      impression: () => post("/v1/events/impression", event),
      click: () => post("/v1/events/click", event),
      dismiss: () => post("/v1/events/dismiss", { requestId: decision.requestId }),
      snippet_ping: () => post("/v1/events/snippet-ping", { websiteKey: website.websiteKey }),
      session_open: () => client.post(`/v1/widget-decline/session?${site}`, "", headers),
      session_poll: () => client.get(`/v1/widget-decline/session/${sessionId}?${site}`, headers),
      whats_my_ip: () => client.get("/v1/whats-my-ip", headers),
      key: () => client.get("/v1/reports/aggregate", key),
      trigger: () => post("/v1/widget-decline/trigger", { sessionId }, { authorization: `Bearer ${secret}` }),
      dashboard: () => owner.call("GET", "/dash/api/me"),
    };
    if (engine === "postgres") await untilMinuteHas(neededMs);
    const met = new Set<string>();
    const limits = Object.entries(all);
    const wrong = (await Promise.all(limits.map(([name, call]) => watch({ name, call, met })))).flat();
    return [
      equal("limits met", met.size, limits.length),
      equal("what was announced and did not come true", wrong.slice(0, 5).join("; "), ""),
    ];
  } finally {
    client.close();
    await door.stop();
  }
}

const watch = async ({ name, call, met }: Limited): Promise<string[]> => {
  const wrong: string[] = [];
  const ask = async (): Promise<Told | null> => {
    const told = read(name, await call());
    if (typeof told !== "string") return told;
    wrong.push(told);
    return null;
  };
  let last = await ask();
  if (last === null) return wrong;
  for (let calls = 0; last.status !== 429; calls += 1) {
    if (calls > last.limit) return [...wrong, `${name}: ${calls} calls admitted of ${last.limit}`];
    const next = await ask();
    if (next === null) return wrong;
    const expected = Math.max(0, last.left - 1);
    if (next.left !== expected && next.seconds <= last.seconds) {
      wrong.push(`${name}: ${last.left} left, then ${next.left}`);
    }
    if (next.status === 429 && last.left > 0) wrong.push(`${name}: refused with ${last.left} left`);
    last = next;
  }
  met.add(name);
  const announcedAt = performance.now();
  const { retrySeconds, seconds } = last;
  if (retrySeconds !== seconds) wrong.push(`${name}: Retry-After ${retrySeconds}, t=${seconds}`);
  await pause(Math.max(0, (seconds - 2) * 1000));
  for (;;) {
    const told = await ask();
    const after = (performance.now() - announcedAt) / 1000;
    if (told === null || after > seconds + 5) return [...wrong, `${name}: nothing admitted ${after} s later`];
    if (told.status !== 429) {
      // A second is cut off where it is announced, and one is what the clocks may differ by.
      if (Math.abs(after - seconds) > 1.2)
        wrong.push(`${name}: ${seconds} s announced, admitted after ${after.toFixed(1)}`);
      return wrong;
    }
    await pause(100);
  }
};

const read = (name: string, { status, headers, body }: Answer): Told | string => {
  const field = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(String(headers.ratelimit));
  const policy = /^"(\w+)";q=(\d+);w=60$/.exec(String(headers["ratelimit-policy"]));
  if (field?.[1] !== name || policy?.[1] !== name) {
    return `${name}: ${status} with ${headers.ratelimit} and ${headers["ratelimit-policy"]} ${body.slice(0, 200)}`;
  }
  const retry = headers["retry-after"];
  if (status === 429 && !/^\d+$/.test(String(retry))) return `${name}: 429 with Retry-After ${retry}`;
  return {
    status,
    limit: Number(policy[2]),
    left: Number(field[2]),
    seconds: Number(field[3]),
    retrySeconds: retry === undefined ? null : Number(retry),
  };
};
