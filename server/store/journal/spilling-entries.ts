import type { BlockedEntry } from "../../core/journal-entry.ts";
import type { Log } from "../../core/log-events.ts";
import { type Kept, KeptEntries, type KeptEntry } from "./kept-entries.ts";
import type { Spool, SpooledLine } from "./spool.ts";

/** So many may wait in memory while the storage takes batches; a busy second brings fewer. */
const spillAbove = 5000;
/** Most lines of one fsync: their text is made on the main thread, in some milliseconds. */
const spillMost = 5000;
/** Lines that are read ahead: some batches, for the spool's thread may be waiting for its disk. */
const aheadMost = 1500;
/** Of these at one time: they are parsed on the main thread, and visitors come to their turn in between. */
const readMost = 500;
/** How long after a refusal the spool is tried again. */
const retryMs = 1000;

/**
 * Kept entries that wait in memory for a moment and in the spool for longer. All that waits is spilled once the storage
 * refuses, when too many wait, and while lines are left in the spool, for these are older. So a process that is killed
 * loses what came since the last attempt to write, and the oldest are recorded first.
 *
 * A spill begins only where no batch from memory is under way: one that is refused then still stands before all others.
 */
export class SpillingEntries implements Kept {
  readonly #memory = new KeptEntries();
  readonly #spool: Spool;
  readonly #log: Log;
  readonly #onChange: () => void;
  /** Lines that were read and are in no batch. */
  #ahead: KeptEntry[] = [];
  /** Entries that are on their way into the spool. */
  #spilling: readonly KeptEntry[] = [];
  /** Positions: of the last line that there is, that was read, that a batch got, that is recorded, and that was removed. */
  #last: number;
  #readTo: number;
  #takenTo: number;
  #recordedTo: number;
  #forgottenTo: number;
  #isReading = false;
  #isForgetting = false;
  /** Whether the storage refused the last batch. */
  #isRefused = false;
  #isOver = false;
  /** The moment, by `performance.now()`, before which the spool is not asked again; 0: its last answer was none of trouble. */
  #askAgainAt = 0;

  /** `onChange` is called whenever a batch may get more than before. What the spool holds is read from now on. */
  constructor(spool: Spool, log: Log, onChange: () => void) {
    this.#spool = spool;
    this.#log = log;
    this.#onChange = onChange;
    const { forgotten, last } = spool.opened;
    this.#last = last;
    this.#readTo = forgotten;
    this.#takenTo = forgotten;
    this.#recordedTo = forgotten;
    this.#forgottenTo = forgotten;
    this.#readAhead();
  }

  get waiting(): number {
    return this.#memory.waiting + this.#spilling.length;
  }

  get left(): number {
    return this.waiting + this.spooled;
  }

  get spooled(): number {
    return this.#ahead.length + Math.max(0, this.#last - this.#readTo);
  }

  get oldest(): number | null {
    return this.#spilling[0]?.since ?? this.#memory.oldest;
  }

  hasNext(): boolean {
    if (this.#isRefused || this.#isOver) return false;
    return this.#ahead.length > 0 || (this.#memory.waiting > 0 && this.#isMemoryNext());
  }

  /** With older ones in the spool it is not committed in time, so nobody waits for that. */
  add(entry: BlockedEntry, waitMs: number): Promise<"committed" | "pending"> {
    return this.#memory.add(entry, this.#recordedTo < this.#last ? 0 : waitMs);
  }

  /** None while the storage refuses: to find out whether it is back takes no entries. */
  take(most: number): KeptEntry[] {
    const batch = this.hasNext() ? this.#ahead.splice(0, most) : [];
    this.#takenTo = batch.at(-1)?.position ?? this.#takenTo;
    const isMany = this.#memory.waiting > spillAbove && !this.#isInTrouble();
    if (batch.length === 0 && this.hasNext() && !isMany) return this.#memory.take(most);
    // Behind the last of the spool's lines comes memory: spilled then, new ones would go through the spool for ever.
    this.#spill();
    this.#readAhead();
    return batch;
  }

  /** A batch is of memory or of the spool: while older ones are in the spool, what is in memory is on its way there. */
  takeVisits(requests: readonly string[]): KeptEntry[] {
    const isFromMemory = this.hasNext() && this.#ahead.length === 0 && this.#takenTo <= this.#recordedTo;
    return isFromMemory ? this.#memory.takeVisits(requests) : [];
  }

  adopt(entries: readonly KeptEntry[]): void {
    this.#memory.adopt(entries);
  }

  putBack(batch: readonly KeptEntry[]): void {
    this.#isRefused = true;
    if (batch[0]?.position === undefined) this.#memory.putBack(batch);
    else this.#ahead = [...batch, ...this.#ahead];
    this.#spill();
  }

  recovered(): void {
    this.#isRefused = false;
  }

  settle(batch: readonly KeptEntry[]): void {
    const position = batch.at(-1)?.position;
    if (position === undefined) this.#memory.settle(batch);
    else this.#noteRecorded(position);
  }

  isSafe(): boolean {
    const isDrained = this.#isRefused || this.#recordedTo >= this.#last;
    return this.waiting === 0 && !this.#isForgetting && isDrained;
  }

  abandon(underway: readonly KeptEntry[]): KeptEntry[] {
    this.#isOver = true;
    const fromMemory = underway.filter(({ position }) => position === undefined);
    return [...fromMemory, ...this.#spilling, ...this.#memory.abandon([])];
  }

  /** Whether all older ones are in batches already. A spool that cannot be read holds nobody up. */
  #isMemoryNext(): boolean {
    return this.#spilling.length === 0 && (this.#readTo >= this.#last || this.#askAgainAt > 0);
  }

  #isInTrouble(): boolean {
    return this.#askAgainAt > performance.now();
  }

