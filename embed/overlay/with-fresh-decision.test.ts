import { afterEach, expect, type Mock, test, vi } from "vitest";
import type { Visit } from "../wire/visit.ts";
import { withFreshDecision } from "./with-fresh-decision.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const tooOld = (): Promise<void> => Promise.reject(new Response("", { status: 410 }));
const answer = { requestId: "req_2", country: "DE", region: "BY" };
const blocked = { ...answer, allowed: false, settings: { show: true } };
const leftClosed = { ...answer, allowed: false, settings: { show: false, hidden: "closed_today" } };
const letThrough = { ...answer, allowed: true, settings: { show: false } };

type Showing = { isAsked?: boolean; closing?: AbortController; show?: Mock<() => Promise<void>> };

/** Shows something, where the service has that decision by now. */
async function showAgain(
  decision: object,
  { isAsked = false, closing = new AbortController(), show = vi.fn(tooOld) }: Showing,
) {
  const fetched = vi.fn(async () => new Response(JSON.stringify(decision)));
  vi.stubGlobal("fetch", fetched);
  const options = {};
  const simulated = { country: "", region: "" };
  const base = "https://offers.example/";
  const tell = vi.fn();
  const visit: Visit = {
    tag: { base, pub: "pub_a", website: "ws_a", mode: "overlay", simulated, options },
    decision: null,
    offers: Promise.resolve(null),
    send: () => {},
    tell,
    closing,
    script: null,
  };
  const shown = withFreshDecision(visit, closing.signal, () => isAsked, show);
  const problem: unknown = await shown.then(
    () => null,
    (reason) => reason,
  );
  return {
    visit,
    problem,
    shows: show.mock.calls.length,
    asked: fetched.mock.calls.length,
    told: tell.mock.calls.map(([event]) => event),
  };
}

test.each([
  ["blocks as before", blocked, {}, 2, ["decision"]],
  ["lets its visitor through", letThrough, { isAsked: true }, 1, ["decision"]],
  ["knows that it was closed in another tab", leftClosed, {}, 1, ["decision", "withheld"]],
  ["knows that, and somebody asks for it", leftClosed, { isAsked: true }, 2, ["decision"]],
])("where the decision is too old and the next one %s", async (_what, decision, options, shows, told) => {
  const show = vi.fn(async () => {}).mockImplementationOnce(tooOld);
  const after = await showAgain(decision, { ...options, show });
  expect(after).toMatchObject({ problem: null, shows, told, asked: 1 });
  expect(after.visit.decision).toEqual(decision);
  expect(after.visit.offers).toBeUndefined();
});

test("a decision that is too old at once again is the end of it", async () => {
  const after = await showAgain(blocked, {});
  expect(after).toMatchObject({ shows: 2, asked: 1, problem: { status: 410 } });
});

test.each([
  ["a refusal", new Response("", { status: 403 })],
  ["no answer", null],
])("%s is none of the decision's", async (_what, problem) => {
  const after = await showAgain(blocked, { show: vi.fn(async () => Promise.reject(problem)) });
  expect(after).toMatchObject({ shows: 1, asked: 0, problem, told: [] });
});

test("what is closed while the next decision is awaited stays closed", async () => {
  const closing = new AbortController();
  const show = vi.fn(() => {
    closing.abort();
    return tooOld();
  });
  expect(await showAgain(blocked, { closing, show })).toMatchObject({ shows: 1, told: [], problem: null });
});
