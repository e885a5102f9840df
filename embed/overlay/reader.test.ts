import { expect, test, vi } from "vitest";
import { mayInterrupt, watchReader } from "./reader.ts";

const never = Number.NEGATIVE_INFINITY;
const idle = { actedAtMs: never, movedAtMs: 100, isEngaged: false, isNewUntilMs: 2600, seenAtMs: never };
const inPause = { isNewUntilMs: never, seenAtMs: 300 };

test.each([
  ["at once, on a page that is new", {}, 200, true],
  ["at the end of that time", {}, 2600, true],
  ["not just after it", { movedAtMs: 700 }, 2601, false],
  ["once nothing has moved for two seconds", { movedAtMs: 700 }, 2700, true],
  ["not within two seconds of a key, a press or a scroll", { actedAtMs: 200 }, 2199, false],
  ["two seconds after it", { actedAtMs: 200 }, 2200, true],
  ["not over a text that is written or a film", { isEngaged: true }, 9999, false],
  [
    "in a pause that the pointer does not break, where lateness does not matter",
    { isNewUntilMs: Number.POSITIVE_INFINITY, movedAtMs: 8999 },
    9000,
    true,
  ],
  ["not in a pause before the page has been seen for two seconds", inPause, 2299, false],
  ["in the first pause after that", inPause, 2300, true],
  ["not in a pause of a page that nobody can see", { ...inPause, seenAtMs: -never }, 9999, false],
  ["not in a pause that the pointer breaks", { ...inPause, movedAtMs: 8999 }, 9000, false],
])("something may open %s", (_name, known, nowMs, may) => {
  expect(mayInterrupt({ ...idle, ...known }, nowMs)).toBe(may);
});

type Page = {
  /** When something was painted, in milliseconds. */
  paints?: number[];
  activationStart?: number;
  userActivation?: { isActive: boolean };
  scrollY?: number;
  document?: object;
};

/**
 * A page, painted at 300 ms unless told otherwise, whose reader is watched from 500 ms on; then comes what the reader does.
 */
function watched(trigger: string, page: Page = {}) {
  const { paints = [300], activationStart, userActivation, scrollY = 0, document: own } = page;
  let nowMs = 500;
  const target = new EventTarget();
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
  const entries: Record<string, object[]> = {
    paint: paints.map((startTime) => ({ startTime })),
    navigation: activationStart === undefined ? [] : [{ activationStart }],
  };
  vi.stubGlobal("performance", { now: () => nowMs, getEntriesByType: (type: string) => entries[type] });
  vi.stubGlobal("navigator", { userActivation });
  vi.stubGlobal("scrollY", scrollY);
  const document = {
    ...{ hidden: false, readyState: "complete", fullscreenElement: null, activeElement: null },
    ...own,
  };
  vi.stubGlobal("document", document);
  const mayOpen = watchReader(new AbortController().signal, trigger);
  return {
    does(type: string, atMs: number): void {
      nowMs = atMs;
      target.dispatchEvent(new Event(type));
    },
    /** What scrolls is the page itself. */
    scrollsThePage(atMs: number): void {
      nowMs = atMs;
      target.dispatchEvent(Object.defineProperty(new Event("scroll"), "target", { value: document }));
    },
    mayOpenAt(atMs: number): boolean {
      nowMs = atMs;
      return mayOpen();
    },
  };
}

test.each([
  ["immediate", { isNew: true, isOld: false, moved: false }],
  ["pause", { isNew: false, isOld: false, moved: false }],
  ["scroll", { isNew: true, isOld: true, moved: true }],
  ["exit", { isNew: true, isOld: true, moved: true }],
])("after `%s` the pointer may move %j, and nobody is interrupted who acts", (trigger, may) => {
  expect(watched(trigger).mayOpenAt(600), "at once").toBe(may.isNew);
  const { does, mayOpenAt } = watched(trigger);
  does("pointermove", 2750);
  expect(mayOpenAt(2800), "the last moment in which the page is new").toBe(may.isNew);
  expect(mayOpenAt(2801), "the moment after that").toBe(may.isOld);
  does("pointermove", 9000);
  expect(mayOpenAt(10_999), "within two seconds of a move").toBe(may.moved);
  expect(mayOpenAt(11_000), "two seconds after it").toBe(true);
  does("keydown", 20_000);
  expect(mayOpenAt(21_999), "within two seconds of a key").toBe(false);
  expect(mayOpenAt(22_000), "two seconds after it").toBe(true);
});

