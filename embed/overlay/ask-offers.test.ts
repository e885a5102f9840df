import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askOffers } from "./ask-offers.ts";

const url = "https://offers.example/v1/offers?x";
const base = "https://offers.example/";
const none = () => new Response('{"premium":[],"standard":[]}');
const busy = (seconds?: string) =>
  new Response("", { status: 503, headers: seconds ? { "retry-after": seconds } : {} });

/** Of what is not closed. */
const open = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Answers one after the other; after the last one never. */
function answering(...answers: (() => Response | Promise<Response>)[]) {
  const fetched = vi.fn(async () => (await answers.shift()?.()) ?? new Promise<Response>(() => {}));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

test.each([
  ["an answer", [none], 1, 0],
  ["an answer after one that was busy", [busy, none], 2, 700],
  ["an answer after two failures", [() => Promise.reject(new TypeError("offline")), busy, none], 3, 2000],
  ["an answer when Retry-After has passed", [() => busy("2"), none], 2, 2000],
])("%s is the offers'", async (_name, answers, calls, ms) => {
  const fetched = answering(...(answers as (() => Response)[]));
  const asked = askOffers(url, base, open);
  await vi.advanceTimersByTimeAsync(ms);
  await expect(asked).resolves.toEqual([]);
  expect(fetched).toHaveBeenCalledTimes(calls);
});

test.each([
  ["a refusal", [() => new Response("", { status: 403 })], 1, 0],
  ["three failures", [busy, busy, busy], 3, 2000],
  ["a Retry-After beyond four seconds", [() => busy("5")], 1, 0],
  ["silence", [], 1, 4000],
])("%s is none", async (_name, answers, calls, ms) => {
  const fetched = answering(...(answers as (() => Response)[]));
  const asked = askOffers(url, base, open);
  const refused = expect(asked).rejects.toBeDefined();
  await vi.advanceTimersByTimeAsync(ms);
  await refused;
  expect(fetched).toHaveBeenCalledTimes(calls);
});

test("Retry-After is not come before", async () => {
  const fetched = answering(() => busy("2"), none);
  const asked = askOffers(url, base, open);
  await vi.advanceTimersByTimeAsync(1999);
  expect(fetched).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  await expect(asked).resolves.toEqual([]);
});

test("an attempt that was made before is the first", async () => {
  const fetched = answering(none);
  await expect(askOffers(url, base, open, Promise.resolve(none()))).resolves.toEqual([]);
  expect(fetched).not.toHaveBeenCalled();
  const asked = askOffers(url, base, open, Promise.resolve(null));
  await vi.advanceTimersByTimeAsync(600);
  await expect(asked).resolves.toEqual([]);
  expect(fetched).toHaveBeenCalledTimes(1);
});

test("one that was made before and hangs is waited for four seconds", async () => {
  answering();
  const asked = askOffers(url, base, open, new Promise(() => {}));
  const refused = expect(asked).rejects.toBeDefined();
  await vi.advanceTimersByTimeAsync(4000);
  await refused;
});

test.each([
  ["before they are asked for", 0, [], undefined, 0],
  ["while an attempt that was made before is awaited", 1, [], Promise.resolve(null), 0],
  ["while the service is busy", 1000, [() => busy("2"), none], undefined, 1],
])("nothing more is asked for once it is closed: %s", async (_name, ms, answers, first, calls) => {
  const fetched = answering(...answers);
  const closing = new AbortController();
  if (ms === 0) closing.abort();
  const asked = askOffers(url, base, closing.signal, first);
  await vi.advanceTimersByTimeAsync(ms);
  closing.abort();
  await expect(asked).resolves.toBeNull();
  await vi.advanceTimersByTimeAsync(4000);
  expect(fetched).toHaveBeenCalledTimes(calls);
});
