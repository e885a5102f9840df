import { decisionAnswer } from "@offers/contract/decision";
import { expect, test, vi } from "vitest";
import { chooseTrigger } from "../commands/trigger.ts";
import { readTag } from "../loader/read-tag.ts";
import type { Visit } from "../wire/visit.ts";
import { explain, type Happening } from "./explain.ts";
import { speak } from "./speak.ts";

const options = { pub: "pub_a", website: "ws_a" };
const decision = decisionAnswer.parse({
  allowed: false,
  requestId: "req_1",
  country: "US",
  region: "NJ",
  blocked: {
    reason: "region_blocked",
    title: "",
    message: "",
    supportContact: null,
    dismissible: true,
    fallback: null,
  },
  settings: {
    theme: "auto",
    language: "",
    trigger: "immediate",
    placement: "center",
    frequency: "closed",
    show: true,
  },
});
const settled = (settings: object) => ({ ...decision, settings: { ...decision.settings, ...settings } });
const error = (status: number, code = "", says = "", reason = "") =>
  ({ at: "error", options, reason, status, code, says }) as const;
const started = (all: object, isForeign = false) =>
  ({ at: "start", options: { ...all }, isForeign }) as const;
const decided = (more: object = {}, answer: object = {}) =>
  ({
    at: "decision",
    options: { ...options, ...more },
    decision: { ...decision, ...answer },
    ruledOut: "",
    trigger: chooseTrigger(Object(more).trigger, Object(answer).settings?.trigger ?? "immediate"),
  }) as const;

test.each([
  ["a tag without keys", started({}), /no data-pub and no data-website/],
  ["a tag without a website", started({ pub: "pub_a" }), /has no data-website$/m],
  ["a mode that is none", started({ ...options, mode: "popup" }), /data-mode is popup/],
  ["consent that is not there yet", started({ ...options, consent: "tcf" }), /before there is consent/],
  ["a whole tag", started(options), null],
  ["consent that is not asked for", started({ ...options, consent: "none" }), null],
  [
    "a tag that only declines",
    started({ ...options, mode: "none" }),
    /data-mode is none, which begins nothing by itself\nnothing where the page only declines; else overlay/,
  ],
  ["another site's frame", started(options, true), /another site's frame\nadd data-frame/],
  ["another site's frame in which it may run", started({ ...options, frame: "" }, true), null],
  [
    "a trigger that is none, in place of which the website's holds",
    decided({ trigger: "onload" }, settled({ trigger: "exit" })),
    /trigger, exit; onload is none/,
  ],
  [
    "a trigger that is none, where the website's is not waited for",
    decided({ trigger: "onload" }),
    /trigger, immediate; onload is none/,
  ],
  ["what is in its way", { at: "waiting", obstacle: "div#cookies is modal" }, /waiting: div#cookies/],
  ["a visitor who is let through", decided({}, { allowed: true }), /from US-NJ/],
  ["an overlay that opens by itself", decided(), null],
  ["a trigger of the website", decided({}, settled({ trigger: "exit" })), /trigger, exit/],
  ["a trigger of the tag", decided({ trigger: "scroll" }), /trigger, scroll/],
  [
    "a visitor who has closed it",
    decided({}, settled({ show: false, hidden: "closed_today" })),
    /has closed the overlay today \(frequency closed\)/,
  ],
  [
    "a visitor who has closed it, and may press its opener",
    decided({ trigger: "click", opener: ".offers" }, settled({ show: false, hidden: "closed_today" })),
    /has closed the overlay today .*\na press of \.offers or offerService\("open"\) opens it/,
  ],
  [
    "a firm overlay, which opens at once whatever is set",
    decided({ trigger: "manual" }, { blocked: { ...decision.blocked, dismissible: false } }),
    null,
  ],
  [
    "a page without overlay by the website's rules",
    { ...decided({}, settled({ trigger: "exit" })), ruledOut: "/imprint" },
    /page rules keep the overlay from \/imprint/,
  ],
  ["a section without a place", error(0, "", "", "no_container"), /names no place/],
  ["a section in a narrow place", error(0, "", "", "too_narrow"), /narrower than 240/],
  ["offers", { at: "shown", options, offers: 3 }, /with 3 offers/],
  [
    "no offer",
    { at: "shown", options, offers: 0 },
    /^no offer is shown: the allowlist permits none, none covers this place/,
  ],
  ["keys or an origin that do not fit", error(403, "origin_not_allowed"), /do not belong together/],
  ["a limit", error(429, "rate_limited"), /exceeds a limit/],
  ["no answer", error(0), /no answer that this page may read/],
  [
    "another refusal",
    error(400, "invalid_parameter", "frequency must be…"),
    /answered 400 invalid_parameter/,
  ],
] satisfies [string, Happening, RegExp | null][])("%s", (_, now, expected) => {
  const said = explain(now);
  if (expected === null) expect(said).toBeNull();
  else {
    expect(`${said?.verdict}: ${said?.reason}\n${said?.fix}`).toMatch(expected);
    expect(said?.fix).not.toBe("");
  }
});

test("one line says it all, of the tag's own events alone", async () => {
  const info = vi.spyOn(console, "info").mockReturnValue();
  const heard = new Map<string, (detail: { [member: string]: unknown }) => unknown>();
  const listen = (event: string, callback: (detail: { [member: string]: unknown }) => unknown) =>
    heard.set(event, callback);
  speak(
    "https://offers.example/",
    options,
    [],
    listen,
    () => true,
    chooseTrigger,
    () => true,
  );
  expect(info).not.toHaveBeenCalled();
  const refused = Response.json({ code: "origin_not_allowed" }, { status: 403 });
  await heard.get("error")?.({ website: "ws_b", mode: "overlay", problem: refused });
  expect(info).not.toHaveBeenCalled();
  await heard.get("error")?.({ website: "ws_a", surface: "decline", problem: undefined });
  expect(info.mock.lastCall?.[0]).toMatch(/^%coffers: nothing is shown/);
  info.mockClear();
  await heard.get("error")?.({ website: "ws_a", mode: "overlay", problem: refused });
  expect(info.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^%coffers: nothing is shown%c – .* \(website check: wrong_public_key, .*https:\/\/offers.example\/docs\/embed#when-nothing-is-shown$/,
      ),
      "font-weight:700",
      "",
    ],
  ]);
});

test("an overlay that may not be dismissed is said to wait for nothing", async () => {
  vi.useFakeTimers();
  const info = vi.spyOn(console, "info").mockReturnValue();
  info.mockClear();
  vi.stubGlobal("location", { pathname: "/" });
  const visits: Visit[] = [];
  const heard = new Map<string, (detail: { [member: string]: unknown }) => unknown>();
  const listen = (event: string, callback: (detail: { [member: string]: unknown }) => unknown) =>
    heard.set(event, callback);
  speak(
    "https://offers.example/",
    options,
    visits,
    listen,
    () => true,
    chooseTrigger,
    () => true,
  );
  const tag = readTag("https://offers.example/embed.js", options, "");
  if (!tag) throw new Error("the tag has its keys");
  const firm = { ...decision, blocked: decision.blocked && { ...decision.blocked, dismissible: false } };
  visits.push({ tag, script: null, decision: firm, send() {}, tell() {}, closing: new AbortController() });
  await heard.get("decision")?.({ website: "ws_a", mode: "overlay" });
  expect(vi.getTimerCount()).toBe(0);
  expect(info).not.toHaveBeenCalled();
  vi.useRealTimers();
});
