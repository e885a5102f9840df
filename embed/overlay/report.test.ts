import { clickBody, dismissBody, drawnBody, impressionBody } from "@offers/contract/events";
import type { Surface } from "@offers/contract/words";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readTag } from "../loader/read-tag.ts";
import { readDecision } from "./read-decision.ts";
import { readOffers } from "./read-offers.ts";
import { reporter } from "./report.ts";

const tag = readTag("https://offers.example/embed.js", { pub: "pub_a", website: "ws_a" }, "");
let requestId = "req_0";
let requests = 0;
const decided = (region: string) => readDecision({ allowed: false, requestId, country: "US", region });
const offers = readOffers(
  { premium: [], standard: [{ id: "offer_1", title: "A week by the sea", url: "/v1/r?t=x" }] },
  "https://offers.example/",
);
const send = vi.fn();
const tell = vi.fn();

function reports(region: string, surface: Surface = "overlay") {
  const decision = decided(region);
  const offer = offers?.[0];
  if (!tag || !decision || !offer) throw new Error("all three are complete");
  return { report: reporter({ tag, send, tell }, decision, surface), offer };
}

beforeAll(() => {
  vi.stubGlobal("innerWidth", 1280);
  vi.stubGlobal("innerHeight", 860);
  vi.stubGlobal("devicePixelRatio", 1.5);
});
beforeEach(() => {
  // What one page has reported of a request it reports no more.
  requests += 1;
  requestId = `req_${requests}`;
  send.mockClear();
  tell.mockClear();
});

test("an impression is what the service takes, with how the offer was seen", () => {
  const { report, offer } = reports("NJ");
  report.seen(offer, { visibleRatio: 0.83, visibleMs: 1004 });
  const [[event, body]] = send.mock.calls as unknown as [[string, object]];
  expect(event).toBe("impression");
  expect(impressionBody.parse(body)).toEqual(body);
  expect(body).toEqual({
    requestId,
    offerId: "offer_1",
    placement: "standard",
    position: 1,
    surface: "overlay",
    pub: "pub_a",
    website: "ws_a",
    clientHints: {
      viewportWidth: 1280,
      viewportHeight: 860,
      devicePixelRatio: 1.5,
      visibleRatio: 0.83,
      visibleMs: 1004,
    },
  });
});

test("what is opened again, and seen again, is the same impression; by another decision it is another", () => {
  const how = { visibleRatio: 1, visibleMs: 1000 };
  for (const { report, offer } of [reports("NJ"), reports("NJ")]) report.seen(offer, how);
  expect(send).toHaveBeenCalledTimes(1);
  expect(tell).toHaveBeenCalledTimes(1);
  requestId += "_later";
  const { report, offer } = reports("NJ");
  report.seen(offer, how);
  expect(send).toHaveBeenCalledTimes(2);
});

test("what one copy of this code has reported, another reports no more", async () => {
  const how = { visibleRatio: 1, visibleMs: 1000 };
  const { report, offer } = reports("NJ");
  report.seen(offer, how);
  vi.resetModules();
  const copy = await import("./report.ts");
  expect(copy.reporter).not.toBe(reporter);
  const decision = decided("NJ");
  if (!tag || !decision) throw new Error("both are complete");
  copy.reporter({ tag, send, tell }, decision, "overlay").seen(offer, how);
  expect(send).toHaveBeenCalledTimes(1);
});

test.each(["NJ", ""])("a click in region %j is what the service takes", (region) => {
  const { report, offer } = reports(region);
  report.clicked(offer);
  const [[event, body]] = send.mock.calls as unknown as [[string, object]];
  const written: unknown = JSON.parse(JSON.stringify(body));
  expect(event).toBe("click");
  expect(clickBody.parse(written)).toEqual(written);
  expect(written).toMatchObject({ country: "US", offerId: "offer_1" });
  expect(Reflect.get(written as object, "region")).toBe(region || undefined);
});

test("a dismissal is what the service takes", () => {
  reports("NJ").report.dismissed();
  const [[event, body]] = send.mock.calls as unknown as [[string, object]];
  expect(event).toBe("dismiss");
  expect(dismissBody.parse(body)).toEqual(body);
  expect(body).toEqual({ requestId, surface: "overlay", pub: "pub_a", website: "ws_a" });
});

test("what stands in the page is what the service takes, is watched until it is gone, and nothing is nothing", () => {
  const [observe, disconnect] = [vi.fn(), vi.fn()];
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe = observe;
      disconnect = disconnect;
    },
  );
  vi.stubGlobal("document", new EventTarget());
  const { report, offer } = reports("NJ");
  report.shown([], []);
  expect(send).not.toHaveBeenCalled();
  const element = {} as Element;
  report.shown([element], [offer]);
  const [[event, body]] = send.mock.calls as unknown as [[string, object]];
  expect(event).toBe("drawn");
  expect(drawnBody.parse(body)).toEqual(body);
  expect(body).toMatchObject({ requestId, offerIds: ["offer_1"], surface: "overlay" });
  expect(observe.mock.calls).toEqual([[element]]);
  expect(disconnect).not.toHaveBeenCalled();
  report.ended();
  expect(disconnect).toHaveBeenCalledTimes(1);
});

test.each(["overlay", "section", "decline"] as const)(
  "what happens on the surface %s is told as such",
  (surface) => {
    const { report, offer } = reports("", surface);
    report.seen(offer, { visibleRatio: 1, visibleMs: 1000 });
    report.clicked(offer);
    expect(send.mock.calls.map(([, body]) => body.surface)).toEqual([surface, surface]);
    const about = {
      website: "ws_a",
      surface,
      offerId: "offer_1",
      brand: "",
      placement: "standard",
      position: 1,
    };
    expect(tell.mock.calls).toEqual([
      ["impression", about],
      ["click", about],
    ]);
  },
);
