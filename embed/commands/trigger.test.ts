import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chooseTrigger, isHalfScrolled, isOpener, leavesAtTop, onTrigger } from "./trigger.ts";

describe("the trigger", () => {
  test.each([
    ["", "exit", "exit"],
    ["scroll", "exit", "scroll"],
    ["manual", "exit", "manual"],
    ["click", "exit", "click"],
    ["later", "exit", "exit"],
    ["immediate", "exit", "immediate"],
    ["", undefined, "pause"],
    ["", null, "pause"],
    ["", { toString: (): string => "exit" }, "pause"],
    ["constructor", "toString", "pause"],
  ])("with %j on the tag and %j in the settings is %s", (onTag, inSettings, trigger) => {
    expect(chooseTrigger(onTag, inSettings)).toBe(trigger);
  });

  test.each(["immediate", "pause"] as const)("`%s` fires at once", (trigger) => {
    const fire = vi.fn();
    onTrigger(trigger, new AbortController().signal, fire);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  test("`manual` never does", () => {
    const fire = vi.fn();
    onTrigger("manual", new AbortController().signal, fire);
    expect(fire).not.toHaveBeenCalled();
  });
});

test("`click` is a press anywhere, once", () => {
  // Only browsers make presses that are trusted.
  let press: (event: { isTrusted: boolean }) => void = () => {};
  vi.stubGlobal("addEventListener", (_type: string, heard: typeof press) => {
    press = heard;
  });
  vi.stubGlobal("removeEventListener", vi.fn());
  const fire = vi.fn();
  onTrigger("click", new AbortController().signal, fire);
  press({ isTrusted: false });
  expect(fire, "pressed by a script").not.toHaveBeenCalled();
  for (let round = 0; round < 2; round += 1) press({ isTrusted: true });
  expect(fire).toHaveBeenCalledTimes(1);
});

describe("the opener", () => {
  class Element {
    readonly #selector: string;
    constructor(selector: string) {
      this.#selector = selector;
    }
    matches(selector: string) {
      if (selector === "[") throw new SyntaxError("no selector");
      return selector === this.#selector;
    }
  }
  vi.stubGlobal("Element", Element);
  const path = [new Element("path"), new Element(".offers"), {}, new Element("html")];

  test.each([
    ["is pressed where the press falls into it", path, ".offers", true],
    ["is not pressed beside it", path, ".more", false],
    ["is not pressed by what falls on no element", [{}, null], ".offers", false],
    ["is nothing without a selector", path, undefined, false],
    ["is nothing by a selector that is none", path, "[", false],
  ])("%s", (_name, pressed, selector, is) => {
    expect(isOpener(pressed, selector)).toBe(is);
  });
});

describe("half of the page", () => {
  test.each([
    ["not at the top", 0, 4000, false],
    ["not just before the middle", 1599, 4000, false],
    ["at the middle", 1600, 4000, true],
    ["at the end", 3200, 4000, true],
    ["on a page that cannot be scrolled", 0, 800, true],
    ["on a page shorter than the window", 0, 500, true],
  ])("is seen %s", (_name, scrollTop, scrollHeight, seen) => {
    expect(isHalfScrolled({ scrollTop, scrollHeight, clientHeight: 800 })).toBe(seen);
  });
});

test("only a pointer that goes out at the top is about to leave", () => {
  expect(leavesAtTop({ clientY: -3 })).toBe(true);
  expect(leavesAtTop({ clientY: 0 })).toBe(true);
  expect(leavesAtTop({ clientY: 1 })).toBe(false);
  expect(leavesAtTop({ clientY: 900 })).toBe(false);
});

/** A page of 4,000 pixels in a window of 800, of which the events come by its window and by its root. */
function pageWith(more: { hover?: boolean; readyState?: string; quirks?: boolean; height?: number } = {}) {
  const { hover = true, readyState = "complete", quirks = false, height = 4000 } = more;
  const [window, root] = [new EventTarget(), new EventTarget()];
  const lengths = { scrollTop: 0, scrollHeight: height, clientHeight: 800 };
  // In quirks mode a body may be none that scrolls, and the root does.
  const scrolling = quirks ? Object.assign(root, lengths) : lengths;
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(hover: none)" && !hover }));
  const scrollingElement = quirks ? null : scrolling;
  vi.stubGlobal("document", { readyState, documentElement: root, scrollingElement });
  return {
    fire: vi.fn(),
    scrollsTo: (top: number) => {
      scrolling.scrollTop = top;
      window.dispatchEvent(new Event("scroll"));
    },
    grows: (whole: number) => {
      scrolling.scrollHeight = whole;
    },
    loads: (whole: number) => {
      scrolling.scrollHeight = whole;
      window.dispatchEvent(new Event("load"));
    },
    presses: () => window.dispatchEvent(new Event("click")),
    leavesAt: (clientY: number) => root.dispatchEvent(Object.assign(new Event("mouseleave"), { clientY })),
  };
}

test.each([
  ["scroll", {}],
  ["scroll", { quirks: true }],
  ["exit", { hover: false }],
] as const)("`%s` fires once half of the page was seen (%j)", (trigger, more) => {
  const { fire, scrollsTo, leavesAt } = pageWith(more);
  onTrigger(trigger, new AbortController().signal, fire);
  scrollsTo(1599);
  leavesAt(0);
  expect(fire).not.toHaveBeenCalled();
  scrollsTo(1600);
  scrollsTo(1700);
  expect(fire).toHaveBeenCalledTimes(1);
});

describe("on a page that cannot be scrolled, `scroll`", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ["fires three seconds after it was complete", 700, 700, 1],
    ["does not where it had not been complete before, and is higher then", 4000, 4000, 0],
    ["does not where its scripts have drawn more meanwhile", 700, 4000, 0],
  ])("%s", (_name, complete, drawn, times) => {
    const growing = pageWith({ height: 700, readyState: "interactive" });
    onTrigger("scroll", new AbortController().signal, growing.fire);
    vi.advanceTimersByTime(60_000);
    growing.loads(complete);
    vi.advanceTimersByTime(2999);
    expect(growing.fire).not.toHaveBeenCalled();
    growing.grows(drawn);
    vi.advanceTimersByTime(60_000);
    expect(growing.fire).toHaveBeenCalledTimes(times);
    growing.scrollsTo(3000);
    expect(growing.fire).toHaveBeenCalledTimes(1);
  });

  test.each([
    ["fires as late where it was complete already", 700, 1],
    ["waits for half of what has been drawn since", 4000, 0],
  ])("%s", (_name, drawn, times) => {
    const page = pageWith({ height: 700 });
    onTrigger("scroll", new AbortController().signal, page.fire);
    expect(page.fire).not.toHaveBeenCalled();
    page.grows(drawn);
    vi.advanceTimersByTime(3000);
    expect(page.fire).toHaveBeenCalledTimes(times);
    page.scrollsTo(1600);
    expect(page.fire).toHaveBeenCalledTimes(1);
  });

  test("waits its three seconds out where scripts have shortened it below what was scrolled", () => {
    const page = pageWith({ height: 700 });
    onTrigger("scroll", new AbortController().signal, page.fire);
    page.scrollsTo(0);
    expect(page.fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(3000);
    expect(page.fire).toHaveBeenCalledTimes(1);
  });

  test("fires as soon as a page is complete that is scrolled to its half by then", () => {
    const page = pageWith({ readyState: "interactive" });
    page.scrollsTo(1500);
    onTrigger("scroll", new AbortController().signal, page.fire);
    page.loads(3000);
    expect(page.fire).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(3000);
    expect(page.fire).toHaveBeenCalledTimes(1);
  });

  test("fires no more once nobody waits for it", () => {
    const short = pageWith({ height: 700 });
    const until = new AbortController();
    onTrigger("scroll", until.signal, short.fire);
    until.abort();
    vi.advanceTimersByTime(60_000);
    expect(short.fire).not.toHaveBeenCalled();
  });
});

test("`exit` fires once when the pointer leaves at the top, and not by scrolling", () => {
  const { fire, scrollsTo, leavesAt } = pageWith();
  onTrigger("exit", new AbortController().signal, fire);
  leavesAt(5);
  scrollsTo(3000);
  expect(fire).not.toHaveBeenCalled();
  leavesAt(-1);
  leavesAt(-1);
  expect(fire).toHaveBeenCalledTimes(1);
});

test.each(["exit", "scroll", "click"] as const)("`%s` fires no more once nobody waits for it", (trigger) => {
  const { fire, scrollsTo, leavesAt, presses } = pageWith();
  const until = new AbortController();
  onTrigger(trigger, until.signal, fire);
  until.abort();
  leavesAt(-1);
  scrollsTo(3000);
  presses();
  expect(fire).not.toHaveBeenCalled();
});
