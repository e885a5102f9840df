import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { Actor } from "../core/actor.ts";
import { geoFilesOf, openCurrentGeo } from "../geo/geo-files.ts";
import { savingRules } from "../saving-rules.ts";
import { CatalogueConflict } from "../store/catalogue/catalogue-conflict.ts";
import { CatalogueRefusal, SignedOut, UnknownSubject } from "../store/catalogue/catalogue-refusal.ts";
import type { StorageTrouble } from "../store/journal/journal.ts";
import { openCatalogue } from "../store/open-store.ts";
import { prepareAnswering } from "../store/threads/answer-questions.ts";
import type { Question, Reply } from "../store/threads/start-thread.ts";
import type { Refused } from "./desk.ts";
import { deskCommands } from "./desk-commands.ts";
import type { DeskHandle } from "./desk-handle.ts";
import type { DeskOptions, DeskQuestions } from "./desk-questions.ts";

const service: Actor = { kind: "command_line", name: "the service" };

/** A change waits as long for another program's lock; whoever sits before a page waits no longer. */
const lockWaitMs = 3000;
/** A server that has said nothing for so long will not: one that has lost its power says no farewell. */
const usualDeadlineMs = 30_000;

/**
 * The thread for those who are signed in. It works on the catalogue as the operator's command line does, beside the
 * service that serves visitors: a change that waits for the lock holds up nobody but whoever made it.
 */
const run = (port: MessagePort, options: DeskOptions): void => {
  let opening: ReturnType<typeof openCatalogue> | null = null;
  const opened = (): ReturnType<typeof openCatalogue> => {
    opening ??= openCatalogue({
      database: options.database,
      lockWaitMs,
      deadlineMs: options.deadlineMs ?? usualDeadlineMs,
      isWithinService: true,
      // Stands for whoever asks in nobody's name, such as a link that lets somebody in.
      actor: service,
      clock: Date.now,
    });
    return opening;
  };
  const rules = savingRules(options.production, () => openCurrentGeo(geoFilesOf(options)).geo.everywhere());
  const answer = async (question: Question<DeskQuestions>): Promise<void> => {
    const catalogue = await opened().catch((error: unknown) => {
      // The database is away, which ends nobody: the next question looks for it again.
      opening = null;
      port.postMessage({ id: question.id, trouble: troubleOfOpening(error) } satisfies Reply<never>);
      if (question.kind === "close") port.close();
      return null;
    });
    if (catalogue === null) return;
    await prepareAnswering<DeskQuestions>(
      port,
      {
        run: async ({ name, asked, actor, now }) => {
          const command: unknown = Reflect.get(deskCommands, name);
          if (!isCommand(command)) throw new TypeError(`the desk has no command ${name}`);
          const desk: DeskHandle = {
            db: catalogue.db,
            transact: catalogue.transact,
            actor: actor ?? service,
            clock: () => now,
            now,
            rules,
          };
          try {
            return { ok: true, answer: await command(desk, asked) };
          } catch (error) {
            const refused = refusedBy(error);
            if (refused === null) throw error;
            return { ok: false, refused };
          }
        },
        close: async () => {
          await catalogue.close();
          return null;
        },
      },
      catalogue.storageTroubleOf,
    )(question);
  };
  let isClosing = false;
  port.on("message", async (question: Question<DeskQuestions>) => {
    if (question.kind === "close") isClosing = true;
    try {
      await answer(question);
    } catch (error) {
      // Its connection was closed under it, and who has asked is told that the thread has ended.
      if (!isClosing || question.kind === "close") throw error;
    }
  });
};

const troubleOfOpening = (error: unknown): StorageTrouble => ({
  code: error instanceof Error && "code" in error ? String(error.code) : "not_opened",
  retryAfterSeconds: 1,
});

const isCommand = (value: unknown): value is (desk: DeskHandle, asked: unknown) => Promise<unknown> =>
  typeof value === "function";

/** A refusal as a value, which crosses between threads as an error of its own would not. */
const refusedBy = (error: unknown): Refused | null => {
  if (error instanceof CatalogueRefusal) return { kind: "refused", problems: error.problems };
  if (error instanceof CatalogueConflict) {
    const { version, current, lastChange } = error;
    return {
      kind: "conflict",
      version,
      current,
      changedBy: lastChange?.actor.name ?? null,
      changedAt: lastChange?.at ?? null,
    };
  }
  if (error instanceof SignedOut) return { kind: "signed_out" };
  if (error instanceof UnknownSubject || isOfNoText(error)) return { kind: "unknown" };
  return null;
};

/**
 * Whether PostgreSQL was asked for an id with a character of number 0 in it, which none of its texts can have (SQLSTATE
 * 22021): nothing of that id is there. Anybody can write `%00`, and what is thrown here ends the service.
 */
const isOfNoText = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "22021";

if (parentPort) run(parentPort, workerData);