  /** To be called only where no batch from memory is under way. */
  #spill(): void {
    const { waiting } = this.#memory;
    const isNeeded = this.#isRefused || this.#readTo < this.#last || this.#ahead.length > 0;
    const isDue = waiting > spillAbove || (isNeeded && waiting > 0);
    if (!isDue || this.#spilling.length > 0 || this.#isInTrouble()) return;
    this.#spilling = this.#memory.take(spillMost);
    if (this.#recordedTo === this.#last) this.#log({ event: "spool_filling", waiting });
    this.#spool.add(this.#spilling.map(({ entry }) => entry)).then(
      (last) => {
        this.#memory.settle(this.#spilling, "pending");
        this.#spilling = [];
        this.#last = Math.max(this.#last, last);
        this.#noteAnswer();
        this.#readAhead();
        this.#spill();
        this.#onChange();
      },
      (error: unknown) => {
        this.#memory.putBack(this.#spilling);
        this.#spilling = [];
        this.#noteTrouble(error);
        this.#onChange();
      },
    );
  }

  #readAhead(): void {
    if (this.#isReading || this.#readTo >= this.#last || this.#ahead.length > aheadMost - readMost) return;
    if (this.#isInTrouble() || this.#isOver) return;
    this.#isReading = true;
    this.#spool.read(this.#readTo, readMost).then(
      ({ lines, upTo }) => {
        this.#isReading = false;
        for (const line of lines) this.#noteRead(line);
        this.#readTo = upTo;
        this.#last = Math.max(this.#last, upTo);
        this.#noteAnswer();
        this.#noteRecorded(this.#recordedTo);
        this.#readAhead();
        this.#onChange();
      },
      (error: unknown) => {
        this.#isReading = false;
        this.#noteTrouble(error);
        // Without traffic nobody else would come back to it.
        setTimeout(() => this.#readAhead(), retryMs + 1).unref();
        this.#onChange();
      },
    );
  }

  #noteRead({ position, entry }: SpooledLine): void {
    if (entry === null) this.#log({ event: "spool_line_unreadable", position });
    // A process that was killed may have recorded it and not removed it.
    else this.#ahead.push({ ...lineOf({ ...entry, isAgain: true }), position });
  }

  /** Behind the last line that could be read there may be others that cannot, or that another process has removed. */
  #noteRecorded(position: number): void {
    const isAll = this.#ahead.length === 0 && this.#takenTo <= position;
    this.#recordedTo = isAll ? Math.max(position, this.#readTo) : position;
    void this.#forget();
  }

  /** One at a time: while one is on its way, the next ones come together. */
  async #forget(): Promise<void> {
    if (this.#isForgetting || this.#forgottenTo >= this.#recordedTo) return;
    this.#isForgetting = true;
    try {
      while (this.#forgottenTo < this.#recordedTo) {
        const upTo = this.#recordedTo;
        await this.#spool.forget(upTo);
        this.#forgottenTo = upTo;
        this.#noteAnswer();
      }
      if (this.#forgottenTo === this.#last) this.#log({ event: "spool_empty" });
    } catch (error) {
      // They are removed with the next ones, or recorded by the next start, which changes nothing.
      this.#noteTrouble(error);
    }
    this.#isForgetting = false;
    this.#onChange();
  }

  #noteAnswer(): void {
    if (this.#askAgainAt > 0) this.#log({ event: "spool_recovered" });
    this.#askAgainAt = 0;
  }

  #noteTrouble(error: unknown): void {
    if (this.#askAgainAt === 0) this.#log({ event: "spool_refused", message: String(error) });
    this.#askAgainAt = performance.now() + retryMs;
  }
}

/** Nobody waits for it any more. */
const lineOf = (entry: BlockedEntry): KeptEntry => ({
  entry,
  since: 0,
  waitsUntil: 0,
  tell: () => undefined,
  refuse: () => undefined,
});
