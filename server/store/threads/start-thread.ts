import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import { type ThreadUsage, threadUsage } from "../../core/thread-usage.ts";
import type { StorageTrouble } from "../journal/journal.ts";

/** What a thread can be asked: for each kind of question what it is asked with, and what it is answered with. */
export type Questions = { [kind: string]: { asked: unknown; answer: unknown } };

/** To the thread. Any number of questions may be under way; their ids tell them apart. */
export type Question<Q extends Questions> = {
  [Kind in keyof Q]: { id: number; kind: Kind; asked: Q[Kind]["asked"] };
}[keyof Q];

/** From the thread: an answer, the storage's refusal instead of one, or what it tells without having been asked. */
export type Reply<Told> =
  | { id: number; answer: unknown }
  | { id: number; trouble: StorageTrouble }
  | { told: Told };

/** The storage refused, so there is no answer. */
export class StorageRefusal extends Error implements StorageTrouble {
  override readonly name = "StorageRefusal";
  readonly code: string;
  readonly retryAfterSeconds: number;

  constructor({ code, retryAfterSeconds }: StorageTrouble) {
    super(`the storage refuses (${code})`);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The thread has ended as it was asked to, and whatever it was asked besides has no answer. */
export class ThreadEnded extends Error {
  override readonly name = "ThreadEnded";
}

export type Thread<Q extends Questions> = {
  /**
   * Resolves with the answer. Rejects with a StorageRefusal, with ThreadEnded after `close`, or with the error that
   * the thread has died of.
   */
  ask<Kind extends keyof Q>(kind: Kind, asked: Q[Kind]["asked"]): Promise<Q[Kind]["answer"]>;
  /** Asks it to end, and resolves when it has, or at once when it had before. */
  close(): Promise<void>;
  /** Ends it at once, whatever it is doing. */
  kill(): Promise<void>;
  /** What it has used. A thread that stands in a system's call answers when it is back; rejects when it has ended. */
  usage(): Promise<ThreadUsage>;
};

/** What old objects of a thread may take at the least, however small the machine is. */
const oldLeastMb = 512;

/**
 * V8 would let young objects take 128 MB in each thread before it looks which of them are still needed, and old ones now and then
 * four times what was needed last. A thread that may have half of the memory has old objects looked at when they are two thirds more
 * (decisions.md#half-of-the-heap).
 */
const resourceLimits = {
  maxYoungGenerationSizeMb: 16,
  maxOldGenerationSizeMb: Math.max(oldLeastMb, Math.floor(getHeapStatistics().heap_size_limit / 2 ** 21)),
};

/**
 * Starts a thread that answers questions (answer-questions.ts). `onTold` hears what it says unasked. `onDeath` is
 * called once when it fails, or ends without having been asked to: nothing works without it, so the caller has to stop
 * the whole process.
 */
export function startThread<Q extends Questions & { close: { asked: null; answer: null } }, Told>(
  script: URL,
  options: { workerData: unknown; onTold: (told: Told) => void; onDeath: (error: Error) => void },
): Thread<Q> {
  const worker = new Worker(script, { workerData: options.workerData, resourceLimits });
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const ended = Promise.withResolvers<void>();
  let lastId = 0;
  /** The id of the question whether it will end. */
  let closing: number | null = null;
  let isEndExpected = false;
  let end: Error | null = null;

  const finish = (error: Error): void => {
    end ??= error;
    for (const { reject } of pending.values()) reject(end);
    pending.clear();
  };
  const die = (error: Error): void => {
    if (isEndExpected) return;
    isEndExpected = true;
    finish(error);
    options.onDeath(error);
  };
  worker.on("message", (reply: Reply<Told>) => {
    if ("told" in reply) return options.onTold(reply.told);
    // Here and not where the answer is awaited: the thread's last words and its end can arrive in one go.
    if (reply.id === closing) isEndExpected = true;
    const question = pending.get(reply.id);
    pending.delete(reply.id);
    if ("trouble" in reply) question?.reject(new StorageRefusal(reply.trouble));
    else question?.resolve(reply.answer);
  });
  // What a thread throws arrives as a copy, and need not be an error at all.
  worker.on("error", (error: unknown) => die(error instanceof Error ? error : new Error(String(error))));
  worker.on("messageerror", die);
  worker.on("exit", (code) => {
    die(new Error(`the thread ${script.pathname} ended by itself with code ${code}`));
    finish(new ThreadEnded("the thread has ended"));
    ended.resolve();
  });

  const ask: Thread<Q>["ask"] = (kind, asked) => {
    if (end !== null) return Promise.reject(end);
    lastId += 1;
    const question = Promise.withResolvers<unknown>();
    pending.set(lastId, question);
    worker.postMessage({ id: lastId, kind, asked });
    return question.promise;
  };
  return {
    ask,
    close: async () => {
      // A thread that is dying has no answer to this, and its end is waited for all the same.
      const asked = ask("close", null).catch(() => undefined);
      closing = lastId;
      await Promise.all([asked, ended.promise]);
    },
    kill: async () => {
      isEndExpected = true;
      await worker.terminate();
    },
    usage: async () => {
      const [cpu, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
      return threadUsage(cpu, heap);
    },
  };
}
