import { useState } from "preact/hooks";
import { Conflict, Refused } from "./api.ts";
import { isSame } from "./merge-patch.ts";

export type Draft<Value extends object> = {
  value: Value;
  set: (changed: Partial<Value>) => void;
  isChanged: boolean;
  isSaving: boolean;
  error: Refused | undefined;
  /** Somebody else has saved first. */
  conflict: Conflict | null;
  save: () => Promise<void>;
  /** Saves what stands here over what somebody else has saved; what they changed and this page did not, stays. */
  saveAnyway: () => Promise<void>;
  discard: () => void;
};

/**
 * What somebody changes on a page until it is saved. `saved` is what the page has read, at `version`; `send` saves, and throws a Conflict
 * where the row has another version by now.
 */
export function useDraft<Value extends object>(
  saved: Value,
  version: number,
  send: (before: Value, after: Value, version: number) => Promise<unknown>,
): Draft<Value> {
  // What was read when the first change was made: a later answer does not move what somebody is about to compare with.
  const [base, setBase] = useState<{ saved: Value; version: number } | null>(null);
  const [changes, setChanges] = useState<Partial<Value>>({});
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<Refused | undefined>();
  const { saved: before, version: seen } = base ?? { saved, version };
  const value = { ...before, ...changes };
  const isChanged = !isSame(before, value);

  const forget = () => {
    setBase(null);
    setChanges({});
    setError(undefined);
  };
  const sendAt = async (at: number) => {
    setSaving(true);
    try {
      await send(before, value, at);
      forget();
    } catch (thrown) {
      setError(thrown instanceof Refused ? thrown : new Refused(0, "unknown", String(thrown)));
    } finally {
      setSaving(false);
    }
  };
  const conflict = error instanceof Conflict ? error : null;
  return {
    value,
    set: (changed) => {
      setBase(base ?? { saved, version });
      setChanges({ ...changes, ...changed });
      if (!conflict) setError(undefined);
    },
    isChanged,
    isSaving,
    error,
    conflict,
    save: () => sendAt(seen),
    saveAnyway: () => sendAt(versionOf(conflict) ?? seen),
    discard: forget,
  };
}

const versionOf = (conflict: Conflict | null): number | undefined => {
  const version = Object(conflict?.theirs).version;
  return typeof version === "number" ? version : undefined;
};
