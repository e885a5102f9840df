import { describe, expect, test, vi } from "vitest";
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
  const page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  const fire = vi.fn();
  onTrigger("click", new AbortController().signal, fire);
  for (let press = 0; press < 2; press += 1) page.dispatchEvent(new Event("click"));
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
    ["at once on a page that cannot be scrolled", 0, 800, true],
    ["at once on a page shorter than the window", 0, 500, true],
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
