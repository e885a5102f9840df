/**
 * Calls that are counted in one place for all nodes. Whoever asks goes on without an answer after a while, so a
 * question may take long, but each is answered or rejected in the end.
 */
export type SharedWindows = {
  /**
   * Adds calls and resolves with what each key then stands at, calls of all nodes. Rejects when nobody can tell; the calls
   * may have been added even so.
   * @param calls by key: hexadecimal digits that tell nobody whose calls they are; the numbers are 0 or more.
   * @param window the minute since the epoch at whose beginning the window has ended, by `clock`: it may be forgotten then.
   */
  add(calls: ReadonlyMap<string, number>, window: number): Promise<ReadonlyMap<string, number>>;
  /** Has a key stand at 0 again; rejects as `add` does. */
  forget(key: string, window: number): Promise<void>;
  /** Milliseconds since the epoch by a clock that all nodes share, however wrong their own are. */
  clock(): number;
  /** How many nodes live, this one included, as far as that was told; at least 1. */
  nodes(): number;
};
