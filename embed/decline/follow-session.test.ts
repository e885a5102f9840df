import { sessionState } from "@offers/contract/decline";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readTag } from "../loader/read-tag.ts";
import { ZoneTarget } from "../wire/zone-target-for-tests.ts";
import { followSession } from "./follow-session.ts";
import { readSession } from "./read-session.ts";

const sessionId = "dcl_0123456789abcdefghijkl";
const tag = readTag("https://offers.example/embed.js", { pub: "pub_a", website: "ws_a" }, "");
const page = new EventTarget() as EventTarget & { hidden: boolean };
const fetched = vi.fn<(request: Request) => Promise<Response>>();
const state = (more: object) => {
  const expiresAt = new Date(Date.now() + 900_000).toISOString();
  return { sessionId, expiresAt, pollAfterMs: 2000, language: "", status: "pending", ...more };
};
const answering = (more: object) => async () => Response.json(state(more));

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
  page.hidden = false;
  vi.stubGlobal("document", page);
  fetched.mockReset().mockImplementation(answering({}));
  vi.stubGlobal("fetch", fetched);
  watching.onSilence.mockReset();
  watching.onHeard.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const watching = { onSilence: vi.fn<(retry: () => void) => void>(), onHeard: vi.fn() };

function follow(signal = new AbortController().signal, more = {}) {
  const session = readSession(state(more));
  if (!tag || !session) throw new Error("both are complete");
  return followSession(tag, session, signal, watching);
}
const untilAborted = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
const turnPage = (hidden: boolean) => {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
};

