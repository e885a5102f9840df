/** Asks in one go what many calls ask within some milliseconds. */
export type AskedTogether = {
  /** The number of one more call of the key among the calls of all nodes; null: it was not told in time. */
  ask(key: string, window: number): Promise<number | null>;
  /** False after a question that was not answered in time, until one is again. */
  isReachable(): boolean;
  /** Tells of calls of the key that were let in, when it is time to see whether anybody answers again. */
  probe(key: string, window: number): void;
};

/** Twenty keys in one statement cost the store an eighth of what they cost in twenty. */
const gatheredMs = 2;
/** A visitor notices no wait of this length, and a healthy store takes a hundredth of it. */
const patienceMs = 150;
/** For the question before and for one's own; where a minute ends, two may be before. */
const longestMs = 2 * patienceMs;
/** What is left of that when nothing is asked any more, since no answer would come in time. */
const leastMs = 10;
/** How long nobody is asked who did not answer. */
const restMs = 1000;

type Batch = {
  window: number;
  calls: Map<string, ((number: number | null) => void)[]>;
  /** When it may be sent at the earliest, in milliseconds of this process; null: not yet. */
  dueAtMs: number | null;
  isLate: boolean;
};

/**
 * Gathers questions, and has one of them under way at a time, so that a slow store is asked less often and more at once.
 * Where it does not answer a question within `patienceMs`, or so late that those behind it would wait twice as long, they are
 * all let go. Further calls then ask nothing until it has answered a question that is sent only to try it.
 * @param send resolves with the number of the last call of each key; `asking` says how many of each are asked for.
 * @param onTrouble is told when nobody answers in time, and when somebody does again.
 */
export function createAskedTogether({
  send,
  onTrouble,
}: {
  send: (asking: ReadonlyMap<string, number>, window: number) => Promise<ReadonlyMap<string, number>>;
  onTrouble: (isTrouble: boolean, error: Error | null) => void;
}): AskedTogether {
  let gathered: Batch[] = [];
  let underWay: Batch | null = null;
  /** When nobody may be asked before; null: all is well. */
  let restsUntil: number | null = null;

  const letGo = (batch: Batch): void => {
    batch.isLate = true;
    for (const waiting of batch.calls.values()) for (const resolve of waiting) resolve(null);
  };
  const rest = (error: Error | null): void => {
    const isNews = restsUntil === null;
    restsUntil = performance.now() + restMs;
    const waiting = gathered;
    gathered = [];
    for (const batch of waiting) letGo(batch);
    if (isNews) onTrouble(true, error);
  };
  const giveUp = (batch: Batch, error: Error | null): void => {
    letGo(batch);
    rest(error);
  };

  const begin = (window: number): Batch => {
    const batch: Batch = { window, calls: new Map(), dueAtMs: null, isLate: false };
    setTimeout(() => {
      batch.dueAtMs = performance.now();
      sendNext();
    }, gatheredMs);
    return batch;
  };
  const sendNext = (): void => {
    const [batch] = gathered;
    if (underWay !== null || batch === undefined || batch.dueAtMs === null) return;
    gathered.shift();
    const leftMs = batch.dueAtMs + longestMs - performance.now();
    if (leftMs < leastMs) {
      letGo(batch);
      sendNext();
    } else sendNow(batch, leftMs);
  };
  const sendNow = (batch: Batch, leftMs: number): void => {
    underWay = batch;
    const deadline = watch(batch, leftMs);
    const asking = new Map([...batch.calls].map(([key, waiting]) => [key, waiting.length]));
    void send(asking, batch.window)
      .then(
        (numbers) => {
          if (batch.isLate) return rest(null);
          for (const [key, waiting] of batch.calls) {
            const last = numbers.get(key);
            for (const [at, resolve] of waiting.entries()) {
              resolve(last === undefined ? null : last - waiting.length + 1 + at);
            }
          }
          if (restsUntil !== null) onTrouble(false, null);
          restsUntil = null;
        },
        (error: Error) => giveUp(batch, error),
      )
      .finally(() => {
        clearTimeout(deadline);
        underWay = null;
        sendNext();
      });
  };
  const watch = (batch: Batch, leftMs: number): NodeJS.Timeout =>
    setTimeout(
      () => {
        // Timers come before what has arrived: after a long turn of this process the answer may be here already.
        setImmediate(() => {
          if (underWay === batch) giveUp(batch, null);
        });
      },
      Math.min(patienceMs, leftMs),
    );

  return {
    ask: (key, window) =>
      new Promise((resolve) => {
        let batch = gathered.find((one) => one.window === window);
        if (batch === undefined) {
          batch = begin(window);
          gathered.push(batch);
        }
        const waiting = batch.calls.get(key);
        if (waiting === undefined) batch.calls.set(key, [resolve]);
        else waiting.push(resolve);
      }),
    isReachable: () => restsUntil === null,
    probe: (key, window) => {
      if (restsUntil === null || underWay !== null || performance.now() < restsUntil) return;
      const dueAtMs = performance.now();
      sendNow({ window, calls: new Map([[key, []]]), dueAtMs, isLate: false }, patienceMs);
    },
  };
}
