import { readFileSync } from "node:fs";
import { tagCauses } from "@offers/contract/words";
import { describe, expect, test } from "vitest";
import type { PageFinding } from "./page-check.ts";
import { callOfInit } from "./page-policy.ts";
import type { TagFacts } from "./tag-facts.ts";
import { tagHealth } from "./tag-health.ts";

const now = Date.UTC(2026, 10, 20, 12);
const [minute, day] = [60_000, 86_400_000];
const www = "https://www.a.example";

const page = "https://a.example/news";
const missing = { code: "tag_missing", isWhole: true } as const;
const policy = (stops: string) =>
  ({
    code: "csp",
    directive: "default-src 'self'",
    place: "header",
    stops,
    line: "script-src 'self' x",
  }) as const;
const steady = Array.from({ length: 14 * 24 }, (_, index) => ({
  hour: now - (index + 1) * 60 * minute,
  loads: 60,
}));

/** A website with nothing to complain of, of which nothing was heard yet. */
const fresh: TagFacts = {
  now,
  waitingSince: now - 5000,
  websiteKey: "ws_a",
  publicKey: "pub_a",
  origins: ["https://a.example"],
  isPaused: false,
  isDevelopment: false,
  blocksSomebody: true,
  hasSupportContact: true,
  silentAt: null,
  lastPing: null,
  othersAt: null,
  loads: [],
  currentScript: "1.2.0",
  refused: [],
  elsewhere: [],
  offers: { active: 9, permitted: 7 },
  offersReachSomebody: true,
  placesWithoutOffer: [],
  checkedPage: null,
};
const pinged = { at: now - minute, page: "https://a.example/", scriptVersion: "1.2.0" };
const from = (code: TagFacts["refused"][number]["code"], at = now - 1000, origin = www) => ({
  code,
  origin,
  pub: null,
  at,
});
const named = (key: string | null, at = now - 1000, isShared = false, isOwn = true) => ({
  website: key === null ? null : { key, name: "Journal", isOwn },
  origin: "https://a.example",
  at,
  isShared,
});

