import { expect, test } from "vitest";
import { brandsIn, offerIn, outcomeOf, readable, readableQuery, stepOf } from "./call-story.js";

test.each([
  ["GET", "/embed.js", "tag"],
  ["GET", "/c/abc.js", "tag"],
  ["GET", "/v1/decision", "decision"],
  ["POST", "/v1/events/snippet-ping", "presence"],
  ["GET", "/v1/offers", "offers"],
  ["POST", "/v1/events/impression", "impressions"],
  ["POST", "/v1/events/drawn", "impressions"],
  ["POST", "/v1/events/click", "clicks"],
  ["POST", "/v1/events/dismiss", "closing"],
  ["GET", "/v1/r", "clicks"],
  ["POST", "/preview/loan/apply", "application"],
  ["POST", "/preview/loan/offers", "application"],
  ["POST", "/v1/widget-decline/session", "session"],
  ["GET", "/v1/widget-decline/session/dcl_a-b", "session"],
  ["POST", "/v1/widget-decline/trigger", "other"],
  ["GET", "/v1/whats-my-ip", "other"],
  ["GET", "/v1/events/click", "other"],
])("%s %s is of the step %s", (method, path, step) => {
  expect(stepOf(method, path)).toBe(step);
});

const offers = JSON.stringify({
  premium: [{ id: "offer_a", brand: "Orchard Bank", placement: "premium" }],
  standard: [
    { id: "offer_b", brand: "Learnly", placement: "standard" },
    { id: "offer_c", brand: "Homenest", placement: "standard" },
  ],
  emptyReason: null,
});

test.each([
  ["decision", 200, '{"allowed":true}', "Allowed"],
  ["decision", 200, '{"allowed":false}', "Blocked"],
  ["offers", 200, offers, "1 premium, 2 standard: Orchard Bank, Learnly, Homenest."],
  [
    "offers",
    200,
    '{"premium":[],"standard":[],"emptyReason":"budgets_exhausted"}',
    "No offers: the budgets are used up.",
  ],
  ["offers", 200, '{"premium":"odd"}', "No offers: no reason given."],
  ["impressions", 204, "", "Stored on disk"],
  [
    "decision",
    403,
    '{"title":"T","detail":"The origin is not registered."}',
    "Refused: The origin is not registered.",
  ],
  ["decision", 500, "<html>", "Refused: the service gave no reason."],
  ["clicks", 429, "{}", "Too many calls"],
  ["application", 400, '{"errors":[]}', "Not an application yet"],
  ["application", 200, '{"outcome":"approved"}', "nothing is opened"],
  ["application", 200, '{"outcome":"declined","reason":"self_excluded"}', "Declined (self_excluded)"],
  ["application", 200, '{"offers":"ready"}', "has told the service"],
  ["application", 200, '{"offers":"session_over"}', "no such session"],
  ["application", 200, '{"offers":"unavailable"}', "could not tell"],
  ["application", 404, '{"error":"No refusal is kept."}', "No refusal is kept."],
  ["session", 201, '{"status":"pending"}', "Pending"],
  ["session", 200, '{"status":"ready"}', "Ready"],
  ["session", 200, '{"status":"expired"}', "Expired"],
  ["session", 404, '{"detail":"No such session."}', "Refused: No such session."],
] as const)("%s answered by %i %s", (step, status, body, expected) => {
  expect(outcomeOf(step, { status, body, ms: 1 })).toContain(expected);
});

test("a decision is told as what it means on the page that is shown", () => {
  const blocked = { status: 200, body: '{"allowed":false}', ms: 1 };
  expect(outcomeOf("decision", blocked, "magazine")).toContain("wherever the visitor is");
});

test("bodies and queries become readable, and oddities stay what they are", () => {
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readable("not json")).toBe("not json");
  expect(readable(null)).toBe("");
  expect(readableQuery("http://a.example/x?b=c%20d&b=e")).toBe("b = c d\nb = e");
});

test("an event's offer and the brands of an answer can be told", () => {
  expect(offerIn('{"offerId":"offer_a"}')).toBe("offer_a");
  expect(offerIn("not json")).toBe("");
  expect(brandsIn(offers)).toEqual([
    ["offer_a", "Orchard Bank"],
    ["offer_b", "Learnly"],
    ["offer_c", "Homenest"],
  ]);
  expect(brandsIn("[]")).toEqual([]);
});
