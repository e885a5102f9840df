import { useState } from "preact/hooks";
import { Conflict, Refused } from "./api.ts";
import { changedSince, isSame, mergeOver } from "./merge-patch.ts";

export type Draft<Value extends object> = {
  value: Value;
  set: (changed: Partial<Value>) => void;
  isChanged: boolean;
  isSaving: boolean;
  error: Refused | undefined;
  /** Somebody else has saved first. */
  conflict: Conflict | null;
  /** What they have saved. */
  theirs: Value | undefined;
  save: () => Promise<void>;
  /** Does to what somebody else has saved what was done here; what they changed and this page did not, stays. */
  saveAnyway: () => Promise<void>;
  /** Goes back to what is saved. */
  discard: () => void;
  /** The version of the row as far as this page knows, for what else it changes of it. */
  version: number;
  /** Told that it has changed something else of the row, which came from one version to the next. */
  moveOn: (from: number, to: number) => void;
};

/**
 * What somebody changes on a page until it is saved. `row` is what the page has read, or somebody else has saved, and `of` what the
 * draft holds of it; `send` saves, answers with the version that the row has then, and throws a Conflict where it has another
 * one than it is to have. `merge` does to `theirs` what was done here, and may throw a refusal.
 */
export function useDraft<Row extends { version: number }, Value extends object>(
  row: Row,
  of: (row: Row) => Value,
  send: (before: Value, after: Value, version: number) => Promise<number>,
  merge: (before: Value, mine: Value, theirs: Value) => Value = mergeOver,
): Draft<Value> {
  const [base, setBase] = useState<{ value: Value; version: number } | null>(null);
  const [changes, setChanges] = useState<Partial<Value>>({});
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<Refused | undefined>();
  const read = { value: of(row), version: row.version };
  // What stood here when the first change was made: a later answer does not move what somebody is about to compare with. And what
  // was saved, until the page has read it.
  const isHeld = Object.keys(changes).length > 0 || (base !== null && base.version > read.version);
  const before = (isHeld && base) || read;
  const value = { ...before.value, ...changes };
  const conflict = error instanceof Conflict ? error : null;
  const theirs = conflict?.theirs === undefined ? undefined : of(conflict.theirs as Row);

  // What is typed by half cannot be read yet, and stays as it is.
  const mergeTyped: typeof merge = (sent, typed, saved) => {
    try {
      return merge(sent, typed, saved);
    } catch {
      return typed;
    }
  };
  const sendOver = async (saved: Value, make: () => Value, at: number) => {
    setSaving(true);
    try {
      const after = make();
      const version = await send(saved, after, at);
      setBase({ value: after, version });
      setChanges((now) => changedSince(now, value, after, mergeTyped));
      setError(undefined);
    } catch (thrown) {
      setError(thrown instanceof Refused ? thrown : new Refused(0, "unknown", String(thrown)));
    } finally {
      setSaving(false);
    }
  };
  return {
    value,
    set: (changed) => {
      setBase(before);
      setChanges((now) => ({ ...now, ...changed }));
      // What is said of fields stays until it is sent again, for there may be several, or until nothing is left to send.
      const isUndone = isSame(before.value, { ...value, ...changed });
      if (!conflict && (isUndone || error?.errors.length === 0)) setError(undefined);
    },
    isChanged: !isSame(before.value, value),
    isSaving,
    error,
    conflict,
    theirs,
    save: () => sendOver(before.value, () => value, before.version),
    saveAnyway: () => {
      const at = conflict?.version ?? before.version;
      return theirs === undefined
        ? sendOver(before.value, () => value, at)
        : sendOver(theirs, () => merge(before.value, value, theirs), at);
    },
    discard: () => {
      if (theirs && conflict?.version) setBase({ value: theirs, version: conflict.version });
      setChanges({});
      setError(undefined);
    },
    version: Math.max(base?.version ?? 0, read.version),
    moveOn: (from, to) => {
      if (before.version === from) setBase({ value: before.value, version: to });
    },
  };
}
