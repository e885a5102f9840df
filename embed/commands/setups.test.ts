import { beforeEach, describe, expect, test, vi } from "vitest";
import { type PageRecord, pageRecord } from "../loader/page-record.ts";
import type { Loader } from "../wire/loader-and-commands.ts";

type Standing = {
  host: { isConnected: boolean; parentElement: { isConnected: boolean }; getClientRects: () => unknown[] };
};

let isContainerMissing = false;
/** The places that stand in the page. */
const standing = new Set<Standing>();

vi.mock("virtual:built-files", () => ({ sectionFile: "c/1.js" }));
vi.mock("../section/reserve-place.ts", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  containerOf: () => null,
  async reservePlace(_tag: unknown, _script: unknown, onHost: (host: object) => void) {
    if (isContainerMissing) return { reason: "no_container" };
    const host = {
      isConnected: true,
      parentElement: { isConnected: true },
      getClientRects: () => (host.isConnected ? [{}] : []),
    };
    const place = { host };
    standing.add(place);
    onHost(place.host);
    return place;
  },
  // Otherwise it stays, empty, for as long as the visitor reads there.
  releasePlace(place: Standing, isRequested: boolean) {
    if (!isRequested) return;
    place.host.isConnected = false;
    standing.delete(place);
  },
}));
vi.stubGlobal("location", { search: "" });
/** The tags that stand in the page. */
let tags: Element[] = [];
vi.stubGlobal("document", { readyState: "complete", querySelectorAll: () => tags });
/** Have whoever observes an element look at it again. */
const looks = new Set<() => void>();
vi.stubGlobal(
  "ResizeObserver",
  class {
    readonly look: () => void;
    constructor(look: () => void) {
      this.look = look;
    }
    observe() {
      looks.add(this.look);
    }
    disconnect() {
      looks.delete(this.look);
    }
  },
);
const { consentGates } = await import("./consent-gates.ts");
const { pageSetups } = await import("./setups.ts");

const src = "https://offers.example/embed.js";
const section = { pub: "pub_a", website: "ws_a", mode: "section", consent: "manual" };
const turnOfEvents = () => new Promise(setImmediate);

let begun: number;
/** Ends the visits that have begun. */
let end: () => void;
let page: PageRecord;
let setups: ReturnType<typeof pageSetups>;
let say: (isGiven: boolean) => void;

