import type { Commands } from "../wire/loader-and-commands.ts";
import type { Detail, PublicEvent, Tell } from "../wire/public-events.ts";
import type { Visit } from "../wire/visit.ts";

/** What every copy of the loader, and of the code that draws, knows together on one page. */
export type PageRecord = {
  visits: Visit[];
  /** The events so far; a listener that comes later is told them first. */
  log: [PublicEvent, Detail, of?: object | undefined][];
  tell: Tell;
  /** The names of the page's functions whose commands are already taken. */
  names: string[];
  /** The chunk that carries out commands, once it has been asked for. */
  commands?: Promise<Commands>;
  /** What hurries each overlay that stands or is about to, by what closes it. */
  open?: Map<AbortSignal, () => void>;
  /** Which offers of which request have been reported as seen: one that comes into view once more is the same impression. */
  reported?: Set<string>;
};

const key = Symbol.for("visit-panel.page");

/**
 * The page's record. It sits on the window under a symbol, so that a second copy of the loader finds it and
 * the page's own names stay as they were.
 */
export function pageRecord(page: Record<symbol, unknown> = window as never): PageRecord {
  let record = page[key] as PageRecord | undefined;
  if (!record) {
    const log: PageRecord["log"] = [];
    record = { visits: [], log, tell: (...event) => log.push(event), names: [] };
    // Without a prototype: a page may have given every object a `get`, which defineProperty would refuse.
    Object.defineProperty(page, key, { __proto__: null, value: record } as PropertyDescriptor);
  }
  return record;
}

type TagInPage = Pick<Visit, "tag" | "script">;

/** Whether the page already has such a visit: one overlay or none for a website, one section for a container or for a tag. */
export function isOnPage(others: readonly TagInPage[], { tag, script }: TagInPage): boolean {
  const { container } = tag.options;
  return others.some((other) => {
    const isInSame = other.tag.options.container === container;
    const isOfSame = other.script === script;
    return (
      other.tag.website === tag.website &&
      other.tag.mode === tag.mode &&
      (tag.mode !== "section" || (isOfSame && (isInSame || script)) || (isInSame && container))
    );
  });
}
