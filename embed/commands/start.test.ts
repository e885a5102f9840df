import { decisionAnswer } from "@offers/contract/decision";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type PageRecord, pageRecord } from "../loader/page-record.ts";
import type { Commands, Loader } from "../wire/loader-and-commands.ts";
import type { LoaderTag, Options, Visit } from "../wire/visit.ts";

vi.mock("virtual:built-files", () => ({
  sectionFile: "c/1.js",
  declineFile: "c/2.js",
  barFile: "c/3.js",
}));
const releasePlace = vi.hoisted(() => vi.fn());
/** Where sections stand, or are to stand. */
const hosts: { isConnected: boolean; parentElement: { isConnected: boolean } }[] = [];
/** When they are displayed, where a test has them wait for it. */
let displayed: Promise<void> | null = null;
const reservePlace = async (_tag: LoaderTag, _script: Element | null, onHost: (host: object) => void) => {
  const host = { isConnected: true, parentElement: { isConnected: true } };
  hosts.push(host);
  onHost(host);
  if (displayed !== null) await displayed;
  return { host };
};
/** The container that stands in the page, where a test has one. */
let container: object | null = null;
const containerOf = () => container;
vi.mock("../section/reserve-place.ts", () => ({
  containerOf,
  reservePlace,
  releasePlace,
  untilSeen: async () => {},
}));
const location = { search: "", pathname: "/here", origin: "https://journal.example" };
vi.stubGlobal("location", location);
vi.stubGlobal("__EMBED_VERSION__", "1.0.0");
const fetched = vi.fn(async (_url: string, _call: { body: string }) => new Response());
vi.stubGlobal("fetch", fetched);
/** The page's document, and the tags that stand in it so far. */
const standing: HTMLScriptElement[] = [];
const document = { readyState: "complete", querySelectorAll: () => standing };
vi.stubGlobal("document", document);
const { start } = await import("./start.ts");

const src = "https://offers.example/embed.js";
const keys = { pub: "pub_a", website: "ws_a" };

/** The script tag with these attributes, the same one for the same object. */
const on = (dataset: object): HTMLScriptElement => {
  const script = scripts.get(dataset) ?? Object.assign({} as HTMLScriptElement, { src, dataset });
  scripts.set(dataset, script);
  return script;
};
const scripts = new WeakMap<object, HTMLScriptElement>();

const blocked = decisionAnswer.parse({
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
});

const leaveContainers = (): void => {
  for (const host of hosts) {
    host.isConnected = false;
    host.parentElement.isConnected = false;
  }
};

let page: PageRecord;
let begun: LoaderTag[];
let opened: Visit[];
let isOwnPage: boolean;
/** The code of a declined application, where a test has some come. */
let declineCode: object | null;
/** Whether code is on its way and does not come. */
let isCodeAwaited: boolean;
let commands: Commands;
type Two = [HTMLScriptElement, HTMLScriptElement];
type Three = [HTMLScriptElement, HTMLScriptElement, HTMLScriptElement];
const turnOfEvents = () => new Promise(setImmediate);

beforeEach(() => {
  standing.length = 0;
  hosts.length = 0;
  container = null;
  displayed = null;
  page = pageRecord({});
  begun = [];
  opened = [];
  isOwnPage = true;
  declineCode = null;
  isCodeAwaited = false;
  fetched.mockClear();
  const loader: Loader = {
    async beginVisit(tag, _present, tagScript) {
      begun.push(tag);
      const { tell } = page;
      const visit = { tag, tell, send: () => {}, script: tagScript, closing: new AbortController() };
      page.visits.push({ ...visit, decision: blocked });
    },
    async openOverlay(visit) {
      opened.push(visit);
    },
    isOwnPage: () => isOwnPage,
    load: async (address) => {
      if (isCodeAwaited) await new Promise(() => {});
      if (!declineCode || !address.endsWith("c/2.js")) throw new TypeError("no code");
      return declineCode as never;
    },
  };
  commands = start(page, loader.beginVisit, loader.openOverlay, loader.isOwnPage, loader.load);
});

describe("a tag that comes with waiting commands", () => {
  test("is one visit with what `init` says of it", async () => {
    commands.takeOver(on(keys), [["init", { trigger: "manual", lang: "de" }], ["nonsense"]]);
    await turnOfEvents();
    expect(begun).toHaveLength(1);
    expect(begun[0]).toMatchObject({ ...keys, options: { trigger: "manual", lang: "de" } });
  });

  test("may have no attributes at all", async () => {
    commands.takeOver(on({}), [["init", keys]]);
    await turnOfEvents();
    expect(begun).toMatchObject([keys]);
  });

  test("and no keys anywhere begins nothing", async () => {
    commands.takeOver(on({}), [["open"], ["init", { website: "ws_a" }]]);
    await turnOfEvents();
    expect(begun).toEqual([]);
  });

  test("stands beside another website", async () => {
    commands.takeOver(on(keys), [["init", { website: "ws_b" }]]);
    await turnOfEvents();
    expect(begun.map(({ website }) => website)).toEqual(["ws_a", "ws_b"]);
  });
});

test("beside a section's tag, what a tag manager says of the website's overlay begins one overlay", async () => {
  // The script that the tag manager puts in has no attributes, so the loader answers for the section's tag.
  const section = on({ ...keys, mode: "section", container: "#offers" });
  standing.push(section);
  commands.takeOver(section, [["init", { ...keys, mode: "overlay" }]]);
  await turnOfEvents();
  expect(begun.map(({ mode }) => mode).sort()).toEqual(["overlay", "section"]);
  expect(begun.find(({ mode }) => mode === "overlay")).toMatchObject(keys);
});

test.each([
  ["section", "overlay"],
  ["overlay", "section"],
])("of a script without attributes a page may have both, said in the order %s, %s", async (...modes) => {
  const said = {
    overlay: { ...keys, mode: "overlay" },
    section: { ...keys, mode: "section", container: "#offers" },
  };
  commands.takeOver(
    on({}),
    modes.map((mode) => ["init", said[mode as keyof typeof said]]),
  );
  await turnOfEvents();
  expect(begun.map(({ mode }) => mode).sort()).toEqual(["overlay", "section"]);
  // The next route has no section; then comes one with a container of its own.
  leaveContainers();
  commands.run(["page"], on({}));
  await turnOfEvents();
  begun.length = 0;
  commands.run(["init", said.section], on({}));
  commands.run(["page"], on({}));
  await turnOfEvents();
  expect(begun.map(({ mode }) => mode).sort()).toEqual(["overlay", "section"]);
});

test("the same website is begun once, and `page` begins it anew with a log of its own", async () => {
  commands.takeOver(on(keys), []);
  commands.run(["init", keys], on({}));
  await turnOfEvents();
  expect(begun).toHaveLength(1);
  const [first] = page.visits;
  page.tell("shown", { website: "ws_a" });
  const closing = first?.closing.signal;
  commands.run(["page"], on({}));
  await turnOfEvents();
  expect(begun).toHaveLength(2);
  expect(page.visits).toHaveLength(1);
  expect(page.visits[0]).not.toBe(first);
  expect(page.log).toEqual([]);
  expect(closing?.aborted).toBe(true);
});

test("a visit that waits for consent begins when it is given, and closes when it is taken back", async () => {
  commands.takeOver(on({ ...keys, consent: "manual" }), []);
  await turnOfEvents();
  expect(begun).toEqual([]);
  commands.run(["consent", true], on({}));
  await turnOfEvents();
  expect(begun).toHaveLength(1);
  const closing = page.visits[0]?.closing.signal;
  expect(closing?.aborted).toBe(false);
  commands.run(["consent", false], on({}));
  expect(closing?.aborted).toBe(true);
});

test("a visit that a refusal has ended tells no error in the next view of the page", async () => {
  commands.takeOver(on({ ...keys, consent: "manual" }), []);
  commands.run(["consent", true], on({}));
  await turnOfEvents();
  const [refused] = page.visits;
  if (!refused) throw new Error("a visit has begun");
  commands.run(["consent", false], on({}));
  expect(page.visits).toEqual([]);
  commands.run(["page"], on({}));
  page.tell("error", { website: "ws_a" }, refused);
  expect(page.log).toEqual([]);
});

test("consent that is taken back leaves nothing to open, and a yes begins anew", async () => {
  commands.takeOver(on({ ...keys, consent: "manual" }), [["init", { website: "ws_b", consent: false }]]);
  commands.run(["consent", true], on({}));
  await turnOfEvents();
  expect(begun).toHaveLength(2);
  commands.run(["consent", false], on({}));
  commands.run(["open"], on({}));
  await turnOfEvents();
  expect(opened.map(({ tag }) => tag.website)).toEqual(["ws_b"]);
  for (const is of [false, true, true]) commands.run(["consent", is], on({}));
  await turnOfEvents();
  expect(begun.slice(2).map(({ website }) => website)).toEqual(["ws_a"]);
  expect(page.visits.map(({ tag }) => tag.website).sort()).toEqual(["ws_a", "ws_b"]);
});

