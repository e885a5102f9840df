import type { Refused } from "../api.ts";
import { Notice } from "./notice.tsx";

/** What could not be read, and a button that tries again. */
export function Failure({ error, again }: { error: Refused; again: () => void }) {
  return (
    <Notice
      tone="bad"
      action={
        <button type="button" class="button" onClick={again}>
          Try again
        </button>
      }
    >
      {error.message}
    </Notice>
  );
}