beforeEach(async () => {
  standing.clear();
  looks.clear();
  tags = [];
  isContainerMissing = false;
  begun = 0;
  page = pageRecord({});
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const loader: Loader = {
    async beginVisit(tag, _present, script) {
      begun += 1;
      const { tell } = page;
      const closing = new AbortController();
      page.visits.push({ tag, tell, script, closing, send: () => {}, decision: null });
      await ended;
    },
    openOverlay: async () => {},
    isOwnPage: () => true,
    load: () => new Promise(() => {}),
  };
  const gates = consentGates(
    (areMeant) => setups.releasePlaces(areMeant, true),
    () => {},
  );
  say = gates.say;
  setups = pageSetups({
    page,
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

test("a section's place that a silent platform has emptied goes when a yes brings another", async () => {
  setups.releasePlaces(() => true, false);
  expect(standing.size).toBe(1);
  say(true);
  await turnOfEvents();
  expect([standing.size, begun]).toEqual([1, 1]);
});

test("a section's place that has left the page when consent comes begins once it is back", async () => {
  for (const { host } of standing) host.isConnected = false;
  say(true);
  await turnOfEvents();
  expect([begun, looks.size]).toEqual([0, 1]);
  for (const { host } of standing) host.isConnected = true;
  for (const look of looks) look();
  await turnOfEvents();
  expect([begun, looks.size]).toEqual([1, 0]);
});

test.each([
  ["a no, and a yes has the section begin in another", () => [say(false), say(true)]],
  ["the next view of the page, in which the section begins in another", () => setups.repeat()],
])("a section's place that has left the page is waited for until %s", async (_name, turn) => {
  for (const { host } of standing) host.isConnected = false;
  say(true);
  await turnOfEvents();
  expect([begun, looks.size]).toEqual([0, 1]);
  turn();
  await turnOfEvents();
  expect([begun, looks.size]).toEqual([1, 0]);
});

test.each([
  ["in the next view of the page", () => setups.repeat()],
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
  setups.repeat();
  say(false);
  await turnOfEvents();
  expect(standing.size).toBe(0);
});

test("a section that finds no place is told of in the view of the page that asked for it alone", async () => {
  isContainerMissing = true;
  setups.add({ src, options: { ...section, website: "ws_b" }, script: null });
  setups.repeat();
  await turnOfEvents();
  expect(page.log.filter(([, { website }]) => website === "ws_b")).toHaveLength(1);
});

test("each view of the page has one such place, and begins it once", async () => {
  for (let view = 0; view < 3; view += 1) {
    setups.releasePlaces(() => true, true);
    setups.repeat();
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

describe("a section in a container", () => {
  const inContainer = { ...section, consent: "none", container: "#offers" };
  const tag = () => ({ isConnected: true }) as Element;
  const askers = [
    ["another tag", tag()],
    ["`init`", null],
  ] as const;
  const live = () => page.visits.filter(({ closing }) => !closing.signal.aborted);

  beforeEach(async () => {
    setups.add({ src, options: inContainer, script: tag() });
    await turnOfEvents();
    expect([live().length, begun]).toEqual([1, 1]);
  });

  test.each(askers)("is one, also when %s asks for it", async (_who, script) => {
    setups.add({ src, options: inContainer, script, more: script ? undefined : inContainer });
    await turnOfEvents();
    setups.repeat();
    await turnOfEvents();
    expect([live().length, begun]).toEqual([1, 2]);
  });

  test.each(askers)("that has left the page is over when %s asks for it again", async (_who, script) => {
    const [former] = page.visits;
    for (const { host } of standing) host.isConnected = false;
    setups.add({ src, options: inContainer, script });
    await turnOfEvents();
    expect(former?.closing.signal.aborted).toBe(true);
    expect([live().length, begun]).toEqual([1, 2]);
    setups.repeat();
    await turnOfEvents();
    expect([live().length, begun]).toEqual([1, 3]);
  });

  test("that found none in this view of the page begins once its tag comes with one", async () => {
    setups.releasePlaces(() => true, true);
    isContainerMissing = true;
    setups.repeat();
    await turnOfEvents();
    isContainerMissing = false;
    expect(page.log.map(([event]) => event)).toEqual(["error", "error"]);
    setups.add({ src, options: inContainer, script: tag() });
    await turnOfEvents();
    expect([live().length, begun]).toEqual([1, 2]);
  });

  test.each([
    ["was closed", () => setups.releasePlaces(() => true, true)],
    ["has ended, and whose empty place is gone", () => end()],
    [
      "has ended, and is closed once its empty place is gone",
      async () => {
        end();
        await turnOfEvents();
        for (const { host } of standing) Object.assign(host, { isConnected: false, parentElement: null });
        setups.releasePlaces(() => true, true);
      },
    ],
  ])("that %s begins anew for the next container alone", async (_name, finish) => {
    const all = [...standing];
    const containers = all.map(({ host }) => host.parentElement);
    await finish();
    await turnOfEvents();
    for (const { host } of all) host.isConnected = false;
    setups.add({ src, options: inContainer, script: tag() });
    await turnOfEvents();
    expect(begun).toBe(1);
    for (const container of containers) container.isConnected = false;
    setups.add({ src, options: inContainer, script: tag() });
    await turnOfEvents();
    expect(begun).toBe(2);
  });

  test("keeps what `init` has said of it for the next container", async () => {
    setups.add({ src, options: inContainer, script: null, more: { consent: "manual", limit: 2 } });
    for (const { host } of standing) host.isConnected = false;
    setups.add({ src, options: inContainer, script: null, more: { theme: "dark" } });
    await turnOfEvents();
    expect(begun).toBe(1);
    say(true);
    await turnOfEvents();
    const said = { ...inContainer, consent: "manual", limit: 2, theme: "dark" };
    expect(live().map(({ tag }) => tag.options)).toContainEqual(said);
  });

  test.each([
    ["in the same view of the page", () => {}],
    ["in the next one", () => setups.repeat()],
  ])("keeps what `init` has said of it for a tag that brings the next container %s", async (_when, turn) => {
    setups.add({ src, options: inContainer, script: null, more: { consent: "manual", limit: 2 } });
    turn();
    await turnOfEvents();
    for (const { host } of standing) host.isConnected = false;
    setups.add({ src, options: { ...inContainer, theme: "dark" }, script: tag() });
    await turnOfEvents();
    expect(begun).toBe(1);
    say(true);
    await turnOfEvents();
    const said = { ...inContainer, consent: "manual", limit: 2, theme: "dark" };
    expect(live().map(({ tag }) => tag.options)).toContainEqual(said);
  });

  test("that has ended keeps its empty place no longer than the view of the page", async () => {
    end();
    await turnOfEvents();
    expect(standing.size).toBe(2);
    setups.releasePlaces(() => true, true);
    expect(standing.size).toBe(0);
    setups.repeat();
    await turnOfEvents();
    expect(begun).toBe(2);
  });

  test("that has ended leaves no empty place beside that which a yes brings", async () => {
    setups.add({ src, options: inContainer, script: null, more: { consent: "manual" } });
    say(true);
    end();
    await turnOfEvents();
    for (const is of [false, true]) {
      say(is);
      if (!is) setups.awaitAgain();
      await turnOfEvents();
    }
    // The one in the container, and the one of before all.
    expect(standing.size).toBe(2);
  });

  test("that consent is taken back from while its container is away comes with a yes, and tells no error", async () => {
    setups.add({ src, options: inContainer, script: null, more: { consent: "manual" } });
    say(true);
    isContainerMissing = true;
    say(false);
    setups.awaitAgain();
    await turnOfEvents();
    expect(page.log).toEqual([]);
    isContainerMissing = false;
    const before = begun;
    say(true);
    await turnOfEvents();
    expect(live().map(({ tag }) => tag.options.container)).toContain("#offers");
    expect(begun).toBeGreaterThan(before);
  });
});

test("a section behind its tag is not repeated once that has left the page, and one in a container is", async () => {
  const script = { isConnected: true } as Element & { isConnected: boolean };
  const options = { ...section, consent: "none" };
  setups.add({ src, options, script });
  setups.add({ src, options: { ...options, website: "ws_b", container: "#offers" }, script });
  await turnOfEvents();
  Object.assign(script, { isConnected: false });
  setups.repeat();
  await turnOfEvents();
  expect(page.visits.map(({ tag }) => tag.website)).toEqual(["ws_b"]);
  Object.assign(script, { isConnected: true });
  tags = [script];
  setups.repeat();
  await turnOfEvents();
  expect(page.visits.map(({ tag }) => tag.website).sort()).toEqual(["ws_a", "ws_b"]);
});

describe("sections behind tags that each route brings along", () => {
  type Script = Element & { isConnected: boolean };
  const options = { ...section, consent: "none" };
  /** A route comes with its tag, and what the route before it has put into the page goes. */
  const mount = async (): Promise<Script> => {
    for (const script of scripts) Object.assign(script, { isConnected: false });
    for (const { host } of standing) host.isConnected = false;
    const script = { isConnected: true } as Script;
    scripts.push(script);
    setups.add({ src, options, script });
    await turnOfEvents();
    for (const { closing } of page.visits) closings.add(closing);
    return script;
  };
  const scripts: Script[] = [];
  const closings = new Set<AbortController>();

  beforeEach(async () => {
    scripts.length = 0;
    closings.clear();
    setups.releasePlaces(() => true, true);
  });

  test("end as the next one comes, so that there is one", async () => {
    for (let route = 0; route < 10; route += 1) await mount();
    const ended = [...closings].filter(({ signal }) => signal.aborted);
    expect([page.visits.length, begun, ended.length]).toEqual([1, 10, 9]);
  });

  test("are not kept for the views of the page that have other tags, and come in one that has theirs again", async () => {
    const first = await mount();
    for (let route = 0; route < 2; route += 1) {
      await mount();
      tags = scripts.slice(-1);
      setups.repeat();
      await turnOfEvents();
      expect(page.visits.map(({ script }) => script)).toEqual(tags);
    }
    Object.assign(scripts.at(-1) ?? {}, { isConnected: false });
    Object.assign(first, { isConnected: true });
    tags = [first];
    setups.repeat();
    await turnOfEvents();
    expect(page.visits.map(({ script }) => script)).toEqual([first]);
  });

  test("are what their tag says when it has come back by itself, and not what was kept of them", async () => {
    const first = await mount();
    await mount();
    Object.assign(first, { isConnected: true });
    setups.add({ src, options: { ...options, theme: "dark" }, script: first });
    await turnOfEvents();
    Object.assign(first, { isConnected: false });
    setups.add({ src, options: { ...options, theme: "light" }, script: first, more: { theme: "light" } });
    await turnOfEvents();
    expect(page.visits.find(({ script }) => script === first)?.tag.options.theme).toBe("light");
  });

  test("take what `init` says of them meanwhile along into the view that has their tag again", async () => {
    const first = await mount();
    await mount();
    setups.add({ src, options: { ...options, theme: "dark" }, script: first, more: { theme: "dark" } });
    await turnOfEvents();
    expect([page.visits.length, page.log]).toEqual([1, []]);
    Object.assign(first, { isConnected: true });
    tags = [first];
    setups.repeat();
    await turnOfEvents();
    expect(page.visits.map(({ tag }) => tag.options.theme)).toContain("dark");
  });
});
