import type { Endpoint, RateLimitName } from "@offers/contract/endpoints";
import { type ErrorCode, errorCodes } from "@offers/contract/problem";
import { describe, expect, it } from "vitest";
import { refusalLimit } from "./refusal-limit.ts";

type Case = [
  what: string,
  group: Endpoint["group"],
  limit: RateLimitName | null,
  code: ErrorCode,
  wasCounted: boolean,
  under: RateLimitName | null,
];

const cases: Case[] = [
  ["a wrong API key", "server", "key", "unauthorized", false, "wrong_credential"],
  ["a wrong integration secret", "backend", "trigger", "unauthorized", false, "wrong_credential"],
  ["a good key's bad query", "server", "key", "invalid_parameter", true, null],
  ["a good key's unknown website", "server", "key", "not_found", true, null],
  ["a good secret's unknown session", "backend", "trigger", "not_found", true, null],
  ["a credential at a page's route", "embed", "decision", "unauthorized", false, null],
  [
    "an unknown session, counted for its website before",
    "embed",
    "session_poll",
    "not_found",
    true,
    "unknown_session",
  ],
  ["a session asked for elsewhere", "embed", "session_poll", "origin_not_allowed", false, "session_poll"],
  ["a wrong origin", "embed", "decision", "origin_not_allowed", false, "decision"],
  ["a page's bad query", "embed", "offers", "invalid_parameter", false, "offers"],
  [
    "a page's forged requestId, counted for its website before",
    "embed",
    "offers",
    "invalid_request_id",
    true,
    null,
  ],
  ["a page's call that cannot be read", "embed", "offers", "malformed_request", false, null],
  ["a page's call that comes too late", "embed", "offers", "request_expired", true, null],
  ["a forged link", "open", "hop", "invalid_token", false, null],
  ["a credential where anybody may call", "open", "whats_my_ip", "unauthorized", false, null],
];

describe("a refused call is counted by its address", () => {
  it.each(cases)("%s", (_what, group, limit, code, wasCounted, under) => {
    expect(refusalLimit({ group, limit }, { code, status: errorCodes[code].status }, wasCounted)).toBe(under);
  });
});
