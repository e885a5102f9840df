import { rateLimits as limits } from "@offers/contract/endpoints";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRateLimits } from "./rate-limits.ts";

describe("rate limits", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("counts down to the limit, refuses the next call, and tells when the window ends", () => {
    const rateLimits = createRateLimits(1);
    for (let call = 1; call <= limits.click; call += 1) {
      const turn = rateLimits.take("click", "a");
      expect(turn).toMatchObject({ admitted: true, limit: limits.click, remaining: limits.click - call });
    }
    vi.advanceTimersByTime(20_500);
    const refused = rateLimits.take("click", "a");
    expect(refused).toMatchObject({ admitted: false, remaining: 0, resetSeconds: 40 });
    vi.advanceTimersByTime(39_000);
    expect(rateLimits.take("click", "a")).toMatchObject({ admitted: false, resetSeconds: 1 });
    vi.advanceTimersByTime(1_000);
    expect(rateLimits.take("click", "a")).toMatchObject({ admitted: true, resetSeconds: 60 });
  });

  it("does not lengthen the window of a caller who does not stop", () => {
    const rateLimits = createRateLimits(1);
    for (let second = 0; second < 59; second += 1) {
      rateLimits.take("click", "a");
      vi.advanceTimersByTime(1_000);
    }
    expect(rateLimits.take("click", "a").admitted).toBe(false);
    vi.advanceTimersByTime(1_001);
    expect(rateLimits.take("click", "a").admitted).toBe(true);
  });

  it("keeps names and keys apart", () => {
    const rateLimits = createRateLimits(1 / limits.click);
    expect(rateLimits.take("click", "a").admitted).toBe(true);
    expect(rateLimits.take("click", "a").admitted).toBe(false);
    expect(rateLimits.take("click", "b").admitted).toBe(true);
    expect(rateLimits.take("hop", "a").admitted).toBe(true);
  });

  it.each([
    [2, 60],
    [1, 30],
    [0.5, 15],
    [0.001, 1],
  ])("multiplies by %d: %i clicks a minute", (factor, limit) => {
    expect(createRateLimits(factor).take("click", "a").limit).toBe(limit);
  });

  it("keeps a window for its whole minute, whenever within the life of the others it opened", () => {
    const rateLimits = createRateLimits(1 / limits.click);
    rateLimits.take("click", "a");
    vi.advanceTimersByTime(59_000);
    rateLimits.take("click", "b");
    vi.advanceTimersByTime(2_000);
    expect(rateLimits.take("click", "c").admitted).toBe(true);
    expect(rateLimits.take("click", "b").admitted).toBe(false);
    expect(rateLimits.take("click", "a").admitted).toBe(true);
    vi.advanceTimersByTime(57_500);
    expect(rateLimits.take("click", "b")).toMatchObject({ admitted: false, resetSeconds: 1 });
  });

  it("never locks a caller out for longer than a window when the clock is set back", () => {
    const rateLimits = createRateLimits(1 / limits.click);
    rateLimits.take("click", "a");
    vi.setSystemTime(1_000_000 - 3_600_000);
    const refused = rateLimits.take("click", "a");
    expect(refused.admitted).toBe(false);
    expect(refused.resetSeconds).toBeLessThanOrEqual(60);
    vi.advanceTimersByTime(60_000);
    expect(rateLimits.take("click", "a").admitted).toBe(true);
  });
});
