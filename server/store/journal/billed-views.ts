import { isAboveViewLimit } from "../../core/billing-limits.ts";
import type { Viewer } from "../../core/journal-entry.ts";
import type { Fact, Recording } from "./recording.ts";

/** Whether a view of the offer may not be billed any more; one by whom nothing is limited always may. */
export function hasSeenEnough(
  viewer: Viewer | null,
  { offer, at }: Pick<Fact, "offer" | "at">,
  { billed }: Recording,
): boolean {
  const viewsOf = (name: string | null) => (name === null ? null : billed.viewsOf(name, offer, at));
  return (
    viewer !== null &&
    isAboveViewLimit({ at, visitor: viewsOf(viewer.visitor), network: viewsOf(viewer.network) })
  );
}

/** Remembers a view that was billed; one that was not leaves nothing. */
export function noteView(
  viewer: Viewer | null,
  { offer, at, billedMicros }: Pick<Fact, "offer" | "at" | "billedMicros">,
  { billed }: Recording,
): void {
  if (viewer !== null && billedMicros !== null) billed.noteView(viewer, offer, at);
}
