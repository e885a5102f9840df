import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { ask, type Query, queryText, Refused, signInAgain } from "./api.ts";

export type Answer<Value> = {
  /** Undefined until something was answered. Of this address, or of the same path while its query changes. */
  value: Value | undefined;
  error: Refused | undefined;
  /** Whether an answer to this very address is still to come. */
  isLoading: boolean;
  /** Asks once more, as after a change. Where the session has ended, it leads to the sign-in. */
  again: () => void;
  /** The same where nobody has asked for it: that the session has ended is an error then, and the page stays. */
  refresh: () => void;
};

type Ways = {
  /** Asks again by itself for as long as the page is visible. */
  everySeconds?: number;
  /** It is asked for while somebody types, whose page stays where the session has ended. */
  isWhileTyping?: boolean;
};

type Heard<Value> = { path: string; address: string; value?: Value | undefined; error?: Refused };

/** Answers by address, so that going back draws a page at once; each is asked for again all the same. */
const kept = new Map<string, unknown>();
const mostKept = 60;

/** What the service answers to GET /dash/api/`path`; nothing is asked while `path` is null. */
export function useAnswer<Value>(
  path: string | null,
  query: Query = {},
  { everySeconds, isWhileTyping = false }: Ways = {},
): Answer<Value> {
  const address = path === null ? "" : `${path}?${queryText(query)}`;
  const [heard, setHeard] = useState<Heard<Value>>({ path: "", address: "" });
  const [turn, askAnew] = useReducer((turns: number, _: undefined) => turns + 1, 0);
  const underWay = useRef<AbortController | null>(null);
  // Of what is asked next: whether nobody has asked for it.
  const isByItself = useRef(false);
  const again = () => {
    isByItself.current = false;
    askAnew(undefined);
  };
  const refresh = () => {
    isByItself.current = true;
    askAnew(undefined);
  };

  // Before the page is painted, and not after: the answer is what it waits for.
  useLayoutEffect(() => {
    const mayLeave = !isWhileTyping && !isByItself.current;
    isByItself.current = false;
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
        // The page is on its way out: nothing is to be drawn of this.
        if (error.status === 401 && mayLeave) return signInAgain();
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

  const isHeard = heard.address === address && path !== null;
  // Whoever has signed in elsewhere comes back to this page, which knows nothing of it yet.
  const hasEnded = isHeard && heard.error?.status === 401;
  useEffect(() => {
    if (path === null || (everySeconds === undefined && !hasEnded)) return;
    const askWhenSeen = () => {
      // Asked anew before it is answered, what takes longer than that would never be.
      if (document.visibilityState === "visible" && underWay.current === null) refresh();
    };
    const timer = everySeconds === undefined ? undefined : setInterval(askWhenSeen, everySeconds * 1000);
    document.addEventListener("visibilitychange", askWhenSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", askWhenSeen);
    };
  }, [everySeconds, hasEnded, path]);

  const before = (kept.get(address) as Value | undefined) ?? (heard.path === path ? heard.value : undefined);
  return {
    value: isHeard ? (heard.value ?? undefined) : before,
    error: isHeard ? heard.error : undefined,
    isLoading: !isHeard && path !== null,
    again,
    refresh,
  };
}

const keep = (address: string, value: unknown): void => {
  kept.delete(address);
  kept.set(address, value);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
};
