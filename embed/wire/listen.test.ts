import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { listen } from "./listen.ts";
import { ZoneTarget } from "./zone-target-for-tests.ts";

const targets = [
  ["a browser", () => new EventTarget()],
  ["zone.js before 0.14.3", () => new ZoneTarget()],
] as const;

for (const [name, open] of targets) {
  const options = { capture: true };

  test(`by ${name}, what is aborted hears no more, and the page's own listeners go on`, () => {
    const target = open();
    const [before, ours, after] = [vi.fn(), vi.fn(), vi.fn()];
    const until = new AbortController();
    target.addEventListener("scroll", before, options);
    listen(target, "scroll", until.signal, ours, options);
    target.addEventListener("scroll", after, options);
    target.dispatchEvent(new Event("scroll"));
    until.abort();
    target.dispatchEvent(new Event("scroll"));
    expect(ours).toHaveBeenCalledTimes(1);
    expect(before).toHaveBeenCalledTimes(2);
    expect(after).toHaveBeenCalledTimes(2);
  });

  test(`by ${name}, the page's own listener that came after the first of ours goes on`, () => {
    const target = open();
    const page = vi.fn();
    const until = new AbortController();
    listen(target, "scroll", until.signal, vi.fn(), options);
    target.addEventListener("scroll", page, options);
    until.abort();
    target.dispatchEvent(new Event("scroll"));
    expect(page).toHaveBeenCalledTimes(1);
  });

  test(`by ${name}, who listens, stops and listens again, is heard each time`, () => {
    const target = open();
    for (let round = 0; round < 3; round += 1) {
      const heard = vi.fn();
      const until = new AbortController();
      listen(target, "visibilitychange", until.signal, heard);
      target.dispatchEvent(new Event("visibilitychange"));
      until.abort();
      expect(heard, `round ${round}`).toHaveBeenCalledTimes(1);
    }
  });
}

test("what a page's script does not remove hears no more either", () => {
  const target = new EventTarget();
  target.removeEventListener = () => {};
  const heard = vi.fn();
  const until = new AbortController();
  listen(target, "scroll", until.signal, heard);
  until.abort();
  target.dispatchEvent(new Event("scroll"));
  expect(heard).not.toHaveBeenCalled();
});

/** A call with all that stands in its brackets, functions that are written there among it. */
const bySignal = /addEventListener\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\bsignal\b/;

test.each([
  ["addEventListener('scroll', look, { signal })", true],
  [
    "page.addEventListener('mouseleave', (event) => leaves(event) && fire(), { passive: true, signal: until })",
    true,
  ],
  ["addEventListener('scroll', look); fetch(address, { signal })", false],
])("%s listens by a signal: %s", (code, does) => {
  expect(bySignal.test(code)).toBe(does);
});

test("nothing of the embed listens by a signal", () => {
  const folder = join(import.meta.dirname, "..");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|for-tests|^dist|^node_modules/.test(file),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => bySignal.test(readFileSync(join(folder, file), "utf8")))).toEqual([]);
});
