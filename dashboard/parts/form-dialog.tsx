import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";

type Parts = {
  title: string;
  /** What the button says that sends it. */
  does: string;
  /** It cannot be sent now: something is missing, or it is under way. */
  isHeld: boolean;
  /** What is sent cannot be taken back. */
  isDanger?: boolean;
  /** Something was typed that would be lost. */
  isTyped?: boolean;
  onSend: () => void;
  onClose: () => void;
  children: ComponentChildren;
};

/** A form in front of the page: it is sent, or left. */
export function FormDialog({
  title,
  does,
  isHeld,
  isDanger,
  isTyped = false,
  onSend,
  onClose,
  children,
}: Parts) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSend={onSend}
      isTyped={isTyped}
      actions={
        <>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={isDanger ? "button danger" : "button main"} disabled={isHeld}>
            {does}
          </button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
