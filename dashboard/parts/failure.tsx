import { useContext } from "preact/hooks";
import type { Refused } from "../api.ts";
import { hasSessionEnded, SignedInContext } from "../signed-in.ts";
import { Notice } from "./notice.tsx";

/** What could not be read, and a button that tries again. What the frame of the page says already is not said twice. */
export function Failure({ error, again }: { error: Refused; again: () => void }) {
  const signedIn = useContext(SignedInContext);
  if (error.status === 401 && signedIn && hasSessionEnded(signedIn)) return null;
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
