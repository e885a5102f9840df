/** When a question was sent and answered by this machine's clock, and what the server's said in between: milliseconds since the epoch. */
export type RoundTrip = { sentAt: number; serverAt: number; receivedAt: number };

/** So many of the last round trips say how far the clocks are apart: of five, two may have been held up on their way. */
export const tripsRemembered = 5;

/**
 * How many milliseconds the server's clock is ahead of this machine's: the median of what the round trips say, each of which
 * is wrong by half its own duration at the most. 0 before the first one.
 */
export function clockOffsetOf(trips: readonly RoundTrip[]): number {
  const offsets = trips
    .map(({ sentAt, serverAt, receivedAt }) => serverAt - (sentAt + receivedAt) / 2)
    .sort((one, other) => one - other);
  return Math.round(offsets[Math.floor(offsets.length / 2)] ?? 0);
}

/** By less than this a clock that was ahead is waited for; by more it goes back, for standing still would be worse. */
const longestStandMs = 1000;

/** One clock for all machines that share a server. */
export type ServerClock = {
  /** Milliseconds since the epoch, whole. It goes back only where it was wrong by more than a second. */
  now(): number;
  /** Takes over how far the server's clock is ahead. */
  setOffset(offsetMs: number): void;
};

/** @param clock this machine's, in milliseconds since the epoch. */
export function createServerClock(clock: () => number): ServerClock {
  let offset = 0;
  let last = Number.NEGATIVE_INFINITY;
  return {
    now: () => {
      const now = clock() + offset;
      if (now >= last || last - now > longestStandMs) last = now;
      return last;
    },
    setOffset: (offsetMs) => {
      offset = offsetMs;
    },
  };
}

/** A machine whose clock is so far off should be put right, though its answers go by the server's. */
const noticedMs = 1000;
/** And one that is so far off is not to serve: whatever else it tells by its own clock is wrong. */
const bearableMs = 30_000;

/** What an offset means for whoever operates the machine. */
export function clockVerdict(offsetMs: number): "right" | "off" | "unbearable" {
  const off = Math.abs(offsetMs);
  if (off > bearableMs) return "unbearable";
  return off > noticedMs ? "off" : "right";
}
