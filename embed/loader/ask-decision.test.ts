import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { askDecision, isDecision } from "./ask-decision.ts";

const url = "https://offers.example/v1/decision?pub=pub_a&website=ws_a";
const answering = (body: string, status = 200) => vi.fn(async () => new Response(body, { status }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a decision", () => {
  test.each([
    ["an allowed visitor", { allowed: true, requestId: "req_1" }, true],
    ["a blocked visitor", { allowed: false, requestId: "req_1", later: "additions" }, true],
    ["a word instead of a boolean", { allowed: "false", requestId: "req_1" }, false],
    ["nothing about the visitor", { requestId: "req_1" }, false],
    ["no requestId", { allowed: false }, false],
    ["an empty requestId", { allowed: false, requestId: "" }, false],
    ["null", null, false],
    ["a list", [true], false],
    ["a text", "allowed", false],
  ])("with %s: %j is %j", (_name, body, verdict) => {
    expect(isDecision(body)).toBe(verdict);
  });

  test("is recognised in any JSON value without an error", () => {
    fc.assert(fc.property(fc.jsonValue(), (body) => typeof isDecision(body) === "boolean"));
  });
});

describe("asking for it", () => {
  test("sends no credentials and no header of ours", async () => {
    const fetched = answering('{"allowed":true,"requestId":"req_1"}');
    vi.stubGlobal("fetch", fetched);
    await expect(askDecision(url)).resolves.toMatchObject({ allowed: true });
    const [[asked, options]] = fetched.mock.calls as unknown as [[string, RequestInit]];
    expect(asked).toBe(url);
    expect(options).toEqual({
      credentials: "omit",
      referrerPolicy: "origin",
      signal: expect.any(AbortSignal),
    });
  });

  test.each([403, 404, 429, 500, 503])("rejects for status %d, whatever its body", async (status) => {
    vi.stubGlobal("fetch", answering('{"allowed":false,"requestId":"req_1"}', status));
    await expect(askDecision(url)).rejects.toBeDefined();
  });

  test("rejects when the body is no JSON", async () => {
    vi.stubGlobal("fetch", answering("<html>"));
    await expect(askDecision(url)).rejects.toThrow(SyntaxError);
  });

  test("gives up after two and a half seconds", async () => {
    const patience = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
    vi.stubGlobal("fetch", (_url: string, { signal }: { signal: AbortSignal }) => {
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const rejected = expect(askDecision(url)).rejects.toMatchObject({ name: "AbortError" });
    expect(timeout).toHaveBeenCalledWith(2500);
    patience.abort();
    await rejected;
  });
});
