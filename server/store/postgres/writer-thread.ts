import { randomBytes } from "node:crypto";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { StorageTrouble } from "../journal/journal.ts";
import type { Lane as LaneName } from "../journal/lane-of.ts";
import { prepareAnswering } from "../threads/answer-questions.ts";
import type { Reply } from "../threads/start-thread.ts";
import { createLane, type Lane } from "./lane.ts";
import { LaneRefusal } from "./lane-connection.ts";
import { storageTrouble } from "./storage-trouble.ts";
import type { ToldByWriter, WriterOptions, WriterQuestions } from "./writer-questions.ts";
import { openWriterSession } from "./writer-session.ts";

/**
 * The thread that writes the journal into PostgreSQL: it decides what becomes of each entry, the main thread has visitors
 * to answer. Of its two connections the one never waits for a lock of the other's.
 */
const run = (port: MessagePort, { address }: WriterOptions): void => {
  // Of this start alone: whoever starts anew has nothing of which it is not known whether it was committed.
  const node = randomBytes(9).toString("base64url");
  const laneOf = (name: LaneName): Lane =>
    createLane({
      openSession: (given) => openWriterSession({ address, id: `${node}/${name}`, ...given }),
      tell: (event) => port.postMessage({ told: { ...event, lane: name } } satisfies Reply<ToldByWriter>),
    });
  const lanes = { money: laneOf("money"), plain: laneOf("plain") };
  const answer = prepareAnswering<WriterQuestions>(
    port,
    {
      open: async () => {
        await Promise.all([lanes.money.open(), lanes.plain.open()]).catch(endInWords);
        return null;
      },
      batch: ({ lane, entries, kept, patienceMs }) => lanes[lane].write(entries, kept, patienceMs),
      close: async () => {
        await Promise.all([lanes.money.close(), lanes.plain.close()]);
        return null;
      },
    },
    troubleOf,
  );
  port.on("message", answer);
};

const troubleOf = (error: unknown): StorageTrouble | null => {
  if (!(error instanceof LaneRefusal)) return storageTrouble(error);
  // An error loses what it has of its own on the way between threads.
  const { code, retryAfterSeconds } = error;
  return { code, retryAfterSeconds };
};

/** What is wrong at the start is told in full, and not as a trouble that may pass. */
const endInWords = (cause: unknown): never => {
  throw new Error(cause instanceof Error ? cause.message : String(cause), { cause });
};

if (parentPort) run(parentPort, workerData);
