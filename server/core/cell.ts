import type { Surface } from "@offers/contract/words";

/** What many events have in common. The store keeps each combination once, under a number that events refer to. */
export type Cell = {
  websiteId: number;
  /** As located at the decision. */
  country: string;
  region: string;
  vertical: string;
  surface: Surface;
  test: boolean;
  /** ISO 4217; `""` where nothing was handed out that has a price. */
  currency: string;
  /** The class of the visitor's device, a `deviceNumber`. */
  device: number;
};

/** Whether two cells are the same. */
export function isSameCell(one: Cell, other: Cell): boolean {
  return (
    one.websiteId === other.websiteId &&
    one.country === other.country &&
    one.region === other.region &&
    one.vertical === other.vertical &&
    one.surface === other.surface &&
    one.test === other.test &&
    one.currency === other.currency &&
    one.device === other.device
  );
}

/** A text that two cells share exactly when they are the same. No part of a cell holds a line break. */
export function cellKey(cell: Cell): string {
  const { websiteId, country, region, vertical, surface, test, currency, device } = cell;
  return `${websiteId}\n${country}\n${region}\n${vertical}\n${surface}\n${test ? 1 : 0}\n${currency}\n${device}`;
}