test.each([
  ["before the no alone", [["consent", false]], []],
  ["before the no and after it", [["consent", false], ["open"]], ["ws_a"]],
])("what the page has opened %s: a yes opens %j", async (_name, between, websites) => {
  const onTag = { ...keys, consent: "manual", trigger: "manual" };
  commands.takeOver(on(onTag), []);
  for (const said of [["consent", true], ["open"], ...between, ["consent", true]]) {
    commands.run(said, on(onTag));
    await turnOfEvents();
  }
  const [visit] = page.visits;
  if (!visit) throw new Error("it has begun");
  opened.length = 0;
  void commands.openOnTrigger(visit, blocked, visit.closing.signal);
  await turnOfEvents();
  expect(opened.map(({ tag }) => tag.website)).toEqual(websites);
});

test("a refusal leaves the page's wish to open what waits for another consent", async () => {
  const say = platform();
  const onTag = { ...keys, consent: "manual", trigger: "manual" };
  commands.takeOver(on(onTag), [["init", { website: "ws_b", consent: "tcf" }], ["open"]]);
  await say();
  commands.run(["consent", true], on(onTag));
  await turnOfEvents();
  const visit = page.visits.find(({ tag }) => tag.website === "ws_a");
  if (!visit) throw new Error("it has begun");
  void commands.openOnTrigger(visit, blocked, visit.closing.signal);
  expect(opened).toEqual([visit]);
});

test("a platform that throws is a silent one, and throws nothing into the page", async () => {
  const platform = vi.fn(() => {
    throw new Error("its own");
  });
  vi.stubGlobal("window", { __tcfapi: platform });
  const onTag = { ...keys, mode: "none", consent: "tcf", consentTimeout: "150" };
  commands.takeOver(on(onTag), [["consent"], ["init", { website: "ws_b" }]]);
  await turnOfEvents();
  expect(await commands.run(["decline"], on(onTag))).toBeNull();
  expect(platform).toHaveBeenCalled();
  expect(page.log).toEqual([]);
});

/** A consent platform whose visitor has agreed. */
const agrees = (...call: unknown[]) =>
  (call.at(-1) as (data: object, is: true) => void)({ gdprApplies: false }, true);

/** Puts a consent platform into the page, and returns what has it say which purposes the visitor agrees to. */
function platform() {
  const asked = vi.fn();
  vi.stubGlobal("window", { __tcfapi: asked });
  return (...agreed: number[]) => {
    const consents = Object.fromEntries(agreed.map((id) => [id, true]));
    for (const call of asked.mock.calls)
      call.at(-1)({ gdprApplies: true, eventStatus: "tcloaded", purpose: { consents } }, true);
    return turnOfEvents();
  };
}

test("a platform's refusal of one tag's purposes closes nothing of another tag", async () => {
  const say = platform();
  const first = [["init", { website: "ws_b", consentPurposes: "1" }]];
  commands.takeOver(on({ ...keys, consent: "tcf" }), first);
  await say(1, 2, 7);
  expect(begun.map(({ website }) => website).sort()).toEqual(["ws_a", "ws_b"]);
  const closings = page.visits.map(({ tag, closing }) => [tag.website, closing.signal] as const);
  await say(2, 7);
  expect(closings.filter(([, { aborted }]) => aborted).map(([website]) => website)).toEqual(["ws_b"]);
});

test("a tag that is there twice keeps what `init` said of it", async () => {
  commands.takeOver(on(keys), [["init", { trigger: "manual" }]]);
  await turnOfEvents();
  commands.takeOver(on({ ...keys }), []);
  await turnOfEvents();
  expect(begun).toHaveLength(1);
  expect(page.visits[0]?.tag.options.trigger).toBe("manual");
});

test("what `init` says later of a visit that has begun holds from then on", async () => {
  const onTag = { ...keys, lang: "de" };
  commands.takeOver(on(onTag), []);
  await turnOfEvents();
  commands.run(["init", { words: { close: "Away" } }], on(onTag));
  await turnOfEvents();
  expect(begun).toHaveLength(1);
  expect(page.visits[0]?.tag).toMatchObject({ options: { lang: "de", words: { close: "Away" } } });
});

test("what `init` takes back of a visit that has begun is an attribute that is not there", async () => {
  const onTag = { ...keys, placement: "bottom", trigger: "manual", lang: "de" };
  commands.takeOver(on(onTag), []);
  await turnOfEvents();
  commands.run(["init", { placement: false, lang: null }], on(onTag));
  expect(page.visits[0]?.tag.options).toEqual({ ...keys, trigger: "manual" });
  commands.run(["open"], on(onTag));
  expect(opened, "it opens where the website has it, and not as a bar").toEqual([page.visits[0]]);
});

test("what `init` says of another website leaves what that one has of its own", async () => {
  const onTag = { ...keys, lang: "de" };
  const other = { pub: "pub_a", website: "ws_b", lang: "fr" };
  commands.takeOver(on(onTag), [["init", other]]);
  await turnOfEvents();
  commands.run(["init", { website: "ws_b", theme: "dark" }], on(onTag));
  expect(page.visits[1]?.tag.options).toEqual({ ...other, theme: "dark" });
});

test("what `init` says while consent is waited for holds when it comes, and for the next view of the page", async () => {
  const onTag = { ...keys, consent: "manual", lang: "de" };
  commands.takeOver(on(onTag), []);
  await turnOfEvents();
  commands.run(["init", { placement: "bottom", lang: false }], on(onTag));
  commands.run(["consent", true], on(onTag));
  await turnOfEvents();
  commands.run(["init", { theme: "dark" }], on(onTag));
  commands.run(["page"], on(onTag));
  await turnOfEvents();
  const said = { ...keys, consent: "manual", placement: "bottom" };
  expect(begun.map(({ options }) => options)).toEqual([said, { ...said, theme: "dark" }]);
});

test("what `init` says after a new view of the page holds for that, which alone begins when consent comes", async () => {
  const onTag = { ...keys, consent: "manual" };
  commands.takeOver(on(onTag), []);
  location.search = "?dev-country=GB";
  commands.run(["page"], on(onTag));
  commands.run(["init", { placement: "bottom" }], on(onTag));
  commands.run(["consent", true], on(onTag));
  await turnOfEvents();
  location.search = "";
  expect(begun.map(({ options, simulated }) => [options, simulated.country])).toEqual([
    [{ ...onTag, placement: "bottom" }, "GB"],
  ]);
});

describe("`init` once a section's tag is there", () => {
  const onTag = { ...keys, mode: "section", container: "#offers" };

  test.each([
    ["adds to it", onTag, { theme: "dark" }],
    ["adds to it also where it names its place", onTag, { ...onTag, theme: "dark" }],
    ["adds to it while consent is waited for", { ...onTag, consent: "manual" }, { theme: "dark" }],
    ["gives it a container", { ...keys, mode: "section" }, { container: "#offers", limit: 2 }],
  ])("%s, in the next view as well, and begins nothing beside it", async (_does, tag, more) => {
    commands.takeOver(on(tag), []);
    await turnOfEvents();
    commands.run(["init", more], on(tag));
    commands.run(["consent", true], on(tag));
    await turnOfEvents();
    expect(begun).toHaveLength(1);
    expect(page.visits.map(({ tag }) => tag.options)).toEqual([{ ...tag, ...more }]);
    commands.run(["page"], on(tag));
    await turnOfEvents();
    expect(begun.slice(1).map(({ options }) => options)).toEqual([{ ...tag, ...more }]);
  });

  test("begins a section of another container beside it, once", async () => {
    commands.takeOver(on(onTag), []);
    const other = { mode: "section", container: "#more" };
    commands.run(["init", other], on(onTag));
    commands.run(["init", { ...other, theme: "dark" }], on(onTag));
    await turnOfEvents();
    expect(begun.map(({ options }) => options)).toEqual([onTag, { ...keys, ...other, theme: "dark" }]);
  });
});

/** Has the page be read still, and returns what ends that. */
function whileLoading(): () => void {
  const reading = new EventTarget();
  vi.stubGlobal("addEventListener", reading.addEventListener.bind(reading));
  document.readyState = "loading";
  return () => {
    document.readyState = "interactive";
    reading.dispatchEvent(new Event("DOMContentLoaded"));
  };
}

test.each([
  [["close"], ["ws_a", "ws_c"]],
  [["page"], ["ws_a", "ws_a", "ws_b", "ws_c"]],
  [
    ["close", "open"],
    ["ws_a", "ws_b", "ws_c"],
  ],
  [
    ["close", "page"],
    ["ws_a", "ws_a", "ws_b", "ws_c"],
  ],
  [
    ["close", "say more"],
    ["ws_a", "ws_c"],
  ],
])("`init` that waits for the rest of the page, and %j behind it", async (names, websites) => {
  const parsed = whileLoading();
  commands.takeOver(on(keys), []);
  await turnOfEvents();
  commands.run(["init", { website: "ws_b" }], on(keys));
  for (const name of names) {
    const more = ["init", { website: "ws_b", theme: "dark" }] as const;
    commands.run(name === "say more" ? more : [name], on(keys));
  }
  commands.run(["init", { website: "ws_c" }], on(keys));
  parsed();
  await turnOfEvents();
  const begunWebsites = () => begun.map(({ website }) => website);
  expect(begunWebsites()).toEqual(websites);
  commands.run(["page"], on(keys));
  await turnOfEvents();
  expect(begunWebsites().slice(websites.length), "in the next view").toEqual(["ws_a", "ws_b", "ws_c"]);
});

