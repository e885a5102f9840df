/** Where one key stands in its window. */
export type CallWindow = {
  /** Calls so far, this one included. */
  calls: number;
  /** Whole seconds until the window ends, from 1 to the window's length. */
  resetSeconds: number;
};

type Open = { calls: number; endsAt: number };

/**
 * Counts calls in fixed windows, in memory. Windows lie in two generations: a new one opens among the young, and
 * once a window's length, or when the young have become too many, the old ones are dropped whole and the young are
 * the old. So nothing is ever searched for, no key has a timer, and what is dropped early is what opened first.
 * Time is monotonic: a clock that is set changes nothing.
 * @param args.most how many windows are kept at the most.
 * @param args.now milliseconds that only ever grow; the process's own when it is left out.
 */
export function createCallWindows(args: {
  seconds: number;
  most: number;
  now?: () => number;
}): (key: string) => CallWindow {
  const clock = args.now ?? (() => performance.now());
  const windowMs = args.seconds * 1000;
  let young = new Map<string, Open>();
  let old = new Map<string, Open>();
  let agesAt = 0;

  const age = (now: number): void => {
    if (now < agesAt && young.size < args.most / 2) return;
    [old, young] = [young, new Map()];
    agesAt = now + windowMs;
  };

  const windowOf = (key: string, now: number): Open => {
    const known = young.get(key) ?? old.get(key);
    if (known && known.endsAt > now) return known;
    age(now);
    const opened = { calls: 0, endsAt: now + windowMs };
    young.set(key, opened);
    return opened;
  };

  return (key) => {
    const now = clock();
    const window = windowOf(key, now);
    window.calls += 1;
    const left = Math.ceil((window.endsAt - now) / 1000);
    return { calls: window.calls, resetSeconds: Math.min(args.seconds, Math.max(1, left)) };
  };
}