describe("an open session", () => {
  test("is polled as often as the service says, by simple requests", async () => {
    const ended = follow();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetched).toHaveBeenCalledTimes(5);
    const [[request]] = fetched.mock.calls as [[Request]];
    expect(request.url).toBe(
      `https://offers.example/v1/widget-decline/session/${sessionId}?pub=pub_a&website=ws_a`,
    );
    expect(request.credentials).toBe("omit");
    fetched.mockImplementation(answering({ status: "ready", requestId: "req_1", country: "DE", region: "" }));
    await vi.advanceTimersByTimeAsync(2000);
    await expect(ended).resolves.toMatchObject({ status: "ready", granted: { requestId: "req_1" } });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toHaveBeenCalledTimes(6);
  });

  test("is not polled while the page is hidden, and at once when it is shown", async () => {
    follow().catch(() => {});
    turnPage(true);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(fetched).not.toHaveBeenCalled();
    turnPage(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test.each([
    ["a browser", () => new EventTarget()],
    ["zone.js before 0.14.3", () => new ZoneTarget()],
  ])("is polled each time that the page is shown again, where %s tells of it", async (_name, open) => {
    const turned = Object.assign(open(), { hidden: false });
    vi.stubGlobal("document", turned);
    follow().catch(() => {});
    for (let round = 1; round <= 3; round += 1) {
      for (const hidden of [true, false]) {
        turned.hidden = hidden;
        turned.dispatchEvent(new Event("visibilitychange"));
        await vi.advanceTimersByTimeAsync(0);
        if (hidden) await vi.advanceTimersByTimeAsync(10_000);
      }
      expect(fetched).toHaveBeenCalledTimes(round);
    }
  });

  test("is left with the signal, and no timer stays", async () => {
    const stop = new AbortController();
    const ended = follow(stop.signal);
    await vi.advanceTimersByTimeAsync(1000);
    stop.abort();
    await expect(ended).resolves.toEqual({ status: "left" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ["right", 900_000],
    ["13 minutes ahead", 120_000],
    ["an hour ahead", -2_700_000],
    ["an hour behind", 4_500_000],
  ])("expires on a hidden page too, by a clock that is %s, and is asked for no more", async (_, leftMs) => {
    turnPage(true);
    const expiresAt = new Date(Date.now() + leftMs).toISOString();
    const ended = follow(undefined, { expiresAt });
    const outcome = () => Promise.race([ended, Promise.resolve("open")]);
    await vi.advanceTimersByTimeAsync(899_999);
    expect(await outcome()).toBe("open");
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome()).toEqual({ status: "expired" });
    turnPage(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).not.toHaveBeenCalled();
  });
});

test("a session expires at its end on a page that was hidden in between", async () => {
  const ended = follow();
  const outcome = () => Promise.race([ended, Promise.resolve("open")]);
  await vi.advanceTimersByTimeAsync(600_000);
  turnPage(true);
  await vi.advanceTimersByTimeAsync(299_999);
  expect(await outcome()).toBe("open");
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome()).toEqual({ status: "expired" });
});

describe("a poll", () => {
  test.each([
    [
      "429 with Retry-After",
      () => new Response("{}", { status: 429, headers: { "retry-after": "10" } }),
      10_000,
    ],
    ["429", () => new Response("{}", { status: 429 }), 4000],
    ["503", () => new Response("{}", { status: 503 }), 4000],
  ])("that is answered %s is repeated later", async (_name, answer, waitMs) => {
    fetched.mockImplementationOnce(async () => answer());
    follow().catch(() => {});
    await vi.advanceTimersByTimeAsync(2000 + waitMs - 1);
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  test("that finds no network is repeated later", async () => {
    fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    follow().catch(() => {});
    await vi.advanceTimersByTimeAsync(6000);
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  test.each([404, 403, 410])("that is answered %d is the last", async (status) => {
    fetched.mockImplementation(async () => new Response("{}", { status }));
    const ended = follow();
    await vi.advanceTimersByTimeAsync(2000);
    await expect(ended).resolves.toEqual({ status: "gone" });
  });

  test.each([
    ["are refused", 2000, async () => new Response("{}", { status: 503 })],
    ["find no network", 2000, () => Promise.reject(new TypeError("Failed to fetch"))],
    ["are never answered", 6000, (request: Request) => untilAborted(request.signal)],
  ])("among many that all %s leads to a word 20 s later, once, and polling goes on", async (...row) => {
    const [, failedAtMs, answer] = row;
    fetched.mockImplementation(answer);
    follow().catch(() => {});
    await vi.advanceTimersByTimeAsync(failedAtMs + 19_900);
    expect(watching.onSilence).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(watching.onSilence).toHaveBeenCalledTimes(1);
    const made = fetched.mock.calls.length;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(watching.onSilence).toHaveBeenCalledTimes(1);
    expect(fetched.mock.calls.length).toBeGreaterThan(made);
    expect(watching.onHeard).not.toHaveBeenCalled();
  });

  test("that is answered after the silence is told, once, and ends it", async () => {
    fetched.mockImplementation(async () => new Response("{}", { status: 503 }));
    follow().catch(() => {});
    await vi.advanceTimersByTimeAsync(22_000);
    fetched.mockImplementation(answering({}));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(watching.onHeard).toHaveBeenCalledTimes(1);
    expect(watching.onSilence).toHaveBeenCalledTimes(1);
  });

  test("is made at once when its visitor tries again, and a new silence is told anew", async () => {
    fetched.mockImplementation(async () => new Response("{}", { status: 503 }));
    follow().catch(() => {});
    await vi.advanceTimersByTimeAsync(22_000);
    const made = fetched.mock.calls.length;
    watching.onSilence.mock.calls[0]?.[0]();
    await vi.advanceTimersByTimeAsync(0);
    expect(fetched).toHaveBeenCalledTimes(made + 1);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(watching.onSilence).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(watching.onSilence).toHaveBeenCalledTimes(2);
  });

  test("waits as long as the service asks for, whatever its visitor does", async () => {
    const busy = new Response("{}", { status: 429, headers: { "retry-after": "60" } });
    fetched.mockImplementationOnce(async () => busy);
    follow().catch(() => {});
    await vi.advanceTimersByTimeAsync(22_000);
    expect(watching.onSilence).toHaveBeenCalledTimes(1);
    watching.onSilence.mock.calls[0]?.[0]();
    await vi.advanceTimersByTimeAsync(39_999);
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  test("that finds the session expired is the last", async () => {
    fetched.mockImplementation(answering({ status: "expired" }));
    const ended = follow();
    await vi.advanceTimersByTimeAsync(2000);
    await expect(ended).resolves.toEqual({ status: "expired" });
  });
});

test.each([
  ["pending", {}, "pending"],
  ["expired", { status: "expired" }, "expired"],
  ["ready", { status: "ready", requestId: "req_1", country: "ZZ", region: "" }, "ready"],
])("a session that is %s is read from what the contract says", (_name, more, status) => {
  const wire = state(more);
  expect(sessionState.parse(wire)).toEqual(wire);
  expect(readSession(wire)?.status).toBe(status);
});

test.each([
  ["nothing", null],
  ["no id", { status: "pending" }],
  ["an unknown status", { sessionId, status: "later" }],
  ["ready, and nothing to ask offers with", { sessionId, status: "ready" }],
])("an answer with %s is no session", (_name, wire) => {
  expect(readSession(wire)).toBeNull();
});
