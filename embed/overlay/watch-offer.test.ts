import { afterEach, beforeEach, expect, test, vi } from "vitest";

let isUncovered = true;
let looks = 0;
vi.mock("./clear-view.ts", () => ({
  pause: 250,
  isOnTop() {
    looks += 1;
    return isUncovered;
  },
}));
const { watchOffer } = await import("./watch-offer.ts");

/** Tells the watching that this share of an offer is in view. */
let tell: (intersectionRatio: number) => void = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  isUncovered = true;
  looks = 0;
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(heard: (entries: unknown[]) => void) {
        tell = (intersectionRatio) =>
          heard([{ intersectionRatio, boundingClientRect: { width: 300, height: 300 } }]);
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const watched = () => {
  const seen = vi.fn();
  const element: unknown = {};
  return { seen, stop: watchOffer(element as Element, seen) };
};

test("nobody looks again and again at an offer of which too little is in view", () => {
  const { seen } = watched();
  tell(0.4);
  vi.advanceTimersByTime(5000);
  expect([looks, vi.getTimerCount()]).toEqual([0, 0]);
  tell(0.6);
  vi.advanceTimersByTime(1000);
  expect(seen).toHaveBeenCalledWith({ visibleRatio: 0.6, visibleMs: 1000 });
});

test("one that is covered is looked at until it is not", () => {
  const { seen } = watched();
  isUncovered = false;
  tell(1);
  vi.advanceTimersByTime(3000);
  expect(seen).not.toHaveBeenCalled();
  isUncovered = true;
  vi.advanceTimersByTime(1250);
  expect(seen).toHaveBeenCalledOnce();
});
