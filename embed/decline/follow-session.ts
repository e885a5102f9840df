import type { LoaderTag } from "../wire/visit.ts";
import { askSession } from "./ask-session.ts";
import { answered, opened, turn } from "./poll-schedule.ts";
import type { ReadySession, Session } from "./read-session.ts";

/** How a session ended; `gone` is one that the service knows no more, `left` one that nobody waits for. */
type Ended = ReadySession | { status: "expired" | "gone" | "left" };

/** Polls until the session is ready or over, or until the signal says that nobody waits any more. */
export async function followSession(tag: LoaderTag, session: Session, signal: AbortSignal): Promise<Ended> {
  const now = () => performance.now();
  const { sessionId, pollAfterMs, expiresAt } = session;
  let schedule = opened(pollAfterMs, Date.parse(expiresAt) - Date.now(), now(), Math.random());
  while (!signal.aborted) {
    const next = turn(schedule, now(), document.hidden);
    switch (next.outcome) {
      case "expired":
        return { status: "expired" };
      case "paused":
        await pause(schedule.endsAtMs - now(), signal);
        break;
      case "wait":
        await pause(next.ms, signal);
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
        schedule = answered(schedule, answer, now(), Math.random());
        break;
      }
      default:
        next satisfies never;
    }
  }
  return { status: "left" };
}

/** Ends after that time, when the page is shown or hidden, or with the signal, whichever is first. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    document.addEventListener("visibilitychange", end, { signal: done.signal });
    signal.addEventListener("abort", end, { signal: done.signal });
  });
}
