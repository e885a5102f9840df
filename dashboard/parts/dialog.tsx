import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { asksToLeave } from "../ask-at-step.ts";
import { Icon } from "./icon.tsx";

type Parts = {
  title: string;
  onClose: () => void;
  /** Buttons at its end. */
  actions?: ComponentChildren;
  children: ComponentChildren;
  /** Something was typed that would be lost: Escape, which is pressed for so much else, asks before it closes. */
  isTyped?: boolean;
  /** Told that the form was sent, by a button or by Enter. */
  onSend?: () => void;
};

/** A question in front of the page. It is open for as long as it is drawn; the focus goes back where it was. */
export function Dialog({ title, onClose, actions, children, onSend, isTyped = false }: Parts) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // Otherwise the button that closes has the focus, and Enter would close.
    dialog.current?.querySelector<HTMLElement>(".body :is(input, select, textarea)")?.focus();
    // While it stands there, nothing behind it takes the focus; and nothing else is to have it first.
    return () => queueMicrotask(() => before instanceof HTMLElement && before.focus());
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isTyped) return;
        // A browser lets a page hold this up once, and closes at the next Escape.
        event.preventDefault();
        if (asksToLeave()) dialog.current?.close();
      }}
      // As by the button of a telephone that goes back.
      onCancel={(event) => {
        if (isTyped && !asksToLeave()) event.preventDefault();
      }}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onSend?.();
        }}
      >
        <header>
          <h2 id={id}>{title}</h2>
          <button
            type="button"
            class="button bare"
            aria-label="Close"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="cross" />
          </button>
        </header>
        <div class="body">{children}</div>
        {actions && <footer>{actions}</footer>}
      </form>
    </dialog>
  );
}
