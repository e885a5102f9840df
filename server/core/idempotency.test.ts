import { serverEventBody } from "@offers/contract/server-events";
import { describe, expect, it } from "vitest";
import { eventFingerprint, eventScope, idempotencyVerdict } from "./idempotency.ts";

const dayMs = 86_400_000;
const body = { type: "click", websiteKey: "ws_a", offerId: "offer_1", country: "DE" };
const fingerprint = (members: object) => eventFingerprint(serverEventBody.parse(members));

describe("the fingerprint of an event", () => {
  it.each([
    ["in another order of members", { country: "DE", offerId: "offer_1", websiteKey: "ws_a", type: "click" }],
    ["with a member that is ignored", { ...body, colour: "red" }],
    ["with its country in lower case", { ...body, country: "de" }],
  ])("is the same %s", (_name, other) => {
    expect(fingerprint(other)).toBe(fingerprint(body));
  });

  it.each([
    ["type", { ...body, type: "impression" }],
    ["website", { ...body, websiteKey: "ws_b" }],
    ["offer", { ...body, offerId: "offer_2" }],
    ["country", { ...body, country: "AT" }],
    ["no country", { type: "click", websiteKey: "ws_a", offerId: "offer_1" }],
    ["time", { ...body, ts: "2026-11-20T00:00:00Z" }],
    ["request", { ...body, requestId: "req_1" }],
  ])("differs with another %s", (_name, other) => {
    expect(fingerprint(other)).not.toBe(fingerprint(body));
  });
});

it("a key is one within its publisher, and each partner of the publisher has its own", () => {
  const scopes = [
    { publisherId: "publisher_a", partner: null },
    { publisherId: "publisher_a", partner: "partner_1" },
    { publisherId: "publisher_a", partner: "partner_2" },
    { publisherId: "publisher_b", partner: "partner_1" },
  ].map(eventScope);
  expect(new Set(scopes).size).toBe(4);
  expect(scopes[0]).toBe("publisher_a events");
});

describe("a request with an idempotency key", () => {
  const kept = { fingerprint: "f", answerJson: "{}", at: 1000 };
  it.each([
    ["executes when nothing is kept", undefined, "f", 1000, "execute"],
    ["repeats the answer for the same body", kept, "f", 1000, "repeat"],
    ["repeats it until the last millisecond of 24 hours", kept, "f", 999 + dayMs, "repeat"],
    ["is refused with another body", kept, "g", 1000, "mismatch"],
    ["executes anew after 24 hours", kept, "f", 1000 + dayMs, "execute"],
    ["executes another body after 24 hours", kept, "g", 1000 + dayMs, "execute"],
  ] as const)("%s", (_name, row, print, now, verdict) => {
    expect(idempotencyVerdict(row, print, now)).toBe(verdict);
  });
});
