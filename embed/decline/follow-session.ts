import { listen } from "../wire/listen.ts";
import type { LoaderTag } from "../wire/visit.ts";
import { askSession } from "./ask-session.ts";
import { answered, opened, retried, told, turn } from "./poll-schedule.ts";
import type { ReadySession, Session } from "./read-session.ts";

/** How a session ended; `gone` is one that the service knows no more, `left` one that nobody waits for. */
type Ended = ReadySession | { status: "expired" | "gone" | "left" };

type Watching = {
  /** No poll has been answered for long; polling goes on, and `retry` does so at once. */
  onSilence(retry: () => void): void;
  /** The service has answered after a silence, and there is nothing new. */
  onHeard(): void;
};

/** Polls until the session is ready or over, or until the signal says that nobody waits any more. */
export async function followSession(
  tag: LoaderTag,
  session: Session,
  signal: AbortSignal,
  { onSilence, onHeard }: Watching,
): Promise<Ended> {
  const now = () => performance.now();
  const { sessionId, pollAfterMs } = session;
  let schedule = opened(pollAfterMs, now(), Math.random());
  let wake = new AbortController();
  const retry = () => {
    schedule = retried(schedule, now());
    wake.abort();
  };
  const pause = (ms: number) => {
    wake = new AbortController();
    return untilThen(ms, [signal, wake.signal]);
  };
  while (!signal.aborted) {
    const next = turn(schedule, now(), document.hidden);
    switch (next.outcome) {
      case "expired":
        return { status: "expired" };
      case "paused":
        await pause(schedule.endsAtMs - now());
        break;
      case "wait":
        await pause(next.ms);
        break;
      case "silent":
        schedule = told(schedule);
        onSilence(retry);
        break;
      case "poll": {
        const found = await askSession(tag, sessionId, signal);
        if (signal.aborted) break;
        if (found.status === "ready") return found;
        if (found.status === "expired" || found.status === "gone") return { status: found.status };
        const answer =
          found.status === "refused"
            ? ({ outcome: "refused", retryAfterMs: found.retryAfterMs } as const)
            : ({ outcome: "pending", pollAfterMs: found.pollAfterMs } as const);
        if (schedule.isSilenceTold && answer.outcome === "pending") onHeard();
        schedule = answered(schedule, answer, now(), Math.random());
        break;
      }
      default:
        next satisfies never;
    }
  }
  return { status: "left" };
}

/** Ends after that time, when the page is shown or hidden, or with one of the signals, whichever is first. */
function untilThen(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    listen(document, "visibilitychange", done.signal, end);
    for (const signal of signals) listen(signal, "abort", done.signal, end);
  });
}
