import { isTypedName } from "@offers/contract/dash/typed-name";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Refused } from "../api.ts";
import { TextField } from "./field.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { Notice } from "./notice.tsx";

type Parts = {
  title: string;
  /** What will happen, in a sentence or two. */
  children: ComponentChildren;
  /** What the button does, such as `Delete the website`. */
  does: string;
  /** What is to be typed first; without it a press is enough. */
  typed?: string;
  error?: Refused | undefined;
  onConfirm: () => Promise<void> | void;
  onClose: () => void;
};

/** Asks before something that cannot be taken back. */
export function Confirm({ title, children, does, typed, error, onConfirm, onClose }: Parts) {
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isMeant = typed === undefined || isTypedName(text, typed);
  const confirm = async () => {
    if (!isMeant || isBusy) return;
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={title}
      does={does}
      isHeld={!isMeant || isBusy}
      isDanger
      onSend={() => void confirm()}
      onClose={onClose}
    >
      {children}
      {typed !== undefined && (
        <TextField label={`Type ${typed} to go on`} value={text} onValue={setText} autocomplete="off" />
      )}
      {error && <Notice tone="bad">{error.message}</Notice>}
    </FormDialog>
  );
}
