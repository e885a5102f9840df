import type { StoredApiKey } from "../../core/api-key.ts";
import type { RanOut } from "../../core/budget.ts";
import { createLearntRates, type LearntRates } from "../../core/click-rates.ts";
import { type Catalogue, createCatalogue } from "../../core/compiled-catalogue.ts";
import type { StoredSecret } from "../../core/integration-secret.ts";
import type { PacedSpend } from "../../core/pacing.ts";
import { dismissalsKept } from "../../core/showing.ts";
import type { SnapshotChanges } from "../../core/snapshot-changes.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { type SaltKey, saltKeyOf } from "../../core/visitor-hash.ts";

/** The keys of the visitor hashes that are made today, and of those that were made yesterday. */
type Salts = { today: SaltKey; yesterday: SaltKey };

/** What requests are answered from, in memory: a lookup costs the same however much the database holds. */
export class Snapshot {
  readonly #catalogue = createCatalogue();
  readonly #rates = createLearntRates();
  readonly #apiKeys = new Map<string, StoredApiKey>();
  readonly #secrets = new Map<string, StoredSecret>();
  /** By UTC day number, in the order of the days. */
  #salts: ReadonlyMap<number, SaltKey> = new Map();
  /** The last answer of `salts`, and the UTC day that it is good for. */
  #saltsOfDay: { day: number; salts: Salts } | null = null;
  #exhausted: ReadonlySet<number> = new Set();
  #paced: ReadonlyMap<number, PacedSpend> = new Map();
  /** Offers that the writer has found used up, each with the number of the last poll that may not have seen it. */
  readonly #announced = new Map<number, number>();
  /** Visitors who are not to be shown the overlay again, the newest last, with the UTC day on which their name is theirs. */
  readonly #dismissed = new Map<string, number>();
  #dismissedDay: number | null = null;
  #pollsAsked = 0;

  /** One object for good, in which every change shows. */
  get catalogue(): Catalogue {
    return this.#catalogue;
  }

  /** One object for good, too. */
  get rates(): LearntRates {
    return this.#rates;
  }

  /** A key by its id, unless it is revoked. */
  apiKey(id: string): StoredApiKey | undefined {
    return this.#apiKeys.get(id);
  }

  /** A secret by its hash (SHA-256 as base64url), unless it is revoked. */
  secret(hash: string): StoredSecret | undefined {
    return this.#secrets.get(hash);
  }

  /** Whether the offer of this number still has what one of its events costs. */
  hasBudget(offer: number): boolean {
    return !this.#exhausted.has(offer) && !this.#announced.has(offer);
  }

  /** How many offers have nothing left for one more event. */
  exhaustedOffers(): number {
    let count = this.#exhausted.size;
    for (const offer of this.#announced.keys()) if (!this.#exhausted.has(offer)) count += 1;
    return count;
  }

  /** How far the offer of this number has come with its day's budget; undefined: it is not spread over the day. */
  pacedSpend(offer: number): PacedSpend | undefined {
    return this.#paced.get(offer);
  }

  /**
   * The keys for the UTC day of `now` (milliseconds since the epoch) and for the day before; the nearest known ones
   * where those are not there. Throws before the first poll.
   */
  salts(now: number): Salts {
    const day = dayNumber(now);
    if (this.#saltsOfDay?.day === day) return this.#saltsOfDay.salts;
    const today = this.#salts.get(day) ?? [...this.#salts.values()].at(-1);
    if (today === undefined) throw new Error("no salt has been read yet");
    // A clock that jumps by days is answered with old salts until the housekeeping has made its own.
    const salts = { today, yesterday: this.#salts.get(day - 1) ?? today };
    this.#saltsOfDay = { day, salts };
    return salts;
  }

  /**
   * Marks offers as used up at once, until a poll that is asked from now on says otherwise. What is reported late may find the cap
   * of a day before that of `now` (milliseconds since the epoch) used up, which says nothing about today's.
   */
  announceExhausted(offers: readonly RanOut[], now: number): void {
    const today = dayNumber(now);
    for (const { offer, day } of offers) {
      if (day === null || day >= today) this.#announced.set(offer, this.#pollsAsked);
    }
  }

  /** Whether a visitor is not to be shown the overlay again today. */
  hasDismissed(visitor: string): boolean {
    return this.#dismissed.has(visitor);
  }

  /**
   * Remembers visitors who closed it on the UTC day of `now`, or on a later one by a clock that was ahead, or is behind here; those
   * of earlier days are forgotten. `at` and `now` in milliseconds since the epoch.
   */
  noteDismissed(dismissed: SnapshotChanges["dismissed"], now: number): void {
    const today = dayNumber(now);
    if (today !== this.#dismissedDay) {
      for (const [visitor, day] of this.#dismissed) if (day < today) this.#dismissed.delete(visitor);
    }
    this.#dismissedDay = today;
    for (const { visitor, at } of dismissed) {
      const day = dayNumber(at);
      if (day < today) continue;
      this.#dismissed.set(visitor, day);
      const [oldest = ""] = this.#dismissed.keys();
      if (this.#dismissed.size > dismissalsKept) this.#dismissed.delete(oldest);
    }
  }

  /** To be called as a poll is asked; returns its number for `apply`. */
  startPoll(): number {
    this.#pollsAsked += 1;
    return this.#pollsAsked;
  }

  /**
   * Takes over what a poll has found, all of it at once: no request meets a change that is only half there. `now` is in
   * milliseconds since the epoch.
   */
  apply(
    poll: number,
    { catalogue, salts, exhausted, paced, dismissed, rates }: SnapshotChanges,
    now: number,
  ): void {
    this.noteDismissed(dismissed, now);
    if (catalogue[0]?.beginsAnew) {
      // All counts come with it. The catalogue forgets by itself, and nobody asks before it is filled again.
      this.#rates.forget();
      this.#apiKeys.clear();
      this.#secrets.clear();
    }
    if (rates !== null) this.#rates.apply(rates);
    for (const part of catalogue) {
      this.#catalogue.apply(part);
      this.#rates.regroup(part.offers);
      for (const key of part.apiKeys) {
        if (key.revokedAt === null) this.#apiKeys.set(key.id, key);
        else this.#apiKeys.delete(key.id);
      }
      for (const { isRevoked, ...secret } of part.secrets) {
        if (isRevoked) this.#secrets.delete(secret.hash);
        else this.#secrets.set(secret.hash, secret);
      }
    }
    if (salts !== null) {
      this.#salts = new Map(salts.map(({ day, salt }) => [day, saltKeyOf(salt)]));
      this.#saltsOfDay = null;
    }
    if (paced !== null) this.#paced = new Map(paced.map((spend) => [spend.offer, spend]));
    if (exhausted !== null) this.#exhausted = new Set(exhausted);
    // Asked after the commit that was announced, it has met that, or nothing has changed since one that had: an offer that has
    // run out is among the exhausted by now. One that is not was refused by a later day's cap, or by one that was raised since.
    for (const [offer, unseenBy] of this.#announced) if (unseenBy < poll) this.#announced.delete(offer);
  }
}
