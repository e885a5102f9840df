import { listen } from "../wire/listen.ts";
import { wrapTab } from "./wrap-tab.ts";

type Keys = {
  host: Element;
  dialog: HTMLDialogElement;
  dismissible: boolean;
  /** Aborted when the dialog has closed. */
  closed: AbortSignal;
  close(): void;
};

/**
 * Keeps the keys that are pressed within the dialog from the page: some pages turn a slide at a space and keep Escape
 * for themselves. A key passes the window first, so the listeners stand there, and only as long as the dialog is open;
 * a key that closes it is kept until it has been released. What the browser itself does with a key it still does: it
 * follows links and scrolls.
 */
export function keepKeys({ host, dialog, dismissible, closed, close }: Keys): void {
  const pressed = new Set<string>();
  const released = new AbortController();
  const settle = () => closed.aborted && pressed.size === 0 && released.abort();
  const onKey = (event: KeyboardEvent) => {
    const { type, key, code, target } = event;
    const isReleased = type === "keyup" && pressed.delete(code);
    // With nothing focused the target is the body, which the visitor cannot reach behind a modal dialog.
    if (isReleased || (dialog.open && (target === host || target === document.body))) {
      event.stopImmediatePropagation();
      // macOS tells no release of what is pressed with Command, so none is waited for.
      if (type === "keydown" && !event.metaKey) pressed.add(code);
      if (type === "keydown" && dismissible) wrapTab(dialog, event);
      if (key === "Escape") {
        // The browser would close a dialog of the page's own as well, and at the second time one that may not be dismissed.
        event.preventDefault();
        // A page that keeps the press for itself leaves the release.
        if (dismissible && dialog.open && !isReleased) close();
      }
    }
    settle();
  };
  const capture = { capture: true };
  listen(globalThis, "keydown", closed, onKey, capture);
  listen(globalThis, "keypress", closed, onKey, capture);
  listen(globalThis, "keyup", released.signal, onKey, capture);
  // What is released in another window is told to nobody here.
  const forget = () => {
    pressed.clear();
    settle();
  };
  listen(globalThis, "blur", released.signal, forget);
  closed.addEventListener("abort", settle);
}
