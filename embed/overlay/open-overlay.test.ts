import { decisionAnswer } from "@offers/contract/decision";
import { beforeEach, expect, test, vi } from "vitest";
import { readTag } from "../loader/read-tag.ts";
import type { Visit } from "../wire/visit.ts";
import type { Ending } from "./show-dialog.tsx";

/** What closes the dialogs that have been shown, in their order; the one that stands is the last of them. */
const shown: ((ending: Ending) => void)[] = [];
let isStanding = false;
/** How often the page was looked at for what is in the way. */
let looks = 0;
let isBusy = false;
vi.mock("./show-dialog.tsx", () => ({
  showDialog({ onClosed }: { onClosed: (ending: Ending) => void }) {
    isStanding = true;
    shown.push((ending) => {
      isStanding = false;
      onClosed(ending);
    });
    return { elements: () => [] };
  },
}));
vi.mock("./clear-view.ts", async (original) => ({
  ...(await original<object>()),
  isViewClear() {
    looks += 1;
    return !isStanding;
  },
  hasRoomForOurs: () => !isStanding,
}));
/** The answer that all overlays wait for. */
let answer = Promise.withResolvers<[]>();
vi.mock("./ask-offers.ts", () => ({ askOffers: () => answer.promise }));
vi.mock("./speech.ts", async () => {
  const { en: words } = await import("../words/en.ts");
  return { speech: async () => ({ words, language: "en", direction: "ltr", langOf: () => undefined }) };
});
vi.mock("./load-logo.ts", () => ({ loadLogo: async () => null }));
vi.mock("./reader.ts", () => ({ watchReader: () => () => !isBusy }));
vi.mock("./panel.tsx", () => ({ Panel: () => null }));
vi.stubGlobal("document", { documentElement: { lang: "en" } });
const { openOverlay } = await import("./open-overlay.ts");

beforeEach(() => {
  shown.length = 0;
  isStanding = false;
  looks = 0;
  isBusy = false;
  answer = Promise.withResolvers();
  vi.useFakeTimers();
});

const visitOf = (website: string, dismissible: boolean): Visit => {
  const tag = readTag("https://offers.example/embed.js", { pub: "pub_a", website }, "");
  if (!tag) throw new Error("the tag is complete");
  const decision = decisionAnswer.parse({
    allowed: false,
    requestId: "req_1",
    country: "DE",
    region: "",
    settings: {
      theme: "auto",
      language: "",
      trigger: "immediate",
      placement: "center",
      frequency: "closed",
      show: true,
    },
    blocked: {
      reason: "country_blocked",
      title: "",
      message: "",
      supportContact: null,
      dismissible,
      fallback: null,
    },
  });
  return {
    tag,
    decision,
    send: vi.fn(),
    tell: vi.fn(),
    closing: new AbortController(),
    script: null,
  };
};

test.each([true, false])(
  "of two overlays that are ready at the same moment the second opens once the first has closed (dismissible: %s)",
  async (dismissible) => {
    const visits = ["ws_a", "ws_b"].map((website) => visitOf(website, dismissible));
    const both = visits.map((visit) => openOverlay(visit, "immediate", visit.closing.signal));
    answer.resolve([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown).toHaveLength(1);
    shown[0]?.("visitor");
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown).toHaveLength(2);
    shown[1]?.("visitor");
    await Promise.all(both);
  },
);

test.each(["immediate", "pause"] as const)(
  "the page is not looked at for what is in the way while its reader is busy (%s)",
  async (trigger) => {
    const visit = visitOf("ws_a", true);
    isBusy = true;
    const opened = openOverlay(visit, trigger, visit.closing.signal);
    answer.resolve([]);
    await vi.advanceTimersByTimeAsync(5000);
    expect([looks, shown.length]).toEqual([0, 0]);
    isBusy = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect([looks > 0, shown.length]).toEqual([true, 1]);
    shown[0]?.("visitor");
    await opened;
  },
);
