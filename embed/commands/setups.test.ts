import { beforeEach, expect, test, vi } from "vitest";
import { pageRecord } from "../loader/page-record.ts";
import type { Loader } from "../wire/loader-and-commands.ts";

/** The places that stand in the page. */
const standing = new Set<object>();

vi.mock("virtual:built-files", () => ({ sectionFile: "c/1.js" }));
vi.mock("../section/reserve-place.ts", () => ({
  async reservePlace() {
    const place = {};
    standing.add(place);
    return place;
  },
  releasePlace: (place: object) => standing.delete(place),
}));
vi.stubGlobal("location", { search: "" });
const { consentGates } = await import("./consent-gates.ts");
const { pageSetups } = await import("./setups.ts");

const src = "https://offers.example/embed.js";
const section = { pub: "pub_a", website: "ws_a", mode: "section", consent: "manual" };
const turnOfEvents = () => new Promise(setImmediate);

let begun: number;
let setups: ReturnType<typeof pageSetups>;
let say: (isGiven: boolean) => void;

beforeEach(async () => {
  standing.clear();
  begun = 0;
  const loader: Loader = {
    async beginVisit() {
      begun += 1;
      await new Promise(() => {});
    },
    openOverlay: async () => {},
    isOwnPage: () => true,
  };
  const gates = consentGates(
    (areMeant) => setups.releasePlaces(areMeant, true),
    () => {},
  );
  say = gates.say;
  setups = pageSetups({
    page: pageRecord({}),
    loader,
    gates,
    openOnTrigger: async () => {},
  });
  setups.add({ src, options: section, script: null });
  await turnOfEvents();
});

test("a section's place that waits for consent goes when it is refused, and comes again with a yes", async () => {
  expect(standing.size).toBe(1);
  say(false);
  expect(standing.size).toBe(0);
  say(true);
  await turnOfEvents();
  expect([standing.size, begun]).toEqual([1, 1]);
});

test.each([
  ["in the next view of the page", () => setups.repeat(src)],
  ["of another tag", () => setups.add({ src, options: section, script: {} as Element })],
])("no place is kept free once consent is refused: %s", async (_where, begin) => {
  say(false);
  begin();
  await turnOfEvents();
  expect(standing.size).toBe(0);
  say(true);
  await turnOfEvents();
  expect(standing.size).toBe(begun);
  expect(begun).toBeGreaterThan(0);
});

test("a place goes that consent is refused to while it is kept free", async () => {
  setups.repeat(src);
  say(false);
  await turnOfEvents();
  expect(standing.size).toBe(0);
});

test("each view of the page has one such place, and begins it once", async () => {
  for (let view = 0; view < 3; view += 1) {
    setups.releasePlaces(() => true, true);
    setups.repeat(src);
    await turnOfEvents();
  }
  expect(standing.size).toBe(1);
  say(true);
  await turnOfEvents();
  expect([standing.size, begun]).toEqual([1, 1]);
});

test("a section's place goes when what `init` has it wait for is refused", async () => {
  const asked = vi.fn();
  vi.stubGlobal("window", { __tcfapi: asked });
  setups.add({ src, options: section, script: null, more: { consent: "tcf" } });
  expect(standing.size).toBe(1);
  asked.mock.calls[0]?.at(-1)({ gdprApplies: true, eventStatus: "tcloaded", purpose: {} }, true);
  expect(standing.size).toBe(0);
});