test.each<[string, Page, number, boolean]>([
  ["a page that is as it was loaded is not", {}, 501, true],
  ["one that was scrolled before is", { scrollY: 1 }, 2499, false],
  ["and not for longer than two seconds", { scrollY: 1 }, 2500, true],
  ["one in which something was pressed before is", { userActivation: { isActive: true } }, 2499, false],
  ["one in which nothing was is not", { userActivation: { isActive: false } }, 501, true],
])("what was done before anybody watched counts as done just now: %s", (_, page, atMs, may) => {
  expect(watched("immediate", page).mayOpenAt(atMs)).toBe(may);
});

test.each<[string, Page, number, boolean]>([
  ["its first paint", { paints: [900, 300, 700] }, 2800, true],
  ["its first paint, and not the last", { paints: [900, 300, 700] }, 2801, false],
  ["its visit, where it was loaded ahead of that", { activationStart: 5000 }, 7500, true],
  ["its visit, and for no longer", { activationStart: 5000 }, 7501, false],
  ["nothing, until it is painted", { paints: [] }, 600_000, true],
])("a page is new for two and a half seconds from %s", (_, page, atMs, may) => {
  const { does, mayOpenAt } = watched("immediate", page);
  does("pointermove", atMs - 1);
  expect(mayOpenAt(atMs)).toBe(may);
});

test.each<[string, Page, number, boolean]>([
  ["two seconds after its paint", { paints: [1500] }, 3500, true],
  ["not before", { paints: [1500] }, 3499, false],
  ["not while it is hidden", { document: { hidden: true } }, 600_000, false],
  [
    "not while it is loaded and not painted",
    { paints: [], document: { readyState: "loading" } },
    600_000,
    false,
  ],
  ["of a complete page that tells of no paint", { paints: [] }, 2500, true],
])("a pause is one that the reader can see: %s", (_, page, atMs, may) => {
  expect(watched("pause", page).mayOpenAt(atMs)).toBe(may);
});

test("what scrolls is the reader's doing where it is the page, or where the reader has just done something", () => {
  const reader = watched("immediate");
  reader.does("scroll", 10_000);
  expect(reader.mayOpenAt(10_001), "a box that a script scrolls").toBe(true);
  reader.scrollsThePage(20_000);
  expect(reader.mayOpenAt(21_999)).toBe(false);
  expect(reader.mayOpenAt(22_000)).toBe(true);
  reader.does("touchmove", 30_000);
  reader.does("scroll", 32_999);
  expect(reader.mayOpenAt(34_998), "a box that goes on scrolling").toBe(false);
  reader.does("scroll", 33_000);
  expect(reader.mayOpenAt(34_999), "three seconds after the finger").toBe(true);
});

/** What has the focus; `is` is what its selectors say of it. */
const focused = (is: "typed" | "iframe" | "other", more: object = {}) => ({
  matches: (selector: string) => is === (selector === "iframe" ? "iframe" : "typed"),
  shadowRoot: null,
  ...more,
});
test.each<[string, object, boolean]>([
  ["nothing has the focus", { activeElement: null }, true],
  ["a button has the focus", { activeElement: focused("other") }, true],
  ["a film fills the screen", { fullscreenElement: {} }, false],
  ["one types", { activeElement: focused("typed") }, false],
  [
    "one types into an element of the page's own",
    { activeElement: focused("other", { isContentEditable: true }) },
    false,
  ],
  [
    "one types within a component",
    { activeElement: focused("other", { shadowRoot: { activeElement: focused("typed") } }) },
    false,
  ],
  [
    "the component has a button",
    { activeElement: focused("other", { shadowRoot: { activeElement: focused("other") } }) },
    true,
  ],
  ["all of the page is written", { designMode: "on" }, false],
  [
    "a frame of another site has the focus",
    { activeElement: focused("iframe", { contentDocument: null }) },
    false,
  ],
  [
    "one types in a frame",
    { activeElement: focused("iframe", { contentDocument: { activeElement: focused("typed") } }) },
    false,
  ],
  [
    "a frame has the focus in which nobody types",
    { activeElement: focused("iframe", { contentDocument: { activeElement: focused("other") } }) },
    true,
  ],
])("when %s, nobody is interrupted over what they write or watch (%#)", (_, document, may) => {
  expect(watched("immediate", { document }).mayOpenAt(600)).toBe(may);
});
