import type { Actor } from "../core/actor.ts";
import type { StoreOptions } from "../store/open-store.ts";
import type { Refused } from "./desk.ts";

/** What the desk's thread is started with. */
export type DeskOptions = Pick<StoreOptions, "database"> & {
  production: boolean;
  /** Where location data of the operator's may be (geo-files.ts). */
  dataDir: string;
  geoDatabase: string | null;
  /** How many milliseconds a PostgreSQL may take to answer a statement; left out: half a minute. */
  deadlineMs?: number;
};

export type DeskQuestions = {
  /** `now` in milliseconds since the epoch, by the service's clock. */
  run: {
    asked: { name: string; asked: unknown; actor: Actor | null; now: number };
    answer: { ok: true; answer: unknown } | { ok: false; refused: Refused };
  };
  close: { asked: null; answer: null };
};
