import { Worker } from "node:worker_threads";
import { oneAfterAnother } from "../core/one-after-another.ts";
import type { PageFinding, SeenPage, WantedTag } from "../core/page-check.ts";

/** What the thread looks at, and what the page should have. */
export type FindingsTask = { page: SeenPage; wanted: WantedTag };

/** A page of a megabyte takes a tenth of it, the thread's start included. */
const usualPatienceMs = 5000;
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/**
 * Looks at pages in a thread that ends with each, one after another, so that what a stranger wrote keeps no visitor waiting
 * (decisions.md#checked-pages). A page that is not done with after the patience, or that fills the thread's memory, is one that
 * cannot be read; where the thread fails otherwise, so does the check.
 * @param args.script the thread's program.
 */
export function createFindingsAside({
  patienceMs = usualPatienceMs,
  script = new URL("./findings-thread.ts", import.meta.url),
} = {}): (page: SeenPage, wanted: WantedTag) => Promise<readonly PageFinding[]> {
  const inTurn = oneAfterAnother();
  return (page, wanted) => inTurn(() => ask({ page, wanted }, { patienceMs, script }));
}

const ask = async (
  task: FindingsTask,
  { patienceMs, script }: { patienceMs: number; script: URL },
): Promise<readonly PageFinding[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<readonly PageFinding[]>();
  const unread = (why: string) => () => resolve([{ code: "unreachable", why }]);
  const thread = new Worker(script, { workerData: task, resourceLimits });
  // Whatever ends the thread first, the others come too late to say anything.
  thread.on("message", resolve);
  thread.on("error", (error) => (isOutOfMemory(error) ? unread("could not be read")() : reject(error)));
  thread.on("exit", () => reject(new Error("the thread that looks at pages ended without an answer")));
  const patience = setTimeout(unread(`could not be read within ${patienceMs / 1000} s`), patienceMs);
  try {
    return await promise;
  } finally {
    clearTimeout(patience);
    await thread.terminate();
  }
};

/** By what the page was: any other failure is a defect of ours. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
