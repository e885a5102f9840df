import { allowlist } from "@offers/contract/catalogue";
import { setAllowlist } from "../store/catalogue/allowlists.ts";
import type { Answer, Call } from "./call.ts";
import { withSecret } from "./decline-calls.ts";
import { withKey } from "./key-calls.ts";
import type { TestService } from "./test-service.ts";

/** Real answers by operation, status and name: a problem's name is its code; `request` stands for the bodies that were sent. */
export type RecordedExamples = Record<string, Record<string, Record<string, unknown>>>;

/** Makes one call for each answer that is worth showing, and returns what came. */
export async function recordExamples(service: TestService): Promise<RecordedExamples> {
  const seen: RecordedExamples = {};
  const note = (operation: string, answer: Answer, name?: string): Answer => {
    const type = String(answer.headers["content-type"] ?? "");
    if (answer.text === "" || type.startsWith("text/html")) return answer;
    const value = type.startsWith("text/") ? answer.text : answer.json();
    const byStatus = seen[operation] ?? {};
    const shown = name ?? String((value as { code?: string }).code);
    seen[operation] = { ...byStatus, [answer.status]: { ...byStatus[answer.status], [shown]: value } };
    return answer;
  };
  const sent: Sent = (operation, name, body) => {
    seen[operation] = { ...seen[operation], request: { ...seen[operation]?.request, [name]: body } };
    return body;
  };
  // One brand for each place of an answer: of several a draw decides, and the examples are the same each time.
  const two = allowlist.parse({ mode: "allowlist", allow: { brands: ["Premium", "Best"] }, block: {} });
  await service.change((catalogue) => setAllowlist(catalogue, "ws_a", two));
  await notePages(service, note, sent);
  await noteServers(service, note, sent);
  await noteDecline(service, note, sent);
  return seen;
}

type Note = (operation: string, answer: Answer, name?: string) => Answer;

/** Keeps the body of a call that is good, and returns it. */
type Sent = <Body>(operation: string, name: string, body: Body) => Body;

const notePages = async (service: TestService, note: Note, sent: Sent): Promise<void> => {
  const get = (path: string, given?: Call) => service.call(path, given);
  const site = "pub=pub_a&website=ws_a";
  const decision = note("decide", await get(`/v1/decision?${site}`), "a page's blocked visitor").json<{
    requestId: string;
  }>();
  note("decide", await get(`/v1/decision?${site}`, { from: "198.51.100.7" }), "a page's allowed visitor");
  note("decide", await get("/v1/decision?pub=pub_a"));
  note("decide", await get(`/v1/decision?${site}&mode=popup`));
  note("decide", await get(`/v1/decision?${site}&website=ws_b`));
  note("decide", await get(`/v1/decision?${site}`, { origin: "https://evil.example" }));
  const offers = `/v1/offers?website=ws_a&country=DE&requestId=${decision.requestId}`;
  const served = note("listOffers", await get(`${offers}&limit=1`), "a page's offers").json<{
    premium: { id: string; url: string }[];
  }>();
  note("listOffers", await get("/v1/offers?website=ws_a&country=DE&requestId=req_forged"));
  const [offer] = served.premium;
  const event = { requestId: decision.requestId, offerId: offer?.id };
  const drawn = { requestId: decision.requestId, offerIds: [offer?.id] };
  note("markDrawn", await service.post("drawn", sent("markDrawn", "an offer was drawn", drawn)));
  note("markDrawn", await service.post("drawn", { ...drawn, offerIds: [] }));
  const viewed = { ...event, placement: "premium", position: 1 };
  note(
    "recordImpression",
    await service.post("impression", sent("recordImpression", "an offer was seen", viewed)),
  );
  note("recordImpression", await service.post("impression", "not JSON"));
  note("recordImpression", await service.post("impression", { ...event, position: 0 }));
  const clicked = sent("recordClick", "an offer was clicked", event);
  note("recordClick", await service.post("click", { offerId: "offer_best" }));
  note("recordClick", await service.post("click", clicked, { origin: "https://evil.example" }));
  note("dismissOverlay", await service.post("dismiss", { requestId: "req_forged" }));
  const { requestId } = decision;
  note(
    "dismissOverlay",
    await service.post("dismiss", sent("dismissOverlay", "the overlay was closed", { requestId })),
  );
  const loaded = { websiteKey: "ws_a", url: "https://shop-a.example/a/b", scriptVersion: "0.1.0" };
  note("pingSnippet", await service.post("snippet-ping", sent("pingSnippet", "a page has the tag", loaded)));
  note("pingSnippet", await service.post("snippet-ping", { websiteKey: "ws_none" }));
  note("followLink", await get("/v1/r?t=forged", { origin: null }));
  const speculative = { origin: null, headers: { "Sec-Purpose": "prefetch" } };
  note("followLink", await get(offer?.url.replace("https://offers.test", "") ?? "", speculative));
  note("tellAddress", await get("/v1/whats-my-ip"), "a visitor");
  note("tellPrivacyControl", await get("/.well-known/gpc.json"), "honoured");
  note("tellAlive", await get("/healthz"), "alive");
  note("tellReady", await get("/readyz"), "ready");
  service.moveClock(30 * 60_000 + 1);
  note("listOffers", await get(offers));
};

