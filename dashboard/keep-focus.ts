/** How long after a frame is given an address the page in it may still open a dialog. */
const openingMs = 15_000;

/**
 * Keeps the focus where it is while the page in a frame opens a dialog, which takes it: what somebody types
 * at that moment would go nowhere. Whoever goes into the frame by pointer or Tab is let in. Returns what ends it.
 */
export function keepFocus(frame: HTMLIFrameElement): () => void {
  const done = new AbortController();
  const end = () => done.abort();
  const options = { signal: done.signal, capture: true };
  let before = document.activeElement;
  let isTabbing = false;
  const note = () => {
    if (document.activeElement !== frame) before = document.activeElement;
  };
  const giveBack = () => {
    focus();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    // Whoever comes to the frame later does so by themselves.
    setTimeout(end, 1000);
  };
  addEventListener("focusin", note, options);
  // By the next task it is seen whether another element has the focus, the frame, or none: Firefox tells so late.
  addEventListener("focusout", () => setTimeout(note), options);
  addEventListener(
    "keydown",
    ({ key }) => {
      isTabbing = key === "Tab";
      setTimeout(() => {
        isTabbing = false;
      }, 100);
    },
    options,
  );
  addEventListener(
    "blur",
    ({ target }) => {
      if (target !== window) return;
      const isLetIn = isTabbing || frame.matches(":hover");
      setTimeout(() => {
        if (document.activeElement !== frame) return;
        if (isLetIn) end();
        else giveBack();
      });
    },
    options,
  );
  setTimeout(end, openingMs);
  return end;
}