describe("`init` for something that has a tag of its own in the page", () => {
  const first = { ...keys, lang: "de" };

  test.each([
    ["another website", { ...keys, website: "ws_b", theme: "dark" }, { website: "ws_b", lang: "fr" }],
    ["a section", { ...keys, mode: "section", container: "#a" }, { mode: "section", lang: "fr" }],
  ])("adds to that tag, which waits for its own consent: %s", async (_name, ofTag, more) => {
    const second = { ...ofTag, consent: "manual" };
    standing.push(on(first), on(second));
    commands.takeOver(on(first), [["init", more]]);
    await turnOfEvents();
    commands.takeOver(on(second), []);
    await turnOfEvents();
    expect(begun.map(({ options }) => options)).toEqual([first]);
    commands.run(["consent", true], on(first));
    await turnOfEvents();
    expect(begun.slice(1).map(({ options }) => options)).toEqual([{ ...second, ...more }]);
    expect(page.visits[1]?.script).toBe(on(second));
  });

  test("waits by it for another place of that website", async () => {
    const second = { ...keys, website: "ws_b", mode: "none", consent: "manual", lang: "fr" };
    standing.push(on(first), on(second));
    const place = { mode: "section", container: "#b" };
    commands.takeOver(on(first), [["init", { website: "ws_b", ...place }]]);
    await turnOfEvents();
    expect(begun.map(({ website }) => website)).toEqual(["ws_a"]);
    commands.run(["consent", true], on(first));
    await turnOfEvents();
    expect(begun[1]?.options).toEqual({ ...second, ...place });
  });

  test("leaves that one what is said to a function of its own, consent included", async () => {
    const second = { ...keys, website: "ws_b", global: "b", theme: "dark" };
    standing.push(on(first), on(second));
    // As the loader does it, where both tags come before the commands.
    const arrived = Promise.resolve();
    await Promise.all([
      arrived.then(() => commands.takeOver(on(first), [["init", { website: "ws_b", lang: "fr" }]])),
      arrived.then(() => commands.takeOver(on(second), [["init", { consent: "manual", theme: false }]])),
    ]);
    await turnOfEvents();
    expect(begun.map(({ options }) => options)).toEqual([first]);
    commands.run(["consent", true], on(first));
    await turnOfEvents();
    const { theme, ...kept } = second;
    expect(begun[1]?.options).toEqual({ ...kept, lang: "fr", consent: "manual" });
  });

  test.each([
    ["another website", { website: "ws_b" }],
    ["a section", { mode: "section", container: "#a" }],
  ])("waits for a tag that may stand further down: %s", async (_name, named) => {
    const parsed = whileLoading();
    commands.takeOver(on(first), [["init", { ...named, lang: "fr" }]]);
    const second = { ...keys, ...named, consent: "manual" };
    standing.push(on(second));
    parsed();
    await turnOfEvents();
    expect(begun.map(({ options }) => options)).toEqual([first]);
    commands.run(["consent", true], on(first));
    await turnOfEvents();
    expect(begun[1]?.options).toEqual({ ...second, lang: "fr" });
  });
});

describe("`init` that changes what consent is asked for", () => {
  const onTag = { ...keys, consent: "tcf" };
  const isClosed = () => {
    const closing = page.visits.map(({ closing }) => closing.signal);
    return () => closing.map(({ aborted }) => aborted);
  };

  test.each([
    ["more purposes", { consentPurposes: "1,2,7" }, [2, 7], [1, 2, 7]],
    ["more patience", { consentTimeout: 20_000 }, [2], [2, 7]],
  ])(
    "while it is waited for has the visit wait for that, and close by its withdrawal: %s",
    async (_name, more, no, yes) => {
      const say = platform();
      commands.takeOver(on(onTag), []);
      commands.run(["init", more], on(onTag));
      await turnOfEvents();
      await say(...no);
      expect(begun).toEqual([]);
      await say(...yes);
      expect(begun).toHaveLength(1);
      const closed = isClosed();
      await say(...no);
      expect(closed()).toEqual([true]);
    },
  );

  test("to none begins the visit", async () => {
    platform();
    commands.takeOver(on(onTag), []);
    commands.run(["init", { consent: false }], on(onTag));
    await turnOfEvents();
    expect(begun.map(({ options }) => options)).toEqual([keys]);
  });

  test("of a visit that has begun has it close when that is refused, or was before", async () => {
    const say = platform();
    commands.takeOver(on(onTag), [["init", { website: "ws_b" }]]);
    await say(2, 7);
    expect(begun).toHaveLength(2);
    const closed = isClosed();
    commands.run(["init", { consentPurposes: "1" }], on(onTag));
    expect(closed()).toEqual([false, false]);
    await say(2, 7);
    expect(closed()).toEqual([true, false]);
    commands.run(["init", { website: "ws_b", consentPurposes: "1" }], on(onTag));
    expect(closed()).toEqual([true, true]);
    await turnOfEvents();
    expect(begun, "none begins by what it asked for before").toHaveLength(2);
  });
});

test("only a literal true is consent", async () => {
  commands.takeOver(on({ ...keys, consent: "manual" }), [["consent", "yes"], ["consent"]]);
  await turnOfEvents();
  expect(begun).toEqual([]);
});

test("`open` opens what was closed, and nothing for a visitor who was let through", async () => {
  commands.takeOver(on(keys), []);
  await turnOfEvents();
  commands.run(["open"], on({}));
  expect(opened).toHaveLength(1);
  const [visit] = page.visits;
  if (visit) visit.decision = { ...blocked, allowed: true };
  commands.run(["open"], on({}));
  expect(opened).toHaveLength(1);
});

test("a trigger that is kept back opens by command, once", async () => {
  commands.takeOver(on({ ...keys, trigger: "manual" }), []);
  await turnOfEvents();
  const [visit] = page.visits;
  if (!visit) throw new Error("it has begun");
  const shown = commands.openOnTrigger(visit, blocked, visit.closing.signal);
  expect(opened).toHaveLength(0);
  commands.run(["open"], on({}));
  await shown;
  expect(opened).toEqual([visit]);
});

test("`decline` without keys or with a chunk that does not come is null and no error of the page", async () => {
  expect(await commands.run(["decline"], on({}))).toBeNull();
  const heard = vi.fn();
  commands.run(["on", "error", heard], on({}));
  expect(await commands.run(["decline"], on(keys))).toBeNull();
  expect(heard).toHaveBeenCalledExactlyOnceWith({
    website: "ws_a",
    surface: "decline",
    problem: expect.any(Error),
  });
});

test.each([
  ["its code", null],
  ["its words", { decline: () => new Promise(() => {}) }],
])("a `decline` that is closed while it waits for %s is null at once", async (_what, code) => {
  isCodeAwaited = code === null;
  declineCode = code;
  const opened = commands.run(["decline"], on({ ...keys }));
  await turnOfEvents();
  commands.run(["close"], on({}));
  expect(await Promise.race([opened, turnOfEvents().then(() => "waiting")])).toBeNull();
  expect(page.log).toEqual([]);
});

test("`decline` that is closed while its session is asked for is null and no error", async () => {
  declineCode = {
    decline: ({ closing }: { closing: AbortController }) =>
      new Promise((_, reject) => closing.signal.addEventListener("abort", reject)),
  };
  const opened = commands.run(["decline"], on({ ...keys }));
  await turnOfEvents();
  commands.run(["close"], on({}));
  expect(await opened).toBeNull();
  expect(page.log).toEqual([]);
});

test.each([
  ["that does not say so", {}, []],
  ["that says so", { frame: "" }, ["error"]],
])("in another site's frame a tag %s opens no session", async (_name, more, told) => {
  isOwnPage = false;
  // Its code is fetched alone where there is to be one, and does not come here.
  expect(await commands.run(["decline"], on({ ...keys, ...more }))).toBeNull();
  expect(page.log.map(([event]) => event)).toEqual(told);
});

