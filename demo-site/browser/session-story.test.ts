import { expect, test } from "vitest";
import { afterAnswer, atTime, noSession, reached, sessionWords, timeLeft } from "./session-story.js";

const sessions = "/v1/widget-decline/session";
const expiresAt = "2026-11-20T10:15:00.000Z";
const id = "dcl_a";

const open = {
  method: "POST",
  path: sessions,
  status: 201,
  body: JSON.stringify({ sessionId: id, expiresAt }),
};
const poll = (status: string, path = `${sessions}/${id}`) => ({
  method: "GET",
  path,
  status: 200,
  body: JSON.stringify({ sessionId: id, status }),
});
const offers = (count: number) => ({
  method: "GET",
  path: "/v1/offers",
  status: 200,
  body: JSON.stringify({
    premium: [{}].slice(0, count),
    standard: Array.from({ length: count - 1 }, () => ({})),
  }),
});
const told = (...calls: Parameters<typeof afterAnswer>[1][]) => calls.reduce(afterAnswer, noSession);

test("a session goes from its opening over polls to offers", () => {
  const states = [open, poll("pending"), poll("pending"), poll("ready"), offers(3)].map((_call, index, all) =>
    told(...all.slice(0, index + 1)),
  );
  expect(states.map(({ state }) => state)).toEqual(["pending", "pending", "pending", "ready", "offers"]);
  expect(states.map(({ polls }) => polls)).toEqual([0, 1, 2, 3, 3]);
  expect(states.at(-1)).toMatchObject({ id, offers: 3, expiresAtMs: Date.parse(expiresAt) });
  expect(states.map(reached).map((past) => past.at(-1))).toEqual([
    "pending",
    "pending",
    "pending",
    "ready",
    "offers",
  ]);
});

test.each([
  ["a refused opening", [{ ...open, status: 429, body: "{}" }], "refused"],
  ["an answer that is no JSON", [open, { ...poll("ready"), body: "<html>" }], "pending"],
  ["a poll of another session", [open, poll("ready", `${sessions}/dcl_b`)], "pending"],
  ["offers before it is ready", [open, offers(2)], "pending"],
  ["offers that were refused", [open, poll("ready"), { ...offers(2), status: 410 }], "ready"],
  ["an end that the service tells", [open, poll("expired")], "expired"],
  ["another opening", [open, poll("ready"), offers(2), open], "pending"],
])("%s", (_name, calls, expected) => {
  expect(told(...calls).state).toBe(expected);
});

test("a session that is pending expires by the clock, and no other does", () => {
  const end = Date.parse(expiresAt);
  expect(atTime(told(open), end - 1).state).toBe("pending");
  expect(atTime(told(open), end).state).toBe("expired");
  expect(atTime(told(open, poll("ready")), end).state).toBe("ready");
  expect(atTime(noSession, end).state).toBe("none");
  expect(reached(atTime(told(open), end))).toEqual(["opened", "pending"]);
});

test("each state has words of its own", () => {
  const states = ["none", "opening", "refused", "pending", "ready", "offers", "expired"] as const;
  const headings = states.map((state) => sessionWords({ ...noSession, state, offers: 2 }).heading);
  expect(new Set(headings).size).toBe(states.length);
  expect(sessionWords({ ...noSession, state: "pending" }).text).toContain("not asked yet");
  expect(sessionWords({ ...noSession, state: "pending", polls: 1 }).text).toContain("once");
  expect(sessionWords({ ...noSession, state: "pending", polls: 4 }).text).toContain("4 times");
  expect(sessionWords({ ...noSession, state: "offers", offers: 0 }).heading).toContain("without");
});

test.each([
  [900_000, "15:00"],
  [61_000, "1:01"],
  [400, "0:01"],
  [-5, "0:00"],
])("%i ms are %s", (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});
