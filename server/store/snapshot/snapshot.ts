import type { OfferId } from "@offers/contract/ids";
import type { StoredApiKey } from "../../core/api-key.ts";
import { type Catalogue, compileCatalogue } from "../../core/compiled-catalogue.ts";
import type { StoredSecret } from "../../core/integration-secret.ts";
import { dayBefore, utcDay } from "../../core/utc-day.ts";
import { type SaltKey, saltKeyOf } from "../../core/visitor-hash.ts";
import type { VisitorSaltTable } from "../schema.ts";
import type { Changes } from "../sqlite/reader-messages.ts";

/** What requests are answered from, in memory: a lookup costs the same however much the database holds. */
export class Snapshot {
  #catalogue: Catalogue = compileCatalogue({ version: 0, websites: [], offers: [] });
  #apiKeys: ReadonlyMap<string, StoredApiKey> = new Map();
  #secrets: ReadonlyMap<string, StoredSecret> = new Map();
  #salts: ReadonlyMap<string, SaltKey> = new Map();
  #exhausted: ReadonlySet<OfferId> = new Set();
  /** What the writer has found used up, each with the number of the poll that cannot have seen it yet. */
  readonly #announced = new Map<OfferId, number>();
  #pollsAsked = 0;

  get catalogue(): Catalogue {
    return this.#catalogue;
  }

  /** A key by its id, unless it is revoked. */
  apiKey(id: string): StoredApiKey | undefined {
    return this.#apiKeys.get(id);
  }

  /** A secret by its hash (SHA-256 as base64url), unless it is revoked. */
  secret(hash: string): StoredSecret | undefined {
    return this.#secrets.get(hash);
  }

  hasBudget(id: OfferId): boolean {
    return !this.#exhausted.has(id) && !this.#announced.has(id);
  }

  /** The salts of the UTC day of `now` and of the day before; the nearest known ones where those are not there. */
  salts(now: number): { today: SaltKey; yesterday: SaltKey } {
    const day = utcDay(now);
    const today = this.#salts.get(day) ?? [...this.#salts.values()].at(-1);
    if (today === undefined) throw new Error("no salt has been read yet");
    // A clock that jumps by days is answered with old salts until the housekeeping has made its own.
    return { today, yesterday: this.#salts.get(dayBefore(day)) ?? today };
  }

  /** Marks offers as used up at once, until a poll that is asked from now on says otherwise. */
  announceExhausted(offers: readonly OfferId[]): void {
    for (const id of offers) this.#announced.set(id, this.#pollsAsked);
  }

  /** To be called as a poll is asked; returns its number for `apply`. */
  startPoll(): number {
    this.#pollsAsked += 1;
    return this.#pollsAsked;
  }

  /** Takes over what a poll has found. */
  apply(poll: number, { catalogue, apiKeys, secrets, salts, exhausted }: Changes): void {
    if (catalogue !== null) this.#catalogue = compileCatalogue(catalogue);
    if (apiKeys !== null) this.#apiKeys = new Map(apiKeys.map((key) => [key.id, key]));
    if (secrets !== null) this.#secrets = new Map(secrets.map((secret) => [secret.hash, secret]));
    if (salts !== null) this.#salts = keysOf(salts);
    if (exhausted === null) return;
    this.#exhausted = new Set(exhausted);
    for (const [id, unseenBy] of this.#announced) if (unseenBy < poll) this.#announced.delete(id);
  }
}

const keysOf = (salts: readonly VisitorSaltTable[]): ReadonlyMap<string, SaltKey> =>
  new Map(salts.map(({ day, salt }) => [day, saltKeyOf(salt)]));
