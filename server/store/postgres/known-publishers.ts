import type pg from "pg";
import { createRecent } from "../../core/recent.ts";
import { NotReadAhead } from "./not-read-ahead.ts";
import { ask } from "./pipeline.ts";
import { websitesRead } from "./read-ahead.ts";
import type { ReadAhead } from "./read-rows.ts";

const remembered = 50_000;

export type KnownPublishers = {
  of(websiteId: number): number;
  note(websites: ReadAhead["websites"]): void;
  /** Reads those of websites that are not known. */
  lookUp(websites: readonly number[]): Promise<void>;
};

/** Whose a website is never changes; one that the catalogue does not know is nobody's, number 0, and is looked for again. */
export function rememberPublishers(client: pg.Client): KnownPublishers {
  const publishers = createRecent<number, number>(remembered);
  let nobodys = new Set<number>();
  const note: KnownPublishers["note"] = (websites) => {
    for (const [id, website] of websites) {
      if (website !== null) publishers.set(id, website.publisher);
      else nobodys.add(id);
    }
  };
  return {
    of: (websiteId) => {
      const publisher = publishers.get(websiteId) ?? (nobodys.has(websiteId) ? 0 : undefined);
      if (publisher === undefined) throw new NotReadAhead(`website ${websiteId}`);
      return publisher;
    },
    note: (websites) => {
      nobodys = new Set();
      note(websites);
    },
    lookUp: async (websites) => {
      const unknown = new Set(websites.filter((id) => publishers.get(id) === undefined && !nobodys.has(id)));
      if (unknown.size === 0) return;
      const rows = await ask<{ id: number; publisher: number; share: number }>(client, {
        name: "look_up_websites",
        text: websitesRead,
        values: [[...unknown]],
      });
      note(new Map([...unknown].map((id) => [id, rows.find((row) => row.id === id) ?? null])));
    },
  };
}
