import { describe, expect, it } from "vitest";
import type { JournalEntry, JournalOutcome, KeyUsedEntry } from "../../core/journal-entry.ts";
import { LastUses } from "./last-uses.ts";

const done: JournalOutcome = { eventId: null, refusal: null, billedMicros: null };
const keyUsed = (keyId: string, at: number): KeyUsedEntry => ({ kind: "key_used", keyId, at });

describe("the uses of keys", () => {
  it("are noted at most once a minute and key", () => {
    const entries: JournalEntry[] = [];
    const uses = new LastUses(
      {
        append: async (entry) => {
          entries.push(entry);
          return done;
        },
      },
      keyUsed,
    );
    for (const at of [1000, 1001, 60_999, 61_000, 61_001]) uses.note("one", at);
    uses.note("two", 1002);
    expect(entries).toEqual([
      { kind: "key_used", keyId: "one", at: 1000 },
      { kind: "key_used", keyId: "one", at: 61_000 },
      { kind: "key_used", keyId: "two", at: 1002 },
    ]);
  });

  it("are noted again after a refusal, and when the clock was set back", async () => {
    let calls = 0;
    const uses = new LastUses(
      {
        append: async () => {
          calls += 1;
          if (calls === 1) throw new Error("the disk is full");
          return done;
        },
      },
      keyUsed,
    );
    uses.note("one", 1000);
    await new Promise(setImmediate);
    uses.note("one", 1001);
    uses.note("one", 1002);
    uses.note("one", 500);
    expect(calls).toBe(3);
  });
});
