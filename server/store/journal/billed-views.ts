import { isAboveViewLimit, viewsSince } from "../../core/billing-limits.ts";
import type { Fact, Recording } from "./recording.ts";

/** Whether a view of the offer may not be billed any more; a visitor by whom nothing is limited never has. */
export function hasSeenEnough(
  viewer: string | null,
  { offer, at }: Pick<Fact, "offer" | "at">,
  { billed }: Recording,
): boolean {
  return (
    viewer !== null && isAboveViewLimit(billed.viewsOf(viewer, offer, { since: viewsSince(at), at }), at)
  );
}

/** Remembers a view that was billed; one that was not leaves nothing. */
export function noteView(
  viewer: string | null,
  { offer, at, billedMicros }: Pick<Fact, "offer" | "at" | "billedMicros">,
  { billed }: Recording,
): void {
  if (viewer !== null && billedMicros !== null) billed.noteView(viewer, offer, at);
}
