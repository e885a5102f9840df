import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "../../server/core/seeded-random.ts";
import type { LoadPlan, LoadResult, Shape } from "./plan.ts";
import { createPool, type Pool } from "./pool.ts";
import { createRecording, type Recording } from "./recording.ts";
import type { VisitCall, Visits } from "./visits.ts";

/** Ten times ruder than the shortest `Retry-After` there is, and still nobody who spins. */
const refusedPauseMs = 100;
/** Answers that are not there by then will not come. */
const lastAnswerMs = 30_000;

/** Carries out one plan against one service; a result for each phase of an open loop, else one. */
export async function runLoad(plan: LoadPlan, visits: Visits): Promise<LoadResult[]> {
  const { hostname, port } = new URL(plan.url);
  const { shape } = plan;
  const most = shape.kind === "open" ? shape.mostConnections : shape.clients;
  const pool = createPool({ host: hostname, port: Number(port) }, most);
  try {
    return shape.kind === "open"
      ? await runOpenLoop(plan, shape, { visits, pool })
      : [await runClosedLoop(plan, shape, { visits, pool })];
  } finally {
    pool.close();
  }
}

type Tools = { visits: Visits; pool: Pool };
type OfKind<Kind extends Shape["kind"]> = Extract<Shape, { kind: Kind }>;

const runClosedLoop = async (
  { traffic }: LoadPlan,
  shape: OfKind<"counted" | "timed">,
  { visits, pool }: Tools,
): Promise<LoadResult> => {
  const ready =
    shape.kind === "counted" ? Array.from({ length: shape.requests }, () => visits.next(traffic)) : null;
  const recording = createRecording();
  const until = shape.kind === "timed" ? performance.now() + shape.seconds * 1000 : Number.POSITIVE_INFINITY;
  let sent = 0;
  const take = (): VisitCall | undefined => {
    if (ready !== null) return ready[sent++];
    return performance.now() < until ? visits.next(traffic) : undefined;
  };
  const client = async (): Promise<void> => {
    for (let call = take(); call !== undefined; call = take()) {
      const isRefused = await sendAndWait(call, { visits, pool, recording });
      if (isRefused && ready === null) await pause(refusedPauseMs);
    }
  };
  await Promise.all(Array.from({ length: shape.clients }, client));
  return recording.result();
};

const runOpenLoop = async (
  { traffic }: LoadPlan,
  { phases }: OfKind<"open">,
  tools: Tools,
): Promise<LoadResult[]> => {
  const random = seededRandom(1);
  const recordings: Recording[] = [];
  let underWay = 0;
  let isLast = (): void => undefined;
  // One function for all of them: a promise a call is garbage, and its collection makes the generator late.
  const answered = (): void => {
    underWay -= 1;
    if (underWay === 0) isLast();
  };
  let dueAt = performance.now();
  let endsAt = dueAt;
  for (const { perSecond, seconds } of phases) {
    const recording = createRecording();
    recordings.push(recording);
    endsAt += seconds * 1000;
    while (dueAt < endsAt) {
      const now = performance.now();
      // Random arrivals (Poisson): a fixed beat would never meet two visitors at once.
      for (; dueAt <= now && dueAt < endsAt; dueAt += (-Math.log(1 - random()) * 1000) / perSecond) {
        recording.late(now - dueAt);
        underWay += 1;
        sendOne(tools.visits.next(traffic), dueAt, { ...tools, recording }, answered);
      }
      await pause(1);
    }
  }
  if (underWay > 0) {
    const last = new Promise<void>((resolve) => {
      isLast = resolve;
    });
    await Promise.race([last, pause(lastAnswerMs, undefined, { ref: false })]);
  }
  return recordings.map((recording) => recording.result());
};

type Sending = Tools & { recording: Recording };

/** Tells, when the answer is there, whether it was a refusal. */
const sendOne = (
  call: VisitCall,
  from: number,
  { visits, pool, recording }: Sending,
  answered: (isRefused: boolean) => void,
): void => {
  recording.due();
  const isSent = pool.send(call.text, call.wantsBody, (status, body, isResent) => {
    if (isResent) recording.resent();
    const ms = performance.now() - from;
    const events = visits.answered(call, status, body);
    if (events !== null) recording.good(ms, events);
    else if (status === 503) recording.refused(ms);
    else recording.wrong(`${call.path} ${status}`, ms);
    answered(status === 503);
  });
  if (isSent) return;
  recording.unsent(performance.now() - from);
  answered(false);
};

const sendAndWait = (call: VisitCall, sending: Sending): Promise<boolean> =>
  new Promise((resolve) => sendOne(call, performance.now(), sending, resolve));
