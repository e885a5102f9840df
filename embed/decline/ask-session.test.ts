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
  const problem = openSession(tag).then(
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
