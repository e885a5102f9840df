import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { ask, type Query, queryText, Refused } from "./api.ts";

export type Answer<Value> = {
  /** Undefined until something was answered. Of this address, or of the same path while its query changes. */
  value: Value | undefined;
  error: Refused | undefined;
  /** Whether an answer to this very address is still to come. */
  isLoading: boolean;
  /** Asks once more, as after a change. */
  again: () => void;
};

type Heard<Value> = { path: string; address: string; value?: Value | undefined; error?: Refused };

/** Answers by address, so that going back draws a page at once; each is asked for again all the same. */
const kept = new Map<string, unknown>();
const mostKept = 60;

/**
 * What the service answers to GET /dash/api/`path`; nothing is asked while `path` is null. `everySeconds` asks again for
 * as long as the page is visible.
 */
export function useAnswer<Value>(
  path: string | null,
  query: Query = {},
  { everySeconds }: { everySeconds?: number } = {},
): Answer<Value> {
  const address = path === null ? "" : `${path}?${queryText(query)}`;
  const [heard, setHeard] = useState<Heard<Value>>({ path: "", address: "" });
  const [turn, again] = useReducer((turns: number, _: undefined) => turns + 1, 0);
  const underWay = useRef<AbortController | null>(null);

  // Before the page is painted, and not after: the answer is what it waits for.
  useLayoutEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    underWay.current = stop;
    const settled = () => {
      if (underWay.current === stop) underWay.current = null;
    };
    ask<Value>(path, query, stop.signal).then(
      (value) => {
        settled();
        keep(address, value);
        setHeard({ path, address, value });
      },
      (thrown: unknown) => {
        settled();
        if (stop.signal.aborted) return;
        const error = thrown instanceof Refused ? thrown : new Refused(0, "unknown", String(thrown));
        setHeard((was) => ({
          path,
          address,
          error,
          value: was.address === address ? was.value : (kept.get(address) as Value | undefined),
        }));
      },
    );
    return () => stop.abort();
  }, [address, turn]);

  useEffect(() => {
    if (everySeconds === undefined || path === null) return;
    const askWhenSeen = () => {
      // Asked anew before it is answered, what takes longer than that would never be.
      if (document.visibilityState === "visible" && underWay.current === null) again(undefined);
    };
    const timer = setInterval(askWhenSeen, everySeconds * 1000);
    document.addEventListener("visibilitychange", askWhenSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", askWhenSeen);
    };
  }, [everySeconds, path]);

  const isHeard = heard.address === address && path !== null;
  const before = (kept.get(address) as Value | undefined) ?? (heard.path === path ? heard.value : undefined);
  return {
    value: isHeard ? (heard.value ?? undefined) : before,
    error: isHeard ? heard.error : undefined,
    isLoading: !isHeard && path !== null,
    again: () => again(undefined),
  };
}

const keep = (address: string, value: unknown): void => {
  kept.delete(address);
  kept.set(address, value);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
};
