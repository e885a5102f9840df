import { useState } from "preact/hooks";
import { Refused } from "../api.ts";

export type Changing = {
  /** Carries a change out, one at a time, and says whether it was taken. */
  run: (work: () => Promise<void>) => Promise<boolean>;
  isBusy: boolean;
  /** Why the last one was not. */
  error: Refused | undefined;
  forget: () => void;
};

/** For what a page changes: that it is under way, and what the service refused. */
export function useChanging(): Changing {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Refused | undefined>();
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      // Whoever closes the question for the password has changed their mind.
      if (thrown.code !== "sign_in_again") setError(thrown);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, error, forget: () => setError(undefined) };
}
