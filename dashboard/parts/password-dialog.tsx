import { useEffect, useRef, useState } from "preact/hooks";
import { change, Refused } from "../api.ts";
import { askPasswordBy } from "../ask-password.ts";
import { useSignedIn } from "../signed-in.ts";
import { Dialog } from "./dialog.tsx";
import { errorOf, TextField } from "./field.tsx";
import { Notice } from "./notice.tsx";
import { SignInElsewhere } from "./sign-in-elsewhere.tsx";

/**
 * Asks for the password wherever a call needs a recent sign-in, whichever page makes it; the call is then made once more.
 * Closed without a password, it lets the call fail.
 */
export function PasswordDialog() {
  const answer = useRef<((isGiven: boolean) => void) | null>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(
    () =>
      askPasswordBy(
        () =>
          new Promise((resolve) => {
            answer.current = resolve;
            setOpen(true);
          }),
      ),
    [],
  );
  const end = (isGiven: boolean) => {
    setOpen(false);
    answer.current?.(isGiven);
    answer.current = null;
  };
  return isOpen ? <Question onEnd={end} /> : null;
}

function Question({ onEnd }: { onEnd: (isGiven: boolean) => void }) {
  const { me, refreshMe } = useSignedIn();
  const [password, setPassword] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  const give = async () => {
    if (isBusy || password === "") return;
    setBusy(true);
    // What is refused once more is heard once more.
    setRefused(null);
    try {
      await change("post", "me/confirm", { password }, undefined, { savesNothing: true });
      refreshMe();
      onEnd(true);
    } catch (thrown) {
      if (thrown instanceof Refused) setRefused(thrown);
    } finally {
      setBusy(false);
    }
  };
  const wrong = errorOf(refused, "password");
  return (
    <Dialog
      title="Your password, please"
      onClose={() => onEnd(false)}
      onSend={() => void give()}
      actions={
        <>
          <SignInElsewhere>Sign in anew</SignInElsewhere>
          <button type="submit" class="button main" disabled={isBusy || password === ""}>
            Go on
          </button>
        </>
      }
    >
      <p>
        This needs a sign-in of the last quarter of an hour. What you were about to do goes on afterwards.
      </p>
      {/* So that the browser knows whose password it is. */}
      <input type="text" name="username" autocomplete="username" value={me.user.email} readOnly hidden />
      <TextField
        label="Password"
        type="password"
        autocomplete="current-password"
        value={password}
        onValue={setPassword}
        error={wrong && "This is not your password."}
      />
      {refused && !wrong && <Notice tone="bad">{refused.message}</Notice>}
    </Dialog>
  );
}