describe("what a tag has by `init` alone", () => {
  const declined = async (onTag: Options) => {
    const before = page.log.length;
    // The chunk does not come here; without keys it is not asked for.
    expect(await commands.run(["decline"], on(onTag))).toBeNull();
    return page.log.slice(before).map(([, { website }]) => website);
  };

  test("holds for later commands, whether it was said before the script came or after", async () => {
    const waiting = {};
    commands.takeOver(on(waiting), [["init", keys]]);
    expect(await declined(waiting)).toEqual(["ws_a"]);
    const late = {};
    commands.takeOver(on(late), []);
    expect(await declined(late)).toEqual([]);
    commands.run(["init", { ...keys, website: "ws_b" }], on(late));
    commands.run(["init", { website: "ws_c" }], on(late));
    expect(await declined(late)).toEqual(["ws_b"]);
  });

  test("keeps a declined application waiting for consent, and ends it with null when there is none", async () => {
    const onTag = { ...keys };
    commands.takeOver(on(onTag), [["init", { consent: "manual" }]]);
    let session: unknown = "waiting";
    const asked = async () => {
      session = await commands.run(["decline"], on(onTag));
    };
    const first = asked();
    await turnOfEvents();
    expect(session).toBe("waiting");
    commands.run(["consent", false], on(onTag));
    await first;
    expect(session).toBeNull();
  });

  test.each([["close"], ["page"]])(
    "ends a declined application that waits with null by `%s`",
    async (word) => {
      const onTag = { ...keys, mode: "none", consent: "manual" };
      commands.takeOver(on(onTag), []);
      const opened = commands.run(["decline"], on(onTag));
      const outcome = () => Promise.race([opened, turnOfEvents().then(() => "waiting")]);
      expect(await outcome()).toBe("waiting");
      commands.run([word], on(onTag));
      expect(await outcome()).toBeNull();
      expect(page.log).toEqual([]);
    },
  );

  test.each([
    ["beside", {}],
    ["of a website that only declines", { mode: "none" }],
  ])("is what a website without a tag declines by, consent included: %s", async (_name, more) => {
    commands.takeOver(on(keys), [["init", { website: "ws_b", consent: "manual", ...more }]]);
    const opened = commands.run(["decline", { website: "ws_b" }], on(keys));
    expect(await Promise.race([opened, turnOfEvents().then(() => "waiting")])).toBe("waiting");
    commands.run(["consent", false], on(keys));
    expect([await opened, page.log]).toEqual([null, []]);
  });

  test("is what a website without a tag declines by while the page is read", async () => {
    const parsed = whileLoading();
    commands.takeOver(on(keys), [["init", { website: "ws_b", consent: "manual" }]]);
    const opened = commands.run(["decline", { website: "ws_b" }], on(keys));
    parsed();
    expect(await Promise.race([opened, turnOfEvents().then(() => "waiting")])).toBe("waiting");
    commands.run(["consent", false], on(keys));
    expect([await opened, page.log]).toEqual([null, []]);
  });

  test.each([
    ["what stood on it", { consent: "manual" }, {}],
    ["`init` included", {}, { consent: "manual" }],
  ])("is what a website declines by whose tag has left the page: %s", async (_name, ofTag, more) => {
    const onTag = { ...keys, website: "ws_b", mode: "none", ...ofTag };
    commands.takeOver(on(keys), []);
    commands.takeOver(on(onTag), []);
    if ("consent" in more) commands.run(["init", more], on(onTag));
    const opened = commands.run(["decline", { website: "ws_b" }], on(keys));
    expect(await Promise.race([opened, turnOfEvents().then(() => "waiting")])).toBe("waiting");
    commands.run(["consent", false], on(keys));
    expect([await opened, page.log]).toEqual([null, []]);
  });

  test.each([
    ["once the page is read", false, () => () => {}],
    ["once the page is read", "none", () => () => {}],
    ["while it is read", false, whileLoading],
  ])("does without consent in one place alone: %s, said as %j", async (_name, consent, reading) => {
    const parsed = reading();
    commands.takeOver(on({ ...keys, consent: "manual" }), [
      ["init", { website: "ws_b", mode: "section", container: "#1" }],
      ["init", { website: "ws_b", mode: "section", container: "#2", consent }],
      ["init", { website: "ws_b", mode: "section", container: "#3" }],
    ]);
    parsed();
    await turnOfEvents();
    expect(begun.map(({ options }) => options.container)).toEqual(["#2"]);
  });

  test.each([
    ["the overlay", {}],
    ["a tag that begins nothing", { mode: "none" }],
  ])("of a place is of the section that has it, and not of %s", async (_name, ofFirst) => {
    const [first, second] = [
      { ...keys, ...ofFirst },
      { ...keys, mode: "section", container: "#a" },
    ];
    standing.push(on(first), on(second));
    commands.takeOver(on(first), []);
    commands.takeOver(on(second), []);
    await turnOfEvents();
    commands.run(["init", { container: "#a", lang: "fr" }], on(first));
    expect(page.visits.at(-1)?.tag.options).toEqual({ ...second, lang: "fr" });
    if (!("mode" in ofFirst)) expect(page.visits[0]?.tag.options).toEqual(first);
  });

  test("is of the tag in the page, and not of one that has left it", async () => {
    const [first, second] = [
      { ...keys, mode: "section" },
      { ...keys, mode: "section", lang: "de" },
    ];
    commands.takeOver(on(first), []);
    await turnOfEvents();
    standing.push(Object.assign(on(second), { isConnected: true }));
    commands.takeOver(on(second), []);
    await turnOfEvents();
    commands.run(["init", { theme: "dark" }], on(first));
    await turnOfEvents();
    expect(page.visits.map(({ tag }) => tag.options)).toEqual([first, { ...second, theme: "dark" }]);
    commands.run(["init", { consent: "manual" }], on(first));
    const opened = commands.run(["decline"], on(first));
    expect(await Promise.race([opened, turnOfEvents().then(() => "waiting")])).toBe("waiting");
  });

  test("is of the overlay's tag that was called, though that has left the page", async () => {
    const [first, second] = [keys, { ...keys, mode: "section" }];
    commands.takeOver(on(first), []);
    standing.push(Object.assign(on(second), { isConnected: true }));
    commands.takeOver(on(second), []);
    await turnOfEvents();
    commands.run(["init", { theme: "dark" }], on(first));
    expect(page.visits[0]?.tag.options).toEqual({ ...first, theme: "dark" });
  });

  test.each([{}, { mode: "none" }])(
    "of a place without a tag is of the section that `init` has begun there, beside %j",
    async (more) => {
      const place = { container: "#a" };
      commands.takeOver(on({ ...keys, ...more }), [
        ["init", { mode: "section", ...place }],
        ["init", { ...place, lang: "fr" }],
      ]);
      await turnOfEvents();
      const all = page.visits.map(({ tag }) => tag.options);
      expect(all.at(-1)).toEqual({ ...keys, mode: "section", ...place, lang: "fr" });
      expect(all).toHaveLength("mode" in more ? 1 : 2);
    },
  );

  test.each([
    ["a section's", { mode: "section", container: "#a" }],
    ["an overlay's", {}],
    ["one that begins nothing", { mode: "none" }],
  ])(
    "holds for the tag that a route puts in its place, and what is declined by it: %s",
    async (_name, ofTag) => {
      const [first, second] = [
        { ...keys, ...ofTag },
        { ...keys, ...ofTag },
      ];
      commands.takeOver(on(first), [["init", { consent: "manual" }]]);
      await turnOfEvents();
      for (const host of hosts) host.isConnected = false;
      standing.push(Object.assign(on(second), { isConnected: true }));
      commands.takeOver(on(second), []);
      const opened = commands.run(["decline", { website: "ws_a" }], on(second));
      expect(await Promise.race([opened, turnOfEvents().then(() => "waiting")])).toBe("waiting");
      expect(begun).toEqual([]);
    },
  );

  test("of another website is not of a tag that names none yet", async () => {
    commands.takeOver(on(keys), [["init", { website: "ws_b", theme: "dark" }]]);
    commands.takeOver(on({}), [["init", { pub: "pub_a", website: "ws_c" }]]);
    await turnOfEvents();
    expect(begun.at(-1)?.options).toEqual({ pub: "pub_a", website: "ws_c" });
  });

  test.each([
    ["an overlay", {}, { mode: "overlay" }],
    ["a section", { mode: "section", container: "#b" }, { mode: "section", container: "#b" }],
  ])("with a mode, before its tag comes, is that tag's: %s", async (_name, ofTag, named) => {
    const parsed = whileLoading();
    commands.takeOver(on(keys), [["init", { website: "ws_b", ...named, consent: "manual" }]]);
    const late = on({ ...keys, website: "ws_b", ...ofTag });
    standing.push(late);
    commands.takeOver(late, []);
    await turnOfEvents();
    parsed();
    await turnOfEvents();
    expect(begun.map(({ website }) => website)).toEqual(["ws_a"]);
    const opened = commands.run(["decline", { website: "ws_b" }], on(keys));
    expect(await Promise.race([opened, turnOfEvents().then(() => "waiting")])).toBe("waiting");
  });

  test("before its tag comes holds for the tag that a route puts in its place", async () => {
    const section = { ...keys, website: "ws_b", mode: "section", container: "#b" };
    commands.takeOver(on(keys), [["init", { website: "ws_b", consent: "manual" }]]);
    commands.takeOver(on(section), []);
    await turnOfEvents();
    for (const host of hosts) host.isConnected = false;
    commands.takeOver(on({ ...section }), []);
    await turnOfEvents();
    expect(begun.map(({ website }) => website)).toEqual(["ws_a"]);
    commands.run(["consent", true], on(keys));
    await turnOfEvents();
    expect(begun.map(({ options }) => options.container)).toContain("#b");
  });

  test.each([
    ["takes nothing back of", false, { consent: "manual" }, () => () => {}],
    ["takes nothing back, while the page is read, of", false, { consent: "manual" }, whileLoading],
    ["stands beside", "manual", { lang: "fr" }, () => () => {}],
    ["stands, while the page is read, beside", "manual", { lang: "fr" }, whileLoading],
  ])("before its tag comes %s what it says afterwards", async (_name, consent, afterwards, reading) => {
    const parsed = reading();
    const late = on({ ...keys, website: "ws_b" });
    commands.takeOver(on(keys), [["init", { website: "ws_b", consent }]]);
    standing.push(late);
    commands.run(["init", { website: "ws_b", ...afterwards }], on(keys));
    commands.takeOver(late, []);
    parsed();
    const opened = commands.run(["decline", { website: "ws_b" }], on(keys));
    expect(await Promise.race([opened, turnOfEvents().then(() => "waiting")])).toBe("waiting");
  });

  test("is of its tag that comes later, which a declined application waits by as well", async () => {
    commands.takeOver(on(keys), []);
    commands.run(["init", { website: "ws_b", consent: "manual" }], on(keys));
    const late = on({ ...keys, website: "ws_b" });
    standing.push(late);
    commands.takeOver(late, []);
    const opened = commands.run(["decline", { website: "ws_b" }], on(keys));
    expect(await Promise.race([opened, turnOfEvents().then(() => "waiting")])).toBe("waiting");
    expect(begun.map(({ website }) => website)).toEqual(["ws_a"]);
  });

  test("before its tag is there is not lost by what is said while its script is on its way", async () => {
    const parsed = whileLoading();
    const onTag = { ...keys, website: "ws_b" };
    commands.takeOver(on(keys), [["init", { website: "ws_b", lang: "de" }]]);
    standing.push(Object.assign(on(onTag), { isConnected: true }));
    commands.run(["init", { website: "ws_b", limit: 2 }], on(keys));
    commands.takeOver(on(onTag), []);
    await turnOfEvents();
    const all = [keys, { ...onTag, lang: "de", limit: 2 }];
    expect(begun.map(({ options }) => options)).toEqual(all);
    parsed();
    await turnOfEvents();
    expect(page.visits.map(({ tag }) => tag.options)).toEqual(all);
  });

  test("before its tag comes is not said again over what is said of that afterwards", async () => {
    const parsed = whileLoading();
    const onTag = { ...keys, website: "ws_b", mode: "section", container: "#1" };
    commands.takeOver(on(keys), [["init", { website: "ws_b", container: "#1", lang: "de" }]]);
    standing.push(Object.assign(on(onTag), { isConnected: true }));
    commands.takeOver(on(onTag), []);
    commands.run(["init", { lang: "fr" }], on(onTag));
    parsed();
    await turnOfEvents();
    expect(begun.map(({ options }) => options)).toEqual([keys, { ...onTag, lang: "fr" }]);
  });

  test("twice before its tag's script comes is said in that order", async () => {
    const parsed = whileLoading();
    const onTag = { ...keys, website: "ws_b" };
    commands.takeOver(on(keys), [
      ["init", { website: "ws_b", lang: "de" }],
      ["init", { website: "ws_b", mode: "overlay", lang: "fr" }],
    ]);
    standing.push(Object.assign(on(onTag), { isConnected: true }));
    parsed();
    await turnOfEvents();
    expect(begun.at(-1)?.options).toEqual({ ...onTag, mode: "overlay", lang: "fr" });
  });

  test.each([
    ["whose tag stands further down", true],
    ["without a tag", false],
  ])("while the page is read holds as it was said last, of a website %s", async (_which, hasTag) => {
    const parsed = whileLoading();
    const waits = { website: "ws_b", consent: "manual" };
    commands.takeOver(on(keys), [
      ["init", waits],
      ["init", { website: "ws_b", mode: "overlay", consent: false }],
      ["init", waits],
    ]);
    if (hasTag) standing.push(on({ ...keys, website: "ws_b" }));
    parsed();
    await turnOfEvents();
    expect(begun.map(({ website }) => website)).toEqual(["ws_a"]);
  });

  test("of a container is not of a section that stands behind its tag", async () => {
    commands.takeOver(on(keys), [["init", { container: "#home" }]]);
    await turnOfEvents();
    leaveContainers();
    const [first, second] = [0, 1].map(() => on({ ...keys, mode: "section" })) as Two;
    commands.takeOver(Object.assign(first, { isConnected: true }), []);
    await turnOfEvents();
    Object.assign(first, { isConnected: false });
    commands.takeOver(Object.assign(second, { isConnected: true }), []);
    await turnOfEvents();
    expect(begun.map(({ options }) => options.container)).toEqual([undefined, "#home", undefined, undefined]);
  });

  test.each([
    ["before", true],
    ["after", false],
  ])(
    "of a container has a section tag wait whose script comes %s the rest of the page",
    async (_when, isEarly) => {
      const parsed = whileLoading();
      const tag = Object.assign(on({ ...keys, mode: "section" }), { isConnected: true });
      const more = { mode: "section", container: "#home", consent: "manual" };
      commands.takeOver(on({ ...keys, mode: "none" }), [["init", more]]);
      standing.push(tag);
      if (isEarly) commands.takeOver(tag, []);
      await turnOfEvents();
      parsed();
      await turnOfEvents();
      if (!isEarly) commands.takeOver(tag, []);
      await turnOfEvents();
      expect(begun).toEqual([]);
      commands.run(["consent", true], tag);
      await turnOfEvents();
      expect(begun).toMatchObject([{ options: { container: "#home" } }]);
    },
  );

  test.each([
    ["before", true],
    ["after", false],
  ])(
    "of two containers gives the first to a section tag whose script comes %s the rest of the page",
    async (_when, isEarly) => {
      const parsed = whileLoading();
      const waits = { ...keys, consent: "manual" };
      const tag = Object.assign(on({ ...waits, mode: "section" }), { isConnected: true });
      commands.takeOver(on({ ...waits, mode: "none" }), [
        ["init", { mode: "section", container: "#a", consent: "none" }],
        ["init", { mode: "section", container: "#b" }],
      ]);
      standing.push(tag);
      if (isEarly) commands.takeOver(tag, []);
      parsed();
      if (!isEarly) commands.takeOver(tag, []);
      await turnOfEvents();
      const containers = () => begun.map(({ options }) => options.container);
      expect(containers()).toEqual(["#a"]);
      commands.run(["consent", true], tag);
      await turnOfEvents();
      expect(containers()).toEqual(["#a", "#b"]);
    },
  );

  test("before its tag comes is not said again to another tag", async () => {
    const parsed = whileLoading();
    const b = { ...keys, website: "ws_b" };
    const [overlay, section] = [on(b), on({ ...b, mode: "section", container: "#b", consent: "manual" })];
    commands.takeOver(on(keys), [["init", { website: "ws_b", lang: "fr" }]]);
    standing.push(Object.assign(overlay, { isConnected: true }));
    commands.takeOver(overlay, []);
    commands.run(["init", { website: "ws_b", consent: false }], on(keys));
    standing.unshift(Object.assign(section, { isConnected: true }));
    commands.takeOver(section, []);
    parsed();
    await turnOfEvents();
    expect(begun.map(({ website, mode }) => [website, mode])).toEqual([
      ["ws_a", "overlay"],
      ["ws_b", "overlay"],
    ]);
  });

  test("before its tag comes is part of what the tag hands on to the next", async () => {
    const parsed = whileLoading();
    const onTag = { ...keys, website: "ws_b", mode: "section", container: "#b" };
    const { mode, container, website } = onTag;
    commands.takeOver(on(keys), [["init", { website, mode, container, limit: 2 }]]);
    standing.push(Object.assign(on(onTag), { isConnected: true }));
    commands.run(["init", { website, container, theme: "dark" }], on(keys));
    commands.takeOver(on(onTag), []);
    parsed();
    await turnOfEvents();
    standing.pop();
    Object.assign(on(onTag), { isConnected: false });
    leaveContainers();
    commands.run(["init", { website, container }], on(keys));
    await turnOfEvents();
    expect(begun).toHaveLength(3);
    expect(begun.at(-1)?.options).toMatchObject({ mode, container, limit: 2, theme: "dark" });
  });

  test.each([
    ["where it named a container", { container: "#a", consent: "manual" }, {}],
    ["before the next tag's script comes", { consent: "manual" }, { theme: "dark" }],
  ])("holds for the section's tag that a route puts in its place: %s", async (_name, more, meanwhile) => {
    const [first, second] = [0, 1].map(() => on({ ...keys, mode: "section" })) as Two;
    standing.push(Object.assign(first, { isConnected: true }));
    commands.takeOver(first, [["init", more]]);
    await turnOfEvents();
    Object.assign(first, { isConnected: false });
    standing.splice(0, 1, Object.assign(second, { isConnected: true }));
    if ("theme" in meanwhile) commands.run(["init", meanwhile], first);
    commands.takeOver(second, []);
    await turnOfEvents();
    expect(begun).toEqual([]);
  });

  test("of one of two sections that stand behind their tags is not of the other", async () => {
    const [first, second, third] = [0, 1, 2].map(() => on({ ...keys, mode: "section" })) as Three;
    for (const tag of [first, second, third]) standing.push(Object.assign(tag, { isConnected: true }));
    commands.takeOver(first, []);
    commands.run(["init", { lang: "de" }], first);
    commands.takeOver(second, [["init", { theme: "dark" }]]);
    commands.takeOver(third, []);
    await turnOfEvents();
    const added = begun.map(({ options: { lang, theme } }) => ({ lang, theme }));
    expect(added).toEqual([{ lang: "de" }, { theme: "dark" }, {}]);
  });

  test("of an overlay is of that also where the tag begins nothing", async () => {
    commands.takeOver(on({ ...keys, mode: "none" }), [
      ["init", { website: "ws_b", mode: "overlay" }],
      ["init", { website: "ws_b", theme: "dark" }],
    ]);
    await turnOfEvents();
    expect(page.visits.map(({ tag }) => tag.options)).toMatchObject([{ website: "ws_b", theme: "dark" }]);
  });

  test("of one place is not of another", async () => {
    const of = (container: string) => ({ website: "ws_b", mode: "section", container });
    commands.takeOver(on(keys), [
      ["init", { ...of("#1"), theme: "dark", words: {} }],
      ["init", of("#2")],
    ]);
    await turnOfEvents();
    expect(begun.at(-1)?.options).toEqual({ ...keys, ...of("#2") });
  });

  test.each([
    ["once the page is read", () => () => {}],
    ["while it is read", whileLoading],
  ])("of one place begins no overlay where the tag begins nothing: %s", async (_name, reading) => {
    const parsed = reading();
    commands.takeOver(on({ ...keys, mode: "none" }), [
      ["init", { website: "ws_b", theme: "dark" }],
      ["init", { website: "ws_b", mode: "section", container: "#1" }],
      ["init", { website: "ws_b", theme: "dark" }],
    ]);
    parsed();
    await turnOfEvents();
    expect(begun.map(({ mode }) => mode)).toEqual(["section"]);
  });

  test("is what another place of a website without a tag waits by", async () => {
    const place = { website: "ws_b", mode: "section", container: "#b" };
    commands.takeOver(on(keys), [
      ["init", { website: "ws_b", consent: "manual", lang: "fr", trigger: "manual" }],
      ["init", place],
    ]);
    await turnOfEvents();
    expect(begun.map(({ website }) => website)).toEqual(["ws_a"]);
    commands.run(["consent", true], on(keys));
    await turnOfEvents();
    expect(begun.map(({ options }) => options)).toContainEqual({
      ...keys,
      ...place,
      consent: "manual",
      lang: "fr",
    });
  });
});