test.each<[string, Partial<TagFacts>, string, string[]]>([
  ["nothing was heard of it for five seconds", {}, "waiting", []],
  ["nothing was heard of it for a minute", { waitingSince: now - minute }, "broken", ["no_call"]],
  ["it was just seen", { lastPing: pinged }, "live", []],
  ["it was seen yesterday", { lastPing: { ...pinged, at: now - day } }, "live", []],
  ["it was seen before", { lastPing: { ...pinged, at: now - day - 1 } }, "live", ["quiet"]],
  ["nobody answers", { silentAt: "http://127.0.0.1:1" }, "broken", ["service_silent"]],
  ["it is paused", { isPaused: true, lastPing: pinged }, "broken", ["paused"]],
  ["another origin calls", { refused: [from("origin_not_registered")] }, "broken", ["origin_not_registered"]],
  [
    "another origin called that has been registered since",
    { refused: [from("origin_not_registered", now - 5, "https://a.example")] },
    "waiting",
    [],
  ],
  ["plain http calls", { refused: [from("insecure_origin")] }, "broken", ["insecure_origin"]],
  ["another public key calls", { refused: [from("wrong_public_key")] }, "broken", ["wrong_public_key"]],
  ["another website's tag stands there", { elsewhere: [named("ws_b")] }, "broken", ["wrong_website"]],
  [
    "another website that has its origin, too, is seen there",
    { elsewhere: [named("ws_b", now - 1000, true)] },
    "waiting",
    ["wrong_website"],
  ],
  [
    "another website's tag stands there, and after it that of one that has its origin, too",
    { elsewhere: [named("ws_b", now - 2000), named("ws_c", now - 1000, true)] },
    "broken",
    ["wrong_website"],
  ],
  ["a website that is none is named", { elsewhere: [named(null)] }, "broken", ["unknown_website"]],
  [
    "a website that is none is called for",
    { refused: [from("unknown_website")] },
    "broken",
    ["unknown_website"],
  ],
  [
    "a website that is none is called for and named",
    { refused: [from("unknown_website")], elsewhere: [named(null)] },
    "broken",
    ["unknown_website"],
  ],
  [
    "a website that is none is called for, and another one named",
    { refused: [from("unknown_website")], elsewhere: [named("ws_b")] },
    "broken",
    ["wrong_website", "unknown_website"],
  ],
  [
    "silence is explained by a call that was refused",
    { waitingSince: now - minute, refused: [from("rate_limited")] },
    "waiting",
    ["rate_limited"],
  ],
  [
    "silence is explained by a call for another website",
    { waitingSince: now - minute, elsewhere: [named("ws_b", now - 1000, true)] },
    "waiting",
    ["wrong_website"],
  ],
  [
    "silence is explained by both",
    {
      waitingSince: now - minute,
      refused: [from("rate_limited")],
      elsewhere: [named("ws_b", now - 1000, true)],
    },
    "waiting",
    ["wrong_website", "rate_limited"],
  ],
  ["visitors exceed a limit", { refused: [from("rate_limited")] }, "waiting", ["rate_limited"]],
  [
    "another origin calls beside one that is well",
    { lastPing: pinged, refused: [from("origin_not_registered")] },
    "live",
    ["origin_not_registered"],
  ],
  [
    "another origin called, and was mended",
    { lastPing: pinged, refused: [from("origin_not_registered", now - 2 * minute)] },
    "live",
    [],
  ],
  [
    "another origin called in the moment of a page",
    { lastPing: pinged, refused: [from("origin_not_registered", pinged.at)] },
    "live",
    [],
  ],
  [
    "another website's tag stood there, and was replaced",
    { lastPing: pinged, elsewhere: [named("ws_b", now - 2 * minute)] },
    "live",
    [],
  ],
  [
    "another origin called, and was mended by a page that is not told apart",
    {
      lastPing: { ...pinged, at: now - 3 * minute },
      othersAt: now - minute,
      refused: [from("origin_not_registered", now - 2 * minute)],
    },
    "live",
    [],
  ],
  [
    "another origin calls beside pages that are not told apart",
    {
      othersAt: now - 2 * minute,
      refused: [from("origin_not_registered", now - minute)],
      checkedPage: { url: page, findings: [missing] },
    },
    "waiting",
    ["origin_not_registered", "tag_missing"],
  ],
  ["there is no offer", { offers: { active: 0, permitted: 0 } }, "waiting", ["no_offer_permitted"]],
  ["no offer is permitted", { offers: { active: 9, permitted: 0 } }, "waiting", ["allowlist_empty"]],
  [
    "a blocked place has no offer",
    { placesWithoutOffer: ["FR"], lastPing: pinged },
    "live",
    ["no_offer_for_place"],
  ],
  [
    "permitted offers cover no blocked place",
    { offersReachSomebody: false },
    "waiting",
    ["no_offer_anywhere"],
  ],
  [
    "nobody is blocked, and no offer reaches anybody",
    { offersReachSomebody: false, blocksSomebody: false },
    "waiting",
    ["blocks_nobody"],
  ],
  ["a page runs an old script", { lastPing: { ...pinged, scriptVersion: "1.1.9" } }, "live", ["old_script"]],
  [
    "a page runs a script of long ago",
    { lastPing: { ...pinged, scriptVersion: "0.9.9" } },
    "live",
    ["old_script"],
  ],
  [
    "a page runs the patch before",
    { lastPing: { ...pinged, scriptVersion: "1.2.0" }, currentScript: "1.2.1" },
    "live",
    ["old_script"],
  ],
  ["a page runs a script of later", { lastPing: { ...pinged, scriptVersion: "2.0.0" } }, "live", []],
  ["the service's script has no number", { lastPing: pinged, currentScript: "next" }, "live", []],
  ["a page runs a newer script", { lastPing: { ...pinged, scriptVersion: "1.10.0" } }, "live", []],
  ["a page names a version that is none", { lastPing: { ...pinged, scriptVersion: "1.1" } }, "live", []],
  [
    "it usually has a page a minute",
    { loads: steady, lastPing: { ...pinged, at: now - 11 * minute } },
    "live",
    ["quiet"],
  ],
  [
    "it has a page a minute, and too many others to tell them apart",
    { loads: steady, lastPing: { ...pinged, at: now - 11 * minute }, othersAt: now - minute },
    "live",
    [],
  ],
  [
    "pages that are not told apart are silent, too",
    { loads: steady, lastPing: { ...pinged, at: now - 15 * minute }, othersAt: now - 11 * minute },
    "live",
    ["quiet"],
  ],
  ["only pages came that are not told apart", { waitingSince: now - minute, othersAt: now }, "waiting", []],
  [
    "its page is well, and silent for a minute",
    { waitingSince: now - minute, checkedPage: { url: page, findings: [] } },
    "broken",
    ["no_call"],
  ],
  [
    "its page has no tag",
    { waitingSince: now - minute, checkedPage: { url: page, findings: [missing] } },
    "broken",
    ["tag_missing"],
  ],
  [
    "one of its pages has no tag",
    { lastPing: pinged, checkedPage: { url: page, findings: [missing] } },
    "live",
    ["tag_missing"],
  ],
  [
    "its page has the tag twice",
    { checkedPage: { url: page, findings: [{ code: "two_tags", tags: 2 }] } },
    "waiting",
    ["two_tags"],
  ],
  [
    "its page stops it in two ways",
    { checkedPage: { url: page, findings: [policy("the script"), policy("its calls"), missing] } },
    "broken",
    ["tag_missing", "csp", "csp"],
  ],
  ["the rule blocks nobody", { blocksSomebody: false }, "waiting", ["blocks_nobody"]],
  [
    "it is a development website on an address of the net",
    { isDevelopment: true },
    "waiting",
    ["live_development"],
  ],
  ["it is one on this machine", { isDevelopment: true, origins: ["http://localhost:3000"] }, "waiting", []],
  ["nobody can be asked", { hasSupportContact: false }, "waiting", ["no_support_contact"]],
])("when %s", (_, facts, state, codes) => {
  const health = tagHealth({ ...fresh, ...facts });
  expect([health.state, health.causes.map(({ code }) => code)]).toEqual([state, codes]);
});

