import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { storageTrouble } from "../sqlite/storage-trouble.ts";
import { prepareAnswering } from "../threads/answer-questions.ts";
import { openSpoolFile, type SpoolFile, type SpoolFileOptions } from "./spool-file.ts";
import type { SpoolQuestions } from "./spool-questions.ts";

/** The thread that waits for the spool's disk. */
const run = (port: MessagePort, options: SpoolFileOptions): void => {
  let opened: SpoolFile | null = null;
  const spool = (): SpoolFile => {
    if (opened === null) throw new Error("the spool is not open");
    return opened;
  };
  const answer = prepareAnswering<SpoolQuestions>(
    port,
    {
      open: () => {
        opened = openSpoolFile(options);
        return opened.held();
      },
      add: (entries) => spool().add(entries),
      read: ({ after, most }) => spool().read(after, most),
      forget: (upTo) => {
        spool().forget(upTo);
        return null;
      },
      close: () => {
        opened?.close();
        return null;
      },
    },
    storageTrouble,
  );
  port.on("message", answer);
};

if (parentPort) run(parentPort, workerData);
