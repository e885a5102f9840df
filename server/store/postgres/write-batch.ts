import type pg from "pg";
import type { JournalEntry } from "../../core/journal-entry.ts";
import type { Written } from "../journal/journal.ts";

export type Fence = { id: string; epoch: number; batch: () => number };
export type DecidedBatch = { written: Written; exhausted: number[] };
export type PostgresBatchWriter = {
  write(entries: readonly JournalEntry[], kept: number): Promise<DecidedBatch>;
  writeAll(entries: readonly JournalEntry[]): Promise<void>;
};
export class CommitUnknown extends Error {
  readonly batch: number | null;
  readonly decided: DecidedBatch;
  constructor(batch: number, decided: DecidedBatch) {
    super("unknown");
    this.batch = batch;
    this.decided = decided;
  }
}
export function prepareBatchWriter(
  client: pg.Client,
  { fence }: { fence?: Fence } = {},
): PostgresBatchWriter {
  const write = async (entries: readonly JournalEntry[], kept: number): Promise<DecidedBatch> => {
    const batch = fence?.batch() ?? 0;
    await client.query("begin");
    try {
      for (const entry of entries) {
        if (!("visit" in entry)) continue;
        const offer = "offer" in entry && typeof entry.offer === "number" ? entry.offer : 0;
        await client.query(
          `insert into fact (request, offer, type, seq, cell, at)
           select $1, $2, $3, coalesce(max(seq) + 1, 0), 0, 0 from fact where request = $1 and offer = $2 and type = $3`,
          [Buffer.from(entry.visit.request, "base64url"), offer, entry.kind === "blocked" ? 1 : 4],
        );
      }
      const { rowCount } = await client.query("update node set batch = $1 where id = $2 and epoch = $3", [
        batch,
        fence?.id,
        fence?.epoch,
      ]);
      if (rowCount !== 1) throw Object.assign(new Error("fenced"), { code: "22012" });
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw error;
    }
    const outcome = { eventId: null, refusal: null, billedMicros: null };
    const decided = {
      written: { outcomes: entries.slice(kept).map(() => outcome), failures: [] },
      exhausted: [],
    };
    try {
      const { command } = await client.query("commit");
      if (command !== "COMMIT") throw Object.assign(new Error("rolled back"), { code: "40000" });
    } catch {
      throw new CommitUnknown(batch, decided);
    }
    return decided;
  };
  return { write, writeAll: async (entries) => void (await write(entries, 0)) };
}