test.each([
  [7, "yet"],
  [8, "for as long as calls are kept"],
])("of a website of %s days without a call is said that none came %s", (days, since) => {
  const { causes } = tagHealth({ ...fresh, waitingSince: now - days * day });
  expect(causes.map(({ says }) => says)).toEqual([`No page has called the service ${since}.`]);
});

test("the page on the script tag explains every cause, in their order", () => {
  const page = readFileSync(new URL("../../docs/embed.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("## When nothing is shown");
  const rows = section.split("\n## ")[0]?.matchAll(/^\| (`[^|]+) \|/gm) ?? [];
  const told = [...rows].flatMap(([, cell = ""]) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code));
  expect(told).toEqual(tagCauses);
});

describe("several causes at once", () => {
  const all: TagFacts = {
    ...fresh,
    silentAt: "http://127.0.0.1:8787",
    isPaused: true,
    isDevelopment: true,
    blocksSomebody: false,
    hasSupportContact: false,
    waitingSince: now - minute,
    refused: [
      from("rate_limited"),
      from("wrong_public_key"),
      from("insecure_origin"),
      from("origin_not_registered", now - 3000, "https://old.example"),
      from("origin_not_registered", now - 2000),
    ],
    elsewhere: [named("ws_old", now - 2000), named("ws_b")],
    offers: { active: 9, permitted: 0 },
  };

  test("are told in the order in which they are to be mended, each once", () => {
    const codes = tagHealth(all).causes.map(({ code }) => code);
    expect(codes).toEqual([
      "service_silent",
      "paused",
      "origin_not_registered",
      "insecure_origin",
      "wrong_public_key",
      "wrong_website",
      "rate_limited",
      "allowlist_empty",
      "blocks_nobody",
      "live_development",
      "no_support_contact",
    ]);
    expect(codes).toEqual(tagCauses.filter((code) => codes.includes(code)));
  });

  test("name the newest of their kind, and what to do", () => {
    const told = Object.fromEntries(tagHealth(all).causes.map((cause) => [cause.code, cause]));
    expect(told.origin_not_registered).toMatchObject({
      says: `Calls come from ${www}, which is not registered.`,
      fix: "If it is yours, register it beside the others.",
      command: `website update --website ws_a --origin https://a.example --origin ${www}`,
      button: { kind: "register_origin", origin: www },
    });
    expect(told.wrong_public_key?.fix).toContain("pub_a");
    expect(told.wrong_website?.says).toContain("the tag of Journal (ws_b)");
    expect(told.service_silent?.says).toContain("http://127.0.0.1:8787");
  });

  test.each(["https://q.example", "https://a.example.evil.example", "https://xn--80ak6aa92e.example"])(
    "give no command that registers %s, which anybody may have called from",
    (stranger) => {
      const refused = [
        from("origin_not_registered", now - 9, www),
        from("origin_not_registered", now - 1, stranger),
      ];
      const [first] = tagHealth({ ...fresh, refused: refused.slice(1) }).causes;
      expect(first?.says).toContain(stranger);
      expect(JSON.stringify([first?.fix, first?.command, first?.button])).not.toContain(stranger);
      expect(tagHealth({ ...fresh, refused }).causes[0]?.says, "its own neighbour comes first").toContain(
        www,
      );
    },
  );

  test("never name another publisher's website", () => {
    for (const isShared of [true, false]) {
      const { causes } = tagHealth({ ...fresh, elsewhere: [named("ws_b", now - 1, isShared, false)] });
      expect(causes[0]?.says).toContain("another publisher's tag");
      expect(JSON.stringify(causes)).not.toMatch(/ws_b|Journal/);
    }
  });

  test("name no command where they say what to do", () => {
    const shown = [all, { ...fresh, waitingSince: 0 }, { ...fresh, offers: { active: 0, permitted: 0 } }];
    for (const { code, fix } of shown.flatMap((facts) => tagHealth(facts).causes)) {
      if (code !== "service_silent") expect(fix).not.toMatch(/--|website update|allowlist set|offer create/);
    }
  });

  test("have the button that mends them", () => {
    const buttons = Object.fromEntries(tagHealth(all).causes.map(({ code, button }) => [code, button]));
    expect(buttons).toEqual({
      service_silent: null,
      paused: { kind: "open", page: "settings" },
      origin_not_registered: { kind: "register_origin", origin: www },
      insecure_origin: null,
      wrong_public_key: { kind: "copy_tag" },
      wrong_website: { kind: "copy_tag" },
      rate_limited: null,
      allowlist_empty: { kind: "open", page: "allowlist" },
      blocks_nobody: { kind: "open", page: "places" },
      live_development: { kind: "open", page: "settings" },
      no_support_contact: { kind: "open", page: "look" },
    });
    const stopped = { url: page, findings: [policy("the script")] };
    expect(tagHealth({ ...fresh, checkedPage: stopped }).causes[0]).toMatchObject({
      says: `The content security policy of ${page} stops the script, by a header: default-src 'self'`,
      fix: "Write it so: script-src 'self' x",
      button: { kind: "copy_line", line: "script-src 'self' x" },
    });
    const led = (origin: string) =>
      tagHealth({
        ...fresh,
        checkedPage: { url: page, findings: [{ code: "redirects_elsewhere", origin }] },
      });
    expect(led(www).causes[0]?.button).toEqual({ kind: "register_origin", origin: www });
    expect(led("https://q.example").causes[0]?.button).toBeNull();
  });

  test("tell of several neighbours the newest, in whatever order they are known", () => {
    const calls = [
      from("origin_not_registered", now - 9, www),
      from("origin_not_registered", now - 5, "https://a.example:8443"),
      from("origin_not_registered", now - 7, "http://a.example"),
    ];
    for (const refused of [calls, calls.toReversed()]) {
      expect(tagHealth({ ...fresh, refused }).causes[0]?.says).toContain("https://a.example:8443");
    }
  });

  const altered = { code: "tag_altered", attribute: "data-pub", wanted: "pub_a" } as const;
  const held = (tool: string) => ({ code: "delayed_by_optimiser", attribute: "data-src", tool }) as const;
  const strict = { ...policy("the script"), place: "meta", line: null } as const;
  test.each<[string, PageFinding, string, string | undefined]>([
    ["an attribute that is missing", { ...altered, found: "" }, "has no data-pub, and no script", "copy_tag"],
    ["an address that is missing", { ...altered, attribute: "src", found: "" }, "has no src.", "copy_tag"],
    [
      "a call that says another key",
      { ...altered, found: "x", isInit: true },
      'The call of init in https://a.example/news says pub: "x".',
      "copy_tag",
    ],
    [
      "a consent banner that is known",
      { code: "blocked_by_consent", attribute: 'type="text/plain"', tool: "Cookiebot" },
      'held back by type="text/plain", as Cookiebot does before consent',
      "copy_tag",
    ],
    [
      "a consent banner that is not",
      { code: "blocked_by_consent", attribute: 'type="text/plain"', tool: null },
      "as a consent banner does",
      "copy_tag",
    ],
    [
      "an optimiser",
      { code: "delayed_by_optimiser", attribute: "data-rocket-src", tool: "WP Rocket" },
      "is delayed by WP Rocket, an optimiser (data-rocket-src)",
      "check_page",
    ],
    ["a tag that browsers do not run", { code: "not_run", attribute: "data-src" }, "by data-src", "copy_tag"],
    ["an attribute that was altered", { ...altered, found: "x" }, 'has data-pub="x".', "copy_tag"],
    ["a page without a tag", missing, "The HTML of", "copy_tag"],
    ["a tag that is text", { ...missing, isText: true }, "as text or within a comment alone", "copy_tag"],
    [
      "a page of which the beginning was read",
      { ...missing, isWhole: false },
      "The first megabyte",
      "copy_tag",
    ],
    ["a policy of a header", policy("the script"), "by a header: default-src", "copy_line"],
    ["a policy of the page itself, that no line mends", strict, "by a meta element: default-src", undefined],
  ])("say of a page that was checked what is the matter: %s", (_, finding, says, button) => {
    const { causes } = tagHealth({ ...fresh, checkedPage: { url: page, findings: [finding] } });
    expect([causes[0]?.says, causes[0]?.button?.kind]).toEqual([expect.stringContaining(says), button]);
  });

  test.each([
    [
      "an optimiser's own way out",
      { ...held("Cloudflare Rocket Loader") },
      'data-cfasync="false" into the tag',
    ],
    ["that of one that is not known", held("X"), "Have it leave embed.js alone, empty its cache"],
    [
      "why there is to be no hash",
      { ...altered, attribute: "integrity", found: "sha384-x", wanted: "" },
      "Take it off: the script changes",
    ],
    [
      "what a mode that is none does",
      { ...altered, attribute: "data-mode", found: "x", wanted: "overlay, none" },
      "begins nothing by itself. Write one of these: overlay, none.",
    ],
    [
      "what a consent that is none does",
      { ...altered, attribute: "data-consent", found: "x", wanted: "tcf, gpp" },
      'offerService("consent", true). Write one of these: tcf, gpp.',
    ],
    [
      "a script within the page, which may have the nonce",
      { ...policy(callOfInit), line: "script-src 'sha256-x'" },
      "Give that script the page's nonce, or write it so: script-src",
    ],
  ])("say what to do: %s", (_, finding, fix) => {
    const { causes } = tagHealth({ ...fresh, checkedPage: { url: page, findings: [finding] } });
    expect(causes[0]?.fix).toContain(fix);
  });

  test("tell which wrong public key stands there", () => {
    const refused = [{ ...from("wrong_public_key"), pub: "pub_b" }];
    expect(tagHealth({ ...fresh, refused }).causes[0]?.says).toContain("pub_b");
  });

  test("tell a file from a page that is elsewhere", () => {
    const { causes } = tagHealth({ ...fresh, refused: [from("origin_not_registered", now - 1, "")] });
    expect(causes[0]?.fix).toContain("not as a file");
  });
});
