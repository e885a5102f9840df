/** When somebody did something in this page for the last time, in milliseconds since the epoch. */
let usedAt = Date.now();

/** Notes each press, key and turn of the wheel, and that the page comes into sight again. */
export function noteUse(): void {
  const note = () => {
    usedAt = Date.now();
  };
  for (const used of ["pointerdown", "keydown", "wheel"]) {
    addEventListener(used, note, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", note);
}

/** For how many seconds nobody has done anything in this page. */
export function unusedSeconds(): number {
  return (Date.now() - usedAt) / 1000;
}
