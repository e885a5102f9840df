import type { JournalEntry } from "../../core/journal-entry.ts";
import type { Written } from "../journal/journal.ts";
import { EntryFailed } from "./decide.ts";
import { storageTrouble } from "./storage-trouble.ts";

/** An entry and its place in the batch that its caller knows. */
export type Placed = { entry: JournalEntry; at: number };

export type Failing = Written["failures"][number];

/**
 * Which of the entries cannot be written through their own fault, when together they have failed by `error`: the one that a
 * rule has thrown over, or else those that fail by themselves, found by trying halves. None: each of them goes alone.
 * @param tryOut writes entries and takes them back, or rejects; what the storage suffers from is thrown on.
 */
export async function findFailing(
  entries: readonly Placed[],
  error: unknown,
  tryOut: (entries: readonly JournalEntry[]) => Promise<void>,
): Promise<Failing[]> {
  if (error instanceof EntryFailed) {
    const failed = entries[error.at];
    if (failed !== undefined) return [{ at: failed.at, message: error.message }];
  }
  const among = async (some: readonly Placed[]): Promise<Failing[]> => {
    const [first] = some;
    if (first === undefined) return [];
    try {
      await tryOut(some.map(({ entry }) => entry));
      return [];
    } catch (failure) {
      if (storageTrouble(failure) !== null) throw failure;
      if (some.length > 1) return halves(some);
      return [{ at: first.at, message: failure instanceof Error ? failure.message : String(failure) }];
    }
  };
  const halves = async (some: readonly Placed[]): Promise<Failing[]> => {
    const half = Math.ceil(some.length / 2);
    return [...(await among(some.slice(0, half))), ...(await among(some.slice(half)))];
  };
  return entries.length === 1 ? among(entries) : halves(entries);
}
