import type { PublisherId } from "@offers/contract/ids";
import type { Offer } from "./catalogue.ts";

/** Which publishers the operator offers an offer to, ready to be asked; null: all of them. */
export type ForPublishers = ((id: PublisherId) => boolean) | null;

/** Compiles which publishers an offer names that alone may show it, or that may not. */
export function compilePublishers({
  onlyPublishers,
  exceptPublishers,
}: Pick<Offer, "onlyPublishers" | "exceptPublishers">): ForPublishers {
  if (onlyPublishers.length === 0 && exceptPublishers.length === 0) return null;
  const [only, except] = [new Set(onlyPublishers), new Set(exceptPublishers)];
  return (id) => (only.size === 0 || only.has(id)) && !except.has(id);
}

/** Whether the operator offers the offer to the publisher, whatever that one's allowlists say. */
export function isOfferedTo({ isForPublisher }: { isForPublisher: ForPublishers }, id: PublisherId): boolean {
  return isForPublisher === null || isForPublisher(id);
}
