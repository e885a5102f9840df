/** When somebody did something in this page for the last time, in milliseconds since the epoch. */
let usedAt = Date.now();

/** Longer than any page waits before it asks again: what somebody does between two calls is told by the second. */
const usedMs = 5 * 60_000;

/** Notes whatever somebody does in the page, and that it comes into sight again. */
export function noteUse(): void {
  const note = () => {
    usedAt = Date.now();
  };
  for (const used of ["pointerdown", "keydown", "wheel", "click", "input"]) {
    addEventListener(used, note, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", note);
}

/** Whether nobody has done anything in this page for some minutes. */
export function isUnattended(): boolean {
  return Date.now() - usedAt > usedMs;
}
