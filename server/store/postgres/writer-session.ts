import type pg from "pg";
import { settingsVerdict } from "../../core/database-settings.ts";
import type { PostgresAddress } from "../database-address.ts";
import type { StorageTrouble } from "../journal/journal.ts";
import { askingOn } from "./asking.ts";
import { connect } from "./connect.ts";
import { requireOpen } from "./migrate.ts";
import { beat, removeNodeRows, takeNodeRow } from "./node-row.ts";
import { readServerSettings } from "./server-settings.ts";
import { transact } from "./transaction.ts";
import { type PostgresBatchWriter, prepareBatchWriter, waitCancelled } from "./write-batch.ts";
import { networkSettings, writerSettings } from "./writer-settings.ts";

/** A connection that may write batches: to a server that is fit for it, under an epoch of its own. */
export type WriterSession = {
  batches: PostgresBatchWriter;
  /** The number of the last batch that was committed before it. */
  committed: number;
  /** What an operator should know of the server. */
  warnings: readonly string[];
  /** Whether it can still write. */
  check(): Promise<SessionState>;
  /** Breaks the connection; whatever is asked of it rejects. */
  drop(): void;
  /** Leaves the list of nodes, and ends. */
  end(): Promise<void>;
};

/**
 * `fenced` when somebody has taken its row, `changed` when a reload has changed what is to be said of the server's settings,
 * `lost` when the connection is broken.
 */
export type SessionState = "held" | "fenced" | "changed" | "lost";

/** However a server hangs, nobody is kept waiting for longer; it does not end the wait for a standby by itself. */
const deadlineMs = 2500;

/**
 * Connects to the primary, asserts its settings, and takes over the row that names the batches of `id`; `next` gives each
 * of them its number, larger than all before. Rejects with an UnfitServer when money must not be recorded there.
 */
export async function openWriterSession(options: {
  address: PostgresAddress;
  id: string;
  next: () => number;
  /** Hears once that the connection has broken, or was ended. */
  onEnd: () => void;
}): Promise<WriterSession> {
  const { address, id, next, onEnd } = options;
  const client = await connect({
    url: address.url,
    name: `offers ${id}`,
    settings: { ...writerSettings, ...networkSettings },
    pipeline: true,
  });
  const drop = (): void => void client.connection.stream.destroy();
  try {
    return await withDeadline(drop, async () => {
      const warnings = await requireFitServer(client, address);
      const { epoch, batch } = await replicated(client, () =>
        transact(client, async () => {
          const taken = await takeNodeRow(client, id);
          // Whoever was fenced off because a newer program has closed the schema to it writes no more. Asked once the
          // row is taken: for that it waits until such a step has committed, or the step waits and raises this epoch.
          await requireOpen(askingOn(client));
          return taken;
        }),
      );
      const row = { id, epoch };
      client.on("end", onEnd);
      return {
        batches: prepareBatchWriter(client, { fence: { ...row, batch: next } }),
        committed: batch,
        warnings,
        check: () => withDeadline(drop, () => check(client, row, { address, warnings })),
        drop,
        end: async () => {
          await withDeadline(drop, () => removeNodeRows(client, id)).catch(() => undefined);
          await client.end().catch(() => undefined);
        },
      };
    });
  } catch (error) {
    drop();
    throw error;
  }
}

/** Its settings may lose what it acknowledges, or it cannot be used at all. The message says what to change. */
export class UnfitServer extends Error implements StorageTrouble {
  override readonly name = "UnfitServer";
  readonly code = "unfit_server";
  // Somebody has to change it.
  readonly retryAfterSeconds = 5;
}

/** The work, for which the connection is dropped when it takes too long: all that is asked of it rejects then. */
export async function withDeadline<T>(drop: () => void, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(drop, deadlineMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The work, whose commit was waited for as all commits are. Where somebody cancels that wait the server only notes it, and
 * what was committed before is no safer than that.
 */
const replicated = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
  let isCancelled = false;
  const note = ({ code }: { code?: string | undefined }): void => {
    isCancelled ||= code === waitCancelled;
  };
  client.on("notice", note);
  const done = await work();
  client.off("notice", note);
  if (isCancelled) throw new Error("the wait for a standby was cancelled");
  return done;
};

/** Asserts a server's settings, and resolves with what an operator should know of them; rejects with an UnfitServer. */
export const requireFitServer = async (
  client: pg.Client,
  { durability, needsSyncStandby }: Pick<PostgresAddress, "durability" | "needsSyncStandby">,
): Promise<string[]> => {
  const { refusals, risks } = settingsVerdict(await readServerSettings(client), { needsSyncStandby });
  const reasons = durability === "relaxed" ? refusals : [...refusals, ...risks];
  if (reasons.length === 0) return risks;
  const relaxing = refusals.length > 0 ? "" : " DURABILITY=relaxed uses it as it is.";
  throw new UnfitServer(`the PostgreSQL server is not fit to record money: ${reasons.join(" ")}${relaxing}`);
};

const check = async (
  client: pg.Client,
  row: { id: string; epoch: number },
  judged: { address: Pick<PostgresAddress, "needsSyncStandby">; warnings: readonly string[] },
): Promise<SessionState> => {
  try {
    const settings = await beat(client, row);
    if (settings === null) return "fenced";
    const { risks } = settingsVerdict(settings, judged.address);
    return risks.join() === judged.warnings.join() ? "held" : "changed";
  } catch {
    return "lost";
  }
};
