import type { Page } from "@playwright/test";
import { everybodyBlocked, untilLive } from "../bench/catalogue.ts";
import { type Service, startService } from "../bench/service.ts";

/** Would run as script wherever a page took it for more than a text, in an attribute or out of one. */
export const payload = `"><img src=x onerror=xss=1><script>xss=1</script>`;
/** For the words on a button, which have less room. */
const shortPayload = `"><img src=x onerror=xss=1>`;

export type HostileWorld = {
  service: Service;
  publisherId: string;
  websiteKey: string;
  advertiserId: string;
  offerId: string;
  clientId: string;
  /** A visit that an applicant's refusal brought. */
  requestId: string;
  origin: string;
};

/** A service in which every text that somebody else may choose tries to be a script. */
export async function openHostileWorld(): Promise<HostileWorld> {
  // One session opens every page.
  const service = await startService({ environment: { RATE_LIMIT_FACTOR: "10" } });
  try {
    return { service, ...(await fill(service)) };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function fill(service: Service): Promise<Omit<HostileWorld, "service">> {
  const origin = "http://localhost:7777";
  const { publisherId } = await service.admin<{ publisherId: string }>(
    ...["publisher", "create", "--name", payload],
  );
  const { websiteKey, publicKey } = await service.admin<{ websiteKey: string; publicKey: string }>(
    ...["website", "create", "--publisher", publisherId, "--name", payload, "--origin", origin],
    ...["--vertical", "loans", "--geo-mode", everybodyBlocked.mode, "--unknown-location", "block"],
    ...["--geo-entries", everybodyBlocked.entries.join(), "--title", payload, "--message", payload],
    ...["--support-email", "help@pier.example", "--support-label", payload, "--own-brand", payload],
    ...["--fallback-url", "https://pier.example/", "--fallback-label", payload],
  );
  await service.admin("allowlist", "set", "--website", websiteKey, "--mode", "all");
  const { advertiserId } = await service.admin<{ advertiserId: string }>(
    ...["advertiser", "create", "--name", payload, "--balance-micros", "1000000000"],
  );
  const { offerId } = await service.admin<{ offerId: string }>(
    ...["offer", "create", "--advertiser", advertiserId],
    // No offer of the own brand is shown.
    ...["--brand", `${payload} Bank`],
    ...["--title", payload, "--description", payload, "--cta", shortPayload, "--disclosure", payload],
    ...["--terms", payload, "--vertical", "banking", "--geo", "*", "--payout-model", "CPC"],
    ...["--payout-micros", "400000", "--landing-url", "https://bank.example/?c={click_id}"],
  );
  await service.admin("key", "create", "--publisher", publisherId, "--name", payload);
  const { secret } = await service.admin<{ secret: string }>("secret", "create", "--website", websiteKey);
  const { clientId } = await service.admin<{ clientId: string }>(
    ...["partner", "create", "--name", payload, "--redirect-uri", "https://partner.example/callback"],
    ...["--public"],
  );
  await service.admin("user", "create", "--email", "named@example.com", "--name", payload);
  await untilLive(service, publisherId);

  const asPage = { origin, "user-agent": browser };
  const call = async (path: string, body?: object, headers: Record<string, string> = asPage) => {
    const answer = await fetch(service.url + path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
  const keys = `pub=${publicKey}&website=${websiteKey}`;
  const { sessionId } = await call(`/v1/widget-decline/session?${keys}`);
  await call(
    "/v1/widget-decline/trigger",
    { sessionId, reason: payload },
    { authorization: `Bearer ${secret}` },
  );
  const polled = await fetch(`${service.url}/v1/widget-decline/session/${sessionId}?${keys}`, {
    headers: asPage,
  });
  const { requestId, country } = (await polled.json()) as { requestId: string; country: string };
  const asked = new URLSearchParams({ website: websiteKey, requestId, country, surface: "decline" });
  const offers = await fetch(`${service.url}/v1/offers?${asked}`, { headers: asPage });
  if (!offers.ok) throw new Error(await offers.text());
  await call("/v1/events/impression", { requestId, offerId });
  await call("/v1/events/click", { requestId, offerId });
  const page = `${origin}/${payload}`.replace(/[?#]/g, "");
  await call("/v1/events/snippet-ping", { websiteKey, pub: publicKey, url: page, scriptVersion: "0.1.0" });
  const refused = await fetch(`${service.url}/v1/decision?${keys}`, {
    headers: { ...asPage, origin: `https://${payload}` },
  });
  if (refused.status !== 403) throw new Error(`a foreign origin is answered ${refused.status}`);
  return { publisherId, websiteKey, advertiserId, offerId, clientId, requestId, origin };
}

const browser =
  "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** What goes wrong on the pages of a context, as it happens: refused by the policy, told as an error, asked of others. */
export async function noteTrouble(page: Page, ownOrigin: string): Promise<string[]> {
  const trouble: string[] = [];
  await page.exposeBinding("noteBreach", (_, breach: string) =>
    trouble.push(`refused by the policy: ${breach}`),
  );
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      Reflect.get(window, "noteBreach")(`${violatedDirective} ${blockedURI}`);
    });
  });
  page.on("console", (message) => {
    if (message.type() === "error") trouble.push(`told: ${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => trouble.push(`thrown: ${error.message}`));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== ownOrigin)
      trouble.push(`asked of another: ${request.url()}`);
  });
  return trouble;
}
