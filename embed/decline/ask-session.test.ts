import { afterEach, expect, test, vi } from "vitest";
import { openSession } from "./ask-session.ts";

const tag = {
  ...{ base: "https://offers.example/", pub: "pub_a", website: "ws_a", mode: "overlay", options: {} },
  simulated: { country: "", region: "" },
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What opening a session rejects with, where the service or a proxy before it gives this answer each time. */
const problemOf = async (status: number, type: string, body: string): Promise<unknown> => {
  // It is tried again after seconds.
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async () => new Response(body, { status, headers: { "content-type": type } }));
  const problem = openSession(tag, new AbortController().signal).then(
    () => null,
    (reason: unknown) => reason,
  );
  await vi.runAllTimersAsync();
  return problem;
};

const answers = [
  ["a problem of the service", 403, "application/problem+json", '{"code":"invalid_website"}'],
  ["a proxy's page", 502, "text/html", "<h1>Bad Gateway</h1>"],
  ["a proxy's empty answer", 502, "text/html", ""],
] as const;

test.each(answers)("%s is what a page is told, with its status", async (_name, status, type, body) => {
  const problem = (await problemOf(status, type, body)) as Response;
  expect(problem).toBeInstanceOf(Response);
  expect([problem.status, problem.headers.get("content-type"), await problem.text()]).toEqual([
    status,
    type,
    body,
  ]);
});

test("an answer that cannot be read is told with its status", async () => {
  const problem = (await problemOf(502, "application/json", "<h1>")) as Response;
  expect([problem.status, await problem.text()]).toEqual([502, ""]);
});

test.each(answers)("%s is told without `Response.json` too", async (_name, ...answer) => {
  vi.spyOn(Response, "json").mockImplementation(() => {
    throw new TypeError("Response.json is not a function");
  });
  const problem = (await problemOf(...answer)) as Response;
  expect([problem.status, await problem.text()]).toEqual([answer[0], answer[2]]);
});

/** Counts what is asked of a service that answers each time that it is busy for so many seconds. */
const busyFor = (seconds: number) => {
  vi.useFakeTimers();
  const asked = vi.fn(
    async () => new Response("", { status: 429, headers: { "retry-after": String(seconds) } }),
  );
  vi.stubGlobal("fetch", asked);
  return asked;
};

test("a service that is busy for longer than a visitor can be left in the dark is not waited for", async () => {
  const asked = busyFor(60);
  const told = vi.fn();
  openSession(tag, new AbortController().signal).catch(told);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told.mock.lastCall?.[0]).toMatchObject({ status: 429 });
  expect(asked).toHaveBeenCalledTimes(1);
});

test("a service that is busy for a moment is asked again once that is over", async () => {
  const asked = busyFor(3);
  openSession(tag, new AbortController().signal).catch(() => {});
  await vi.advanceTimersByTimeAsync(2900);
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toHaveBeenCalledTimes(2);
});

test("what is closed while it waits is asked for no more", async () => {
  const asked = busyFor(3);
  const closing = new AbortController();
  const told = vi.fn();
  openSession(tag, closing.signal).catch(told);
  await vi.advanceTimersByTimeAsync(1000);
  closing.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toHaveBeenCalledTimes(1);
  expect(asked).toHaveBeenCalledTimes(1);
});