const noteServers = async (service: TestService, note: Note, sent: Sent): Promise<void> => {
  const { get, report } = await withKey(service);
  const blocked = note(
    "decide",
    await get("/v1/decision?website=ws_a&ip=203.0.113.7"),
    "a server's blocked visitor",
  );
  note("decide", await get("/v1/decision?website=ws_a&ip=198.51.100.7"), "a server's other visitor");
  note("decide", await get("/v1/decision?website=ws_b"));
  note(
    "decide",
    await service.call("/v1/decision", { origin: null, headers: { Authorization: "Bearer x" } }),
  );
  note("decide", await get("/v1/decision?website=ws_a", { origin: "https://shop-a.example" }));
  note("listOffers", await get("/v1/offers?country=DE&pageSize=2"), "a server's page of the catalogue");
  note("listOffers", await get("/v1/offers?page=0"));
  const { requestId } = blocked.json<{ requestId: string }>();
  const event = { type: "served", websiteKey: "ws_a", offerId: "offer_premium", requestId };
  sent("reportEvent", "an offer was handed out", event);
  const once = { headers: { "Idempotency-Key": "order-1" } };
  note("reportEvent", await report(event, once), "counted");
  note("reportEvent", await report(event, once), "repeated");
  note("reportEvent", await report({ ...event, type: "click" }, once));
  note("reportEvent", await report(event), "stored, not counted");
  note("reportEvent", await report({ ...event, type: "Click" }));
  note("reportEvent", await report({ ...event, ts: "2026-01-31T00:00:00Z" }));
  note("reportEvent", await report(event, { headers: { "Content-Type": "text/plain" } }));
  note("reportEvent", await report({ ...event, note: "x".repeat(17 * 1024) }));
  note("readReport", await get("/v1/reports/aggregate?from=2026-11-20"), "rows");
  note("readReport", await get("/v1/reports/aggregate?format=csv&from=2026-11-20"), "rows as CSV");
  note("readReportAsCsv", await get("/v1/reports/aggregate.csv?from=2026-11-20"), "rows as CSV");
  note("explain", await get(`/v1/explain?requestId=${requestId}`), "a visit");
  note("explain", await get(`/v1/explain?clickId=${"A".repeat(22)}`));
  note("explain", await get("/v1/explain"));
  note("readReport", await get("/v1/reports/aggregate?from=2026-11-20&to=2026-11-01"));
  note("readReport", await get(`/v1/reports/aggregate?country=${"D".repeat(2100)}`));
  const limited = await withKey(service, { scopes: ["offers:read"] });
  note("readReport", await limited.get("/v1/reports/aggregate"));
  let last = await limited.get("/v1/offers?pageSize=1");
  while (last.status !== 429) last = await limited.get("/v1/offers?pageSize=1");
  note("listOffers", last);
};

const noteDecline = async (service: TestService, note: Note, sent: Sent): Promise<void> => {
  const { open, poll, trigger, secret } = await withSecret(service);
  const post = (query: string, given?: Call) =>
    service.call(`/v1/widget-decline/session?${query}`, { method: "POST", ...given });
  const site = "pub=pub_a&website=ws_a";
  const opened = note("openSession", await post(site), "opened").json<{ sessionId: string }>();
  note("openSession", await post("pub=pub_a"));
  note("openSession", await post(site, { origin: null }));
  note("pollSession", await poll(opened.sessionId), "not yet");
  note("pollSession", await poll("dcl_unknown"));
  note("triggerSession", await trigger(opened, { headers: {} }));
  note("triggerSession", await trigger(opened, { origin: "https://shop-a.example", headers: {} }));
  note("triggerSession", await trigger({ sessionId: "dcl_unknown" }));
  note("triggerSession", await trigger({ secret: secret.secret }, { headers: {} }));
  const said = { sessionId: opened.sessionId, reason: "self_excluded", suppressVerticals: ["insurance"] };
  note(
    "triggerSession",
    await trigger(sent("triggerSession", "a visitor who has excluded themselves", said)),
    "ready",
  );
  note("pollSession", await poll(opened.sessionId), "declined");
  const late = await open();
  service.moveClock(900_000);
  note("pollSession", await poll(late.sessionId), "too late");
  note("triggerSession", await trigger(late));
};
