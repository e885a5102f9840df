import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { change, Refused } from "../api.ts";
import { useSignedIn } from "../signed-in.ts";
import { Dialog } from "./dialog.tsx";
import { errorOf, TextField } from "./field.tsx";
import { Notice } from "./notice.tsx";

export type Changing = {
  /** Carries a change out, one at a time, and says whether it was taken. */
  run: (work: () => Promise<void>) => Promise<boolean>;
  isBusy: boolean;
  /** Why the last one was not. */
  error: Refused | undefined;
  forget: () => void;
  /** To be drawn wherever the page has room: the question for the password stands there while it is asked. */
  question: ComponentChildren;
};

/**
 * For what a page changes. Where the service wants the password again, as for money and for people, it is asked for, and
 * the same change is tried once more.
 */
export function useChanging(): Changing {
  const { againMe } = useSignedIn();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Refused | undefined>();
  const [isAsking, setAsking] = useState(false);
  const answered = useRef<((isGiven: boolean) => void) | null>(null);

  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      if (thrown.code !== "sign_in_again") {
        setError(thrown);
        return false;
      }
    }
    const isGiven = await new Promise<boolean>((resolve) => {
      answered.current = resolve;
      setAsking(true);
    });
    setAsking(false);
    if (!isGiven) return false;
    againMe();
    return attempt(work);
  };
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setError(undefined);
    try {
      return await attempt(work);
    } finally {
      setBusy(false);
    }
  };
  return {
    run,
    isBusy,
    error,
    forget: () => setError(undefined),
    question: isAsking && <PasswordQuestion onAnswer={(isGiven) => answered.current?.(isGiven)} />,
  };
}

function PasswordQuestion({ onAnswer }: { onAnswer: (isGiven: boolean) => void }) {
  const { me } = useSignedIn();
  const [password, setPassword] = useState("");
  const [error, setError] = useState<Refused | undefined>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await change("post", "me/confirm", { password });
      onAnswer(true);
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      setError(thrown);
      setBusy(false);
    }
  };
  const wrong = errorOf(error, "password");
  return (
    <Dialog
      title="Your password, once more"
      onClose={() => onAnswer(false)}
      onSend={() => void send()}
      actions={
        <>
          <button type="button" class="button" onClick={() => onAnswer(false)}>
            Cancel
          </button>
          <button type="submit" class="button main" disabled={isBusy || password === ""}>
            Go on
          </button>
        </>
      }
    >
      <p>This moves money or lets people in, and your password was not given for a quarter of an hour.</p>
      {/* Tells a password manager whose password is meant. */}
      <input
        class="heard"
        type="email"
        autocomplete="username"
        value={me.user.email}
        readOnly
        tabIndex={-1}
        aria-label="E-mail"
      />
      <TextField
        label="Password"
        type="password"
        autocomplete="current-password"
        value={password}
        onValue={setPassword}
        error={wrong ? "This is not your password." : undefined}
      />
      {error && !wrong && <Notice tone="bad">{error.message}</Notice>}
    </Dialog>
  );
}
