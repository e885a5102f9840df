import { decisionAnswer } from "@offers/contract/decision";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Refusal } from "../commands/await-consent.ts";
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
const started = (all: object, isForeign = false, isSettled = false) =>
  ({ at: "start", options: { ...all }, isForeign, isSettled }) as const;
const refused = (all: object, more: Partial<Extract<Happening, { at: "refused" }>> = {}) =>
  ({
    at: "refused",
    options: { ...options, ...all },
    refusal: "stop",
    isThere: false,
    isFrame: false,
    ...more,
  }) as const;
const decided = (more: object = {}, answer: object = {}) =>
  ({
    at: "decision",
    options: { ...options, ...more },
    decision: { ...decision, ...answer },
    ruledOut: "",
    simulated: { country: "", region: "" },
    hasOpener: true,
    trigger: chooseTrigger(Object(more).trigger, Object(answer).settings?.trigger ?? "immediate"),
  }) as const;

test.each([
  ["a tag without keys", started({}), /no data-pub and no data-website/],
  ["a tag without a website", started({ pub: "pub_a" }), /has no data-website$/m],
  ["a mode that is none", started({ ...options, mode: "popup" }), /data-mode is popup/],
  ["consent that is not there yet", started({ ...options, consent: "tcf" }), /before there is consent/],
  [
    "the page's own word",
    started({ ...options, consent: "manual" }),
    /"manual": nothing is asked before there is consent\nhave the page say offerService\("consent", true\)/,
  ],
  [
    "a consent that is none",
    started({ ...options, consent: "tfc" }),
    /"tfc": none of tcf, gpp, manual and none, so as with manual nothing is asked .*\nhave the page say/,
  ],
  [
    "consent that is refused",
    refused({ consent: "tcf" }),
    /no consent: __tcfapi says no to purposes 2,7 \(data-consent-purposes\)\nagree/,
  ],
  [
    "consent to other purposes that is refused",
    refused({ consent: "gpp", consentPurposes: "1,2" }),
    /__gpp says no to purposes 1,2 \(data-consent-purposes\), or has an opt-out, in a section/,
  ],
  [
    "consent that the page takes back",
    refused({ consent: "manual" }),
    /the page has said offerService\("consent", false\)/,
  ],
  [
    "the same under a word that is none",
    refused({ consent: "tfc" }),
    /the page has said offerService\("consent", false\)/,
  ],
  [
    "a platform that is not there",
    refused({ consent: "gpp" }, { refusal: "silent" }),
    /no __gpp has come within 10000 ms \(data-consent-timeout\)\nload the consent platform/,
  ],
  [
    "a platform that is not in the frame",
    refused({ consent: "tcf", consentTimeout: "500" }, { refusal: "silent", isFrame: true }),
    /no __tcfapi has come into this frame within 500 ms/,
  ],
  [
    "a platform that is silent",
    refused({ consent: "tcf" }, { refusal: "silent", isThere: true }),
    /__tcfapi is there and has not answered within 10000 ms .*, or has failed/,
  ],
  ["consent that is given by then", started({ ...options, consent: "manual" }, false, true), null],
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
  [
    "a frequency that is none",
    started({ ...options, frequency: "once" }),
    /data-frequency is once\nwrite page, closed or day$/,
  ],
  ["a frequency that is one", started({ ...options, frequency: "day" }), null],
  [
    "an opener that is not in the page",
    { ...decided({ trigger: "click", opener: ".offers" }), hasOpener: false },
    /trigger, click; nothing matches \.offers/,
  ],
  [
    "a simulated place on a live website",
    { ...decided({}, { allowed: true }), simulated: { country: "gb", region: "" } },
    /from US-NJ \(the simulated place was not taken: no development website\)/,
  ],
  [
    "a simulated region alone on a live website",
    { ...decided({}, { allowed: true }), simulated: { country: "", region: "ca" } },
    /from US-NJ \(the simulated place was not taken: no development website\)/,
  ],
  [
    "a simulated place that was taken",
    { ...decided({}, { allowed: true }), simulated: { country: "us", region: "us-nj" } },
    /from US-NJ see/,
  ],
  ["one offer", { at: "shown", options, offers: 1 }, /shown: offers: 1\n/],
  ["a section without a place", error(0, "", "", "no_container"), /names no place/],
  ["a section in a narrow place", error(0, "", "", "too_narrow"), /narrower than 240/],
  ["offers", { at: "shown", options, offers: 3 }, /shown: offers: 3/],
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

describe("what becomes of a tag while it waits", () => {
  /** A tag about which the page says more as time goes by, and what the console says of it. */
  function waitingTag() {
    vi.useFakeTimers();
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("parent", globalThis);
    const info = vi.spyOn(console, "info").mockReturnValue();
    info.mockClear();
    const now: { options: object; refusal: Refusal | undefined } = { options, refusal: undefined };
    speak(
      "https://offers.example/",
      () => ({ ...now.options }),
      [],
      () => undefined,
      () => true,
      chooseTrigger,
      () => true,
      () => now.refusal,
    );
    const lines = () => info.mock.calls.map(([line]) => String(line));
    return { now, lines, pass: (ms: number) => vi.advanceTimersByTime(ms) };
  }
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("a refusal is told once, and again when there was consent in between", () => {
    const { now, lines, pass } = waitingTag();
    now.options = { ...options, consent: "tcf" };
    pass(5000);
    expect(lines()).toEqual([expect.stringMatching(/waiting%c – data-consent="tcf": nothing is asked/)]);
    for (const refusal of ["stop", "", "stop", "silent", undefined, "silent"] as const) {
      now.refusal = refusal;
      pass(5000);
    }
    expect(lines().slice(1)).toEqual([
      expect.stringMatching(/no consent%c – __tcfapi says no/),
      expect.stringMatching(/no consent%c – __tcfapi says no/),
      expect.stringMatching(/no consent%c – no __tcfapi has come within/),
      // Another view of the page, which asks anew.
      expect.stringMatching(/waiting%c – data-consent="tcf"/),
      expect.stringMatching(/no consent%c – no __tcfapi has come within/),
    ]);
  });

  test("a platform that is there is told from one that is not", () => {
    vi.stubGlobal("__gpp", () => undefined);
    const { now, lines, pass } = waitingTag();
    now.options = { ...options, consent: "gpp" };
    now.refusal = "silent";
    pass(500);
    expect(lines().at(-1)).toMatch(/__gpp is there and has not answered/);
  });

  test("the page's function is called by its own name", () => {
    const { now, lines, pass } = waitingTag();
    now.options = { ...options, consent: "manual", global: "$$" };
    pass(500);
    expect(lines()).toEqual([expect.stringContaining('have the page say $$("consent", true)')]);
  });

  test("keys that init says behind the script are waited for", () => {
    const { now, lines, pass } = waitingTag();
    now.options = {};
    pass(1500);
    now.options = options;
    pass(9000);
    expect(lines()).toEqual([]);
  });

  test("keys that do not come are told to be missing, and no consent is asked for", () => {
    const { now, lines, pass } = waitingTag();
    now.options = { consent: "tcf" };
    now.refusal = "stop";
    pass(9000);
    expect(lines()).toEqual([expect.stringMatching(/the tag has no data-pub and no data-website/)]);
  });
});

test("one line says it all, of the tag's own events alone", async () => {
  const info = vi.spyOn(console, "info").mockReturnValue();
  const heard = new Map<string, (detail: { [member: string]: unknown }) => unknown>();
  const listen = (event: string, callback: (detail: { [member: string]: unknown }) => unknown) =>
    heard.set(event, callback);
  speak(
    "https://offers.example/",
    () => options,
    [],
    listen,
    () => true,
    chooseTrigger,
    () => true,
    () => undefined,
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

test("a line ends in one full stop, also where the service's own words end in one", async () => {
  const info = vi.spyOn(console, "info").mockReturnValue();
  info.mockClear();
  const heard = new Map<string, (detail: { [member: string]: unknown }) => unknown>();
  speak(
    "https://offers.example/",
    () => options,
    [],
    (event, callback) => heard.set(event, callback),
    () => true,
    chooseTrigger,
    () => true,
    () => undefined,
  );
  const problem = Response.json({ code: "invalid_parameter", detail: "Say a country." }, { status: 400 });
  await heard.get("error")?.({ website: "ws_a", mode: "overlay", problem });
  expect(info.mock.lastCall?.[0]).toMatch(/Say a country\. https:/);
});

test("an overlay that may not be dismissed is said to wait for nothing", async () => {
  vi.useFakeTimers();
  const info = vi.spyOn(console, "info").mockReturnValue();
  info.mockClear();
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("document", { querySelectorAll: () => [] });
  const visits: Visit[] = [];
  const heard = new Map<string, (detail: { [member: string]: unknown }) => unknown>();
  const listen = (event: string, callback: (detail: { [member: string]: unknown }) => unknown) =>
    heard.set(event, callback);
  speak(
    "https://offers.example/",
    () => options,
    visits,
    listen,
    () => true,
    chooseTrigger,
    () => true,
    () => undefined,
  );
  const tag = readTag("https://offers.example/embed.js", options, "");
  if (!tag) throw new Error("the tag has its keys");
  const firm = { ...decision, blocked: decision.blocked && { ...decision.blocked, dismissible: false } };
  visits.push({ tag, script: null, decision: firm, send() {}, tell() {}, closing: new AbortController() });
  await heard.get("decision")?.({ website: "ws_a", mode: "overlay" });
  // The one by which it looks what is known of the tag.
  expect(vi.getTimerCount()).toBe(1);
  expect(info).not.toHaveBeenCalled();
  vi.useRealTimers();
});
