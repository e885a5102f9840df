import { declineSession } from "@offers/contract/words";

/** All times are milliseconds of one clock that never goes back. */
type Schedule = {
  openedAtMs: number;
  endsAtMs: number;
  nextAtMs: number;
  /** The pause before the next poll, without its jitter. */
  pauseMs: number;
  /** Before this the service does not want to be asked. */
  notBeforeMs: number;
  /** When its visitor is told that polls fail: never before one has, nor twice. */
  silentAtMs: number;
  isSilenceTold: boolean;
};

/** The result of the opening or of a poll: how long the service asks to wait, or that it refused or did not answer. */
export type Answer =
  | { outcome: "pending"; pollAfterMs: number }
  | { outcome: "refused"; retryAfterMs: number };

type Turn = { outcome: "wait"; ms: number } | { outcome: "poll" | "paused" | "silent" | "expired" };

/** The service takes no more than one poll a second. */
const leastMs = 1000;

/** Pauses of a session that is still open after a minute grow by half each, up to this. */
const mostMs = 15_000;
const patienceMs = 60_000;

/** Pauses after a refusal double, up to this. */
const mostRefusedMs = 60_000;

/** Polls that fail for so long, from the first of them on, are no hiccup any more: whoever waits is told. */
const silentAfterMs = 20_000;

/** While no poll has failed since the last one that was answered. */
const unfailing = { silentAtMs: Number.POSITIVE_INFINITY, isSilenceTold: false };

/** The schedule of a session that has just been opened, until its end, whatever the visitor's own clock says of that. */
export function opened(pollAfterMs: number, nowMs: number, random: number): Schedule {
  const fresh: Schedule = {
    openedAtMs: nowMs,
    endsAtMs: nowMs + declineSession.lifeSeconds * 1000,
    nextAtMs: nowMs,
    pauseMs: 0,
    notBeforeMs: nowMs,
    ...unfailing,
  };
  return answered(fresh, { outcome: "pending", pollAfterMs }, nowMs, random);
}

/** The schedule after one more answer. `random` is from 0 to 1: up to a fifth is added, so that pages do not poll in step. */
export function answered(schedule: Schedule, answer: Answer, nowMs: number, random: number): Schedule {
  const pauseMs = nextPause(schedule, answer, nowMs);
  const asked = answer.outcome === "refused" ? answer.retryAfterMs : 0;
  const nextAtMs = nowMs + Math.max(pauseMs, asked) * (1 + random / 5);
  const next = { ...schedule, pauseMs, nextAtMs, notBeforeMs: nowMs + asked };
  if (answer.outcome === "pending") return { ...next, ...unfailing };
  if (schedule.isSilenceTold) return next;
  return { ...next, silentAtMs: Math.min(schedule.silentAtMs, nowMs + silentAfterMs) };
}

/** The schedule of a session whose visitor has been told of the silence. It is polled all the same. */
export function told(schedule: Schedule): Schedule {
  return { ...schedule, ...unfailing, isSilenceTold: true };
}

/** The schedule after its visitor has asked to try again: at once, or as soon as the service wants to be asked. */
export function retried(schedule: Schedule, nowMs: number): Schedule {
  const nextAtMs = Math.max(nowMs, schedule.notBeforeMs);
  return { ...schedule, ...unfailing, nextAtMs, pauseMs: 0 };
}

function nextPause({ pauseMs, openedAtMs }: Schedule, answer: Answer, nowMs: number): number {
  if (answer.outcome === "refused") return Math.min(Math.max(pauseMs, leastMs) * 2, mostRefusedMs);
  const asked = Math.min(Math.max(answer.pollAfterMs || 0, leastMs), mostMs);
  if (nowMs - openedAtMs < patienceMs) return asked;
  return Math.min(Math.max(pauseMs * 1.5, asked), mostMs);
}

/** What to do now. No session is polled while its page is hidden, nor once it is over. */
export function turn(schedule: Schedule, nowMs: number, isHidden: boolean): Turn {
  const { nextAtMs, endsAtMs, silentAtMs } = schedule;
  if (nowMs >= endsAtMs) return { outcome: "expired" };
  if (isHidden) return { outcome: "paused" };
  if (nowMs >= nextAtMs) return { outcome: "poll" };
  if (nowMs >= silentAtMs) return { outcome: "silent" };
  return { outcome: "wait", ms: Math.min(nextAtMs, endsAtMs, silentAtMs) - nowMs };
}