test("the place of a section whose platform is given up goes, once that moves nothing", async () => {
  vi.stubGlobal("window", {});
  commands.takeOver(on({ ...keys, mode: "section", consent: "tcf", consentTimeout: "1" }), []);
  releasePlace.mockClear();
  await vi.waitFor(() => expect(releasePlace).toHaveBeenCalledExactlyOnceWith({ host: hosts[0] }, false), {
    timeout: 10_000,
  });
});

describe("a declined application whose consent is refused", () => {
  const word = (is: boolean) =>
    [{ gdprApplies: true, eventStatus: "tcloaded", purpose: { consents: { 2: is, 7: is } } }, true] as const;

  /** What the promise has come to. Nothing is told where no file was asked for, since none comes here. */
  const outcome = async (onTag: Options) => {
    const before = page.log.length;
    const opened = commands.run(["decline"], on(onTag));
    const session = await Promise.race([opened, turnOfEvents().then(() => "waiting")]);
    return [session, page.log.slice(before).map(([event]) => event)];
  };

  test("by a platform before it is asked for is null, until there is a yes", async () => {
    const platform = vi.fn();
    vi.stubGlobal("window", { __tcfapi: platform });
    const onTag = { ...keys, consent: "tcf" };
    commands.takeOver(on(onTag), []);
    const listener = platform.mock.calls[0]?.at(-1);
    listener(...word(false));
    expect(await outcome(onTag)).toEqual([null, []]);
    listener(...word(true));
    await vi.waitFor(() => expect(begun).toHaveLength(1), { timeout: 10_000 });
    expect(await commands.run(["decline"], on(onTag))).toBeNull();
    expect(
      page.log.map(([event]) => event),
      "its file was asked for",
    ).toEqual(["error"]);
  });

  test("by the website's own tag is null, whichever function was told to decline", async () => {
    const [onTag, second] = [{ ...keys }, { ...keys, website: "ws_b", mode: "none", consent: "manual" }];
    standing.push(on(onTag), on(second));
    commands.takeOver(on(onTag), []);
    const opened = commands.run(["decline", { website: "ws_b" }], on(onTag));
    expect(await Promise.race([opened, turnOfEvents().then(() => "waiting")])).toBe("waiting");
    commands.run(["consent", false], on(onTag));
    expect([await opened, page.log]).toEqual([null, []]);
  });

  test.each([
    ["none, which has it go on", { consent: false }, ["error"]],
    ["what is refused already", { consentPurposes: "1" }, []],
  ])("is by what its tag asks for then, as `init` says while it waits: %s", async (_name, more, told) => {
    const say = platform();
    // The platform is given up long after whoever waits for it here.
    const asked = { ...keys, consent: "tcf", consentTimeout: "60000" };
    const other = on({ ...asked, website: "ws_b", consentPurposes: "1" });
    commands.takeOver(other, []);
    await say(2);
    const onTag = { ...asked, mode: "none" };
    commands.takeOver(on(onTag), []);
    const opened = commands.run(["decline"], on(onTag));
    await turnOfEvents();
    commands.run(["init", more], on(onTag));
    const soon = new Promise((resolve) => setTimeout(resolve, 10_000, "waiting"));
    expect(await Promise.race([opened, soon])).toBeNull();
    expect(page.log.map(([event]) => event)).toEqual(told);
  });

  test("by a platform that answers while it is asked is null", async () => {
    const platform = (...call: unknown[]) => (call.at(-1) as (...said: unknown[]) => void)(...word(false));
    vi.stubGlobal("window", { __tcfapi: platform });
    const onTag = { ...keys, mode: "none", consent: "tcf" };
    commands.takeOver(on(onTag), []);
    expect(await outcome(onTag)).toEqual([null, []]);
    expect(await outcome(onTag), "once more").toEqual([null, []]);
  });

  test.each([
    ["absent", {}],
    ["silent", { __tcfapi: () => {} }],
  ])("by nobody is null once a platform has been %s for too long", async (_name, window) => {
    vi.stubGlobal("window", window);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
    try {
      const onTag = { ...keys, consent: "tcf", consentTimeout: "5000" };
      commands.takeOver(on(onTag), []);
      expect(await outcome(onTag)).toEqual(["waiting", []]);
      await vi.advanceTimersByTimeAsync(4900);
      expect(await outcome(onTag), "not yet").toEqual(["waiting", []]);
      const opened = commands.run(["decline"], on(onTag));
      await vi.advanceTimersByTimeAsync(200);
      expect(await opened).toBeNull();
      expect(await outcome(onTag), "once more").toEqual([null, []]);
      expect(begun).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("by the page before it is asked for is null", async () => {
    const onTag = { ...keys, consent: "manual" };
    commands.takeOver(on(onTag), [["consent", false]]);
    expect(await outcome(onTag)).toEqual([null, []]);
  });
});

test("`false` in `init` is an attribute that is not there", async () => {
  commands = start(
    page,
    async (tag) => void begun.push(tag),
    async () => {},
    () => false,
    () => new Promise(() => {}),
  );
  commands.takeOver(on(keys), [["init", { frame: false, debug: false }]]);
  await turnOfEvents();
  expect(begun).toEqual([]);
  commands.run(["init", { frame: true, lang: "de" }], on(keys));
  await turnOfEvents();
  expect(begun[0]?.options).toEqual({ ...keys, frame: true, lang: "de" });
});

test("what the loader has left closed is told to a listener that comes later, once", async () => {
  const settings = { ...blocked.settings, show: false, hidden: "closed_today" } as const;
  const tag = { ...keys, mode: "overlay", base: "", options: keys, simulated: { country: "", region: "" } };
  const visit: Visit = {
    tag,
    decision: { ...blocked, settings },
    send: () => {},
    tell: (...event) => page.tell(...event),
    script: on(keys),
    closing: new AbortController(),
  };
  page.visits.push(visit);
  commands = start(
    page,
    async () => {},
    async () => {},
    () => true,
    () => new Promise(() => {}),
  );
  const heard = vi.fn();
  commands.run(["on", "withheld", heard], on(keys));
  expect(heard).toHaveBeenCalledExactlyOnceWith({ website: "ws_a", mode: "overlay", reason: "closed_today" });
  commands.openOnTrigger(visit, { ...blocked, settings }, visit.closing.signal);
  expect(heard).toHaveBeenCalledTimes(1);
});

test("what listens is taken away by what it was added by", () => {
  const heard = vi.fn();
  commands.run(["on", "shown", heard], on(keys));
  page.tell("shown", { website: "ws_a" });
  commands.run(["off", "shown", heard], on(keys));
  page.tell("shown", { website: "ws_a" });
  expect(heard).toHaveBeenCalledTimes(1);
});

test("an overlay that is not to open again today opens by command alone", async () => {
  commands.takeOver(on(keys), []);
  await turnOfEvents();
  const [visit] = page.visits;
  if (!visit) throw new Error("it has begun");
  const hidden: typeof blocked = {
    ...blocked,
    settings: { ...blocked.settings, show: false, hidden: "closed_today" },
  };
  commands.openOnTrigger(visit, hidden, visit.closing.signal);
  await turnOfEvents();
  expect(opened).toHaveLength(0);
  commands.run(["open"], on({}));
  expect(opened).toEqual([visit]);
});

describe("an opener that the tag names", () => {
  const onTag = { ...keys, trigger: "click", opener: ".offers" };
  const hidden: typeof blocked = {
    ...blocked,
    settings: { ...blocked.settings, show: false, hidden: "closed_today" },
  };
  let press: () => Promise<void>;
  const { addEventListener: usual } = globalThis;
  afterEach(() => {
    vi.stubGlobal("addEventListener", usual);
    vi.stubGlobal("Element", undefined);
  });

  /** The visit waits for a press of its opener. */
  const waits = async (decision: typeof blocked): Promise<Visit> => {
    const pressed = new EventTarget();
    vi.stubGlobal("addEventListener", pressed.addEventListener.bind(pressed));
    vi.stubGlobal("Element", class {});
    const opener = Object.assign(new (globalThis.Element as new () => Element)(), {
      matches: (selector: string) => selector === ".offers",
    });
    press = async () => {
      const click = new Event("click");
      click.composedPath = () => [opener];
      pressed.dispatchEvent(click);
      await turnOfEvents();
    };
    commands.takeOver(on(onTag), []);
    await turnOfEvents();
    const [visit] = page.visits;
    if (!visit) throw new Error("it has begun");
    visit.decision = decision;
    void commands.openOnTrigger(visit, decision, visit.closing.signal);
    return visit;
  };

  test.each([
    ["", blocked],
    [", also by who has closed it today", hidden],
  ])("opens it with each press%s", async (_name, decision) => {
    const visit = await waits(decision);
    expect(opened).toEqual([]);
    await press();
    await press();
    expect(opened).toEqual([visit, visit]);
  });

  test("opens it also where the page has opened it first", async () => {
    commands.run(["open"], on(onTag));
    const visit = await waits(blocked);
    await press();
    expect(opened).toEqual([visit, visit]);
  });

  test("opens none on a page without overlay by the website's rules", async () => {
    const pages = { include: [], exclude: ["/here"] };
    await waits({ ...blocked, settings: { ...blocked.settings, pages } });
    await press();
    expect(opened).toEqual([]);
  });

  test("opens none for a visitor who is let through by the decision of now", async () => {
    const visit = await waits(blocked);
    visit.decision = { ...blocked, allowed: true };
    await press();
    expect(opened).toEqual([]);
  });

  test("opens none that the page has closed, before it says `open`", async () => {
    const visit = await waits(blocked);
    commands.run(["close"], on(onTag));
    await press();
    expect(opened).toEqual([]);
    commands.run(["open"], on(onTag));
    await press();
    expect(opened).toEqual([visit, visit]);
  });

  test("opens none of a view of the page that is over", async () => {
    const former = await waits(blocked);
    commands.run(["page"], on(onTag));
    await turnOfEvents();
    expect(page.visits).not.toContain(former);
    await press();
    expect(opened).toEqual([]);
  });
});

test("what `open` has opened before it waited for its trigger waits for that no more", async () => {
  commands.takeOver(on({ ...keys, trigger: "exit" }), []);
  await turnOfEvents();
  const [visit] = page.visits;
  if (!visit) throw new Error("it has begun");
  commands.run(["open"], on({}));
  const hidden = {
    ...blocked,
    settings: { ...blocked.settings, show: false, hidden: "closed_today" },
  } as const;
  await commands.openOnTrigger(visit, hidden, visit.closing.signal);
  expect(opened).toEqual([visit, visit]);
  expect(page.log).toEqual([]);
});

test("a platform that refuses at once what has begun is asked once", async () => {
  const platform = vi.fn((...call: unknown[]) =>
    (call.at(-1) as (data: object, is: true) => void)(
      { gdprApplies: true, eventStatus: "tcloaded", purpose: { consents: {} } },
      true,
    ),
  );
  vi.stubGlobal("window", { __tcfapi: platform });
  commands.takeOver(on(keys), []);
  await turnOfEvents();
  commands.run(["init", { consent: "tcf" }], on(keys));
  await turnOfEvents();
  expect([platform.mock.calls.length, page.visits.length]).toEqual([1, 0]);
});

describe("a tag that is there for declined applications alone", () => {
  const pings = () => fetched.mock.calls.map(([url, { body }]) => [url, JSON.parse(body)]);

  test("tells the service once a view of the page that it is there, and begins nothing", async () => {
    const tag = on({ ...keys, mode: "none" });
    commands.takeOver(tag, [["init", { lang: "de" }]]);
    commands.takeOver(on({ ...keys, mode: "none", lang: "fr" }), []);
    await turnOfEvents();
    const ping = [
      "https://offers.example/v1/events/snippet-ping",
      { websiteKey: "ws_a", surface: "decline" },
    ];
    expect(pings()).toMatchObject([ping]);
    commands.run(["page"], tag);
    await turnOfEvents();
    expect(pings()).toMatchObject([ping, ping]);
    expect(begun).toEqual([]);
  });

  test("leaves a platform the time that it has from when an application is declined", async () => {
    const platform: Record<string, unknown> = {};
    vi.stubGlobal("window", platform);
    const tag = on({ ...keys, mode: "none", consent: "tcf", consentTimeout: "40" });
    commands.takeOver(tag, []);
    commands.run(["init", { lang: "fr" }], tag);
    await new Promise((resolve) => setTimeout(resolve, 60));
    platform.__tcfapi = agrees;
    commands.run(["decline"], tag);
    await turnOfEvents();
    expect(pings()).toHaveLength(1);
  });

  test("tells it so as soon as its platform says yes, whether an application is declined or not", async () => {
    vi.stubGlobal("window", { __tcfapi: agrees });
    commands.takeOver(on({ ...keys, mode: "none", consent: "tcf" }), []);
    await turnOfEvents();
    expect(pings()).toHaveLength(1);
  });

  test("tells it nothing before there is consent", async () => {
    const tag = on({ ...keys, mode: "none", consent: "manual" });
    commands.takeOver(tag, []);
    await turnOfEvents();
    expect(pings()).toEqual([]);
    commands.run(["consent", true], tag);
    await turnOfEvents();
    expect(pings()).toHaveLength(1);
  });
});

test("a platform that came too late for one view of the page is asked again by the next", async () => {
  const platform: Record<string, unknown> = {};
  vi.stubGlobal("window", platform);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  try {
    const onTag = { ...keys, consent: "tcf", consentTimeout: "5000" };
    commands.takeOver(on(onTag), []);
    await turnOfEvents();
    await vi.advanceTimersByTimeAsync(5001);
    platform.__tcfapi = agrees;
    await vi.advanceTimersByTimeAsync(5001);
    expect(begun, "on the page view in which it was given up nothing begins").toEqual([]);
    commands.run(["page"], on(onTag));
    await turnOfEvents();
    expect(begun).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test("`open` before the decision opens it as well", async () => {
  commands.takeOver(on(keys), []);
  await turnOfEvents();
  const [visit] = page.visits;
  if (!visit) throw new Error("it has begun");
  commands.run(["close"], on({}));
  visit.decision = null;
  commands.run(["open"], on({}));
  expect(opened).toHaveLength(0);
  const hidden = { ...blocked, settings: { ...blocked.settings, show: false } };
  commands.openOnTrigger(visit, hidden, visit.closing.signal);
  expect(opened).toEqual([visit]);
});

test("what is closed before it could wait for its trigger does not open any more, but by command", async () => {
  commands.takeOver(on(keys), []);
  await turnOfEvents();
  const [visit] = page.visits;
  if (!visit) throw new Error("it has begun");
  const { signal } = visit.closing;
  visit.offers = Promise.resolve(null);
  commands.run(["close"], on({}));
  await commands.openOnTrigger(visit, blocked, signal);
  expect(opened).toEqual([]);
  expect(visit.offers, "what was asked for is given up with it").toBeUndefined();
  commands.run(["open"], on({}));
  expect(opened).toEqual([visit]);
});

describe("`close` before what it closes has begun", () => {
  const section = { ...keys, mode: "section", container: "#a" };

  test("is not of the next container, for which `init` asks again", async () => {
    commands.takeOver(on({ ...keys, mode: "none" }), [["init", section], ["close"]]);
    await turnOfEvents();
    commands.run(["init", section], on(keys));
    await turnOfEvents();
    expect(begun).toEqual([]);
    leaveContainers();
    commands.run(["init", section], on(keys));
    await turnOfEvents();
    expect(begun.map(({ mode }) => mode)).toEqual(["section"]);
  });

  test("is not of what is asked for after it and begins anew with a yes", async () => {
    commands.takeOver(on({ ...keys, mode: "none" }), [["close"]]);
    commands.takeOver(on({ ...keys, consent: "manual" }), []);
    for (const isGiven of [true, false, true]) {
      commands.run(["consent", isGiven], on({}));
      await turnOfEvents();
    }
    expect(begun).toHaveLength(2);
  });

  test.each([
    ["of a tag", keys, []],
    ["of an `init` in the same turn", { ...keys, mode: "none" }, [["init", { mode: "overlay" }]]],
  ] as const)("keeps away the overlay %s until `open`", async (_whose, onTag, waiting) => {
    commands.takeOver(on(onTag), [...waiting, ["close"]]);
    await turnOfEvents();
    expect(begun).toEqual([]);
    commands.run(["open"], on({}));
    await turnOfEvents();
    expect(begun).toMatchObject([{ ...keys, mode: "overlay" }]);
    const [visit] = page.visits;
    if (!visit) throw new Error("it has begun");
    commands.openOnTrigger(visit, blocked, visit.closing.signal);
    expect(opened).toEqual([visit]);
  });

  test.each([
    ["open", []],
    ["page", ["section"]],
  ])("keeps away a section, with its place, and `%s` begins %j", async (command, modes) => {
    commands.takeOver(on(section), [["close"]]);
    await turnOfEvents();
    commands.run(["init", { container: "#a", lang: "de" }], on(section));
    await turnOfEvents();
    expect(begun).toEqual([]);
    expect(releasePlace).toHaveBeenLastCalledWith({ host: hosts[0] }, true);
    commands.run([command], on({}));
    await turnOfEvents();
    expect(begun.map(({ mode }) => mode)).toEqual(modes);
  });

  test("takes away the place of a section that waits for its tab", async () => {
    let display = () => {};
    displayed = new Promise((resolve) => {
      display = resolve;
    });
    commands.takeOver(on(section), []);
    await turnOfEvents();
    expect([hosts.length, begun]).toEqual([1, []]);
    releasePlace.mockClear();
    commands.run(["close"], on({}));
    display();
    await turnOfEvents();
    expect(begun).toEqual([]);
    expect(releasePlace).toHaveBeenLastCalledWith({ host: hosts[0] }, true);
  });

  test.each([
    ["consent", keys, ["overlay"]],
    ["consent, of a section", section, ["section"]],
  ])("is not undone by %s, and is by a new view of the page", async (_what, onTag, modes) => {
    commands.takeOver(on({ ...onTag, consent: "manual" }), []);
    await turnOfEvents();
    commands.run(["close"], on({}));
    commands.run(["consent", true], on({}));
    await turnOfEvents();
    expect(begun).toEqual([]);
    commands.run(["page"], on({}));
    await turnOfEvents();
    expect(begun.map(({ mode }) => mode)).toEqual(modes);
  });

  test("keeps away what another tag asks for whose script has not come", async () => {
    const [overlay, placed, late] = [on(keys), on(section), on({ ...keys, website: "ws_b" })];
    standing.push(overlay, placed);
    commands.takeOver(overlay, [["close"]]);
    standing.push(late);
    commands.takeOver(placed, []);
    await turnOfEvents();
    expect(begun).toEqual([]);
    // A router that says so and puts the next page's tag in at once.
    commands.run(["close"], on({}));
    commands.takeOver(late, []);
    await turnOfEvents();
    expect(begun.map(({ website }) => website)).toEqual(["ws_b"]);
  });

  test("is not of the next tag, where another command stood in the queue", async () => {
    const [overlay, late] = [on({ ...keys, mode: "none" }), on({ ...keys, website: "ws_b" })];
    standing.push(overlay, late);
    commands.takeOver(overlay, [["on", "shown", () => {}]]);
    commands.run(["close"], overlay);
    commands.takeOver(late, []);
    await turnOfEvents();
    expect(begun).toMatchObject([{ website: "ws_b" }]);
  });

  test("is of a section in a container that is still to be parsed, however often that is named", async () => {
    const parsed = whileLoading();
    const placed = on(section);
    standing.push(placed);
    commands.takeOver(on({ ...keys, mode: "none" }), [["close"], ["init", section]]);
    commands.takeOver(placed, []);
    await turnOfEvents();
    const first = { isConnected: true };
    container = first;
    parsed();
    await turnOfEvents();
    commands.run(["init", section], placed);
    await turnOfEvents();
    expect(begun).toEqual([]);
    // The next container, which a route brings with its tag, is another one.
    first.isConnected = false;
    container = { isConnected: true };
    commands.takeOver(on({ ...section }), []);
    await turnOfEvents();
    expect(begun).toMatchObject([{ mode: "section" }]);
  });

  test("is not of a section tag that comes later, though `init` had asked for the website's overlay", async () => {
    commands.takeOver(on(keys), [["init", { website: "ws_b" }], ["close"]]);
    await turnOfEvents();
    commands.takeOver(on({ ...section, website: "ws_b" }), []);
    await turnOfEvents();
    expect(begun).toMatchObject([{ website: "ws_b", mode: "section" }]);
  });

  test("of a section whose container is not there yet is not of who asks once it is", async () => {
    const [overlay, placed] = [on(keys), on(section)];
    standing.push(overlay, placed);
    commands.takeOver(overlay, [["close"]]);
    commands.takeOver(placed, []);
    await turnOfEvents();
    container = { isConnected: true };
    commands.run(["init", { container: "#a" }], overlay);
    await turnOfEvents();
    expect(begun).toMatchObject([{ mode: "section" }]);
  });

  test("keeps away what `init` has asked for whose own tag comes later", async () => {
    const parsed = whileLoading();
    const late = on({ ...keys, website: "ws_b" });
    commands.takeOver(on({ ...keys, mode: "none" }), [["init", { website: "ws_b" }], ["close"]]);
    standing.push(late);
    document.readyState = "interactive";
    commands.takeOver(late, []);
    parsed();
    await turnOfEvents();
    expect(begun).toEqual([]);
    commands.run(["open"], on(keys));
    await turnOfEvents();
    expect(begun).toMatchObject([{ website: "ws_b", mode: "overlay" }]);
  });

  test("keeps a section away that waits for the rest of the page, also where the overlay is opened again", async () => {
    const parsed = whileLoading();
    commands.takeOver(on({ ...keys, mode: "none" }), [["init", section], ["close"], ["open"]]);
    parsed();
    await turnOfEvents();
    expect(begun).toEqual([]);
  });

  test("is before what `init` says behind it of a tag without attributes, and behind what stands before", async () => {
    commands.takeOver(on({}), [["open"], ["close"], ["init", keys]]);
    await turnOfEvents();
    expect(begun).toMatchObject([keys]);
    const [visit] = page.visits;
    if (!visit) throw new Error("it has begun");
    const hidden = { ...blocked, settings: { ...blocked.settings, show: false } };
    commands.openOnTrigger(visit, hidden, visit.closing.signal);
    expect(opened).toEqual([]);
  });

  test.each([
    ["both in the queue", [["close"], ["init", keys]], []],
    ["`close` alone in the queue", [["close"]], [["init", keys]]],
    ["neither", [["on", "shown", () => {}]], [["close"], ["init", keys]]],
  ])(
    "is before the first `init` of a tag without attributes in the page: %s",
    async (_which, waiting, later) => {
      const tag = on({});
      standing.push(tag);
      commands.takeOver(tag, waiting);
      for (const said of later) commands.run(said, tag);
      await turnOfEvents();
      expect(begun).toMatchObject([keys]);
    },
  );

  test("in another tag's queue is before the first `init` of a tag without attributes as well", async () => {
    const [overlay, bare] = [on({ ...keys, mode: "none" }), on({ global: "second" })];
    standing.push(overlay, bare);
    commands.takeOver(overlay, [["close"]]);
    commands.takeOver(bare, []);
    commands.run(["init", { pub: "pub_a", website: "ws_b" }], bare);
    await turnOfEvents();
    expect(begun).toMatchObject([{ website: "ws_b" }]);
  });

  test.each([
    ["while consent is waited for", ["close"], ["consent", true]],
    ["once it has begun", ["consent", true], ["close"]],
  ])("of an overlay is not undone by the next tag of its website: closed %s", async (_when, ...said) => {
    const waits = { ...keys, consent: "manual" };
    const [first, second] = [on(waits), on({ ...waits })];
    commands.takeOver(first, []);
    await turnOfEvents();
    for (const word of said) {
      commands.run(word, first);
      if (word[0] === "close") commands.takeOver(second, []);
      await turnOfEvents();
    }
    expect(page.visits.filter(({ closing }) => !closing.signal.aborted)).toEqual([]);
    commands.run(["open"], second);
    await turnOfEvents();
    expect(begun).toHaveLength(1);
  });

  test.each([
    ["is there from the start", "start"],
    ["comes before it", "close"],
    ["never comes", "never"],
  ])(
    "of a section that had no place yet is not of the next container's: its own %s",
    async (_which, when) => {
      const waits = { ...section, consent: "manual" };
      const first = { isConnected: true };
      if (when === "start") container = first;
      commands.run(["consent", false], on({}));
      commands.takeOver(on(waits), []);
      await turnOfEvents();
      if (when === "close") container = first;
      commands.run(["close"], on({}));
      first.isConnected = false;
      container = { isConnected: true };
      commands.takeOver(on({ ...waits }), []);
      commands.run(["consent", true], on({}));
      await turnOfEvents();
      expect(begun.map(({ mode }) => mode)).toEqual(["section"]);
    },
  );

  test("is not undone by a yes after a no of what had begun", async () => {
    commands.takeOver(on({ ...keys, consent: "manual" }), []);
    commands.run(["consent", true], on({}));
    await turnOfEvents();
    commands.run(["close"], on({}));
    commands.run(["consent", false], on({}));
    commands.run(["consent", true], on({}));
    await turnOfEvents();
    expect(begun).toHaveLength(1);
    commands.run(["open"], on({}));
    await turnOfEvents();
    expect(begun).toHaveLength(2);
  });

  test("closes nothing that the page asks for after it", async () => {
    commands.takeOver(on({ ...keys, mode: "none" }), [["close"], ["init", { mode: "overlay" }]]);
    await turnOfEvents();
    commands.run(["close"], on({}));
    commands.run(["init", section], on(keys));
    await turnOfEvents();
    expect(begun.map(({ mode }) => mode)).toEqual(["overlay", "section"]);
  });
});
