/**
 * Keeps the focus of whoever goes by the keyboard in the page. What has it may leave the page by its own press, as a button that
 * takes its row away: it goes to the heading of the card, or of the page. What is only disabled while its press is carried out has
 * it back.
 */
export function catchFocus(): void {
  /** What had the focus last, and all around it, from the inside to the outside. */
  let last: HTMLElement[] = [];
  addEventListener("focusin", (event) => {
    last = event.composedPath().filter((one) => one instanceof HTMLElement);
  });
  addEventListener(
    "pointerdown",
    ({ target }) => {
      // Whoever presses where nothing takes it has given it up.
      if (target instanceof Node && !last[0]?.contains(target)) last = [];
    },
    { capture: true },
  );
  const look = () => {
    const [had] = last;
    if (!had || document.activeElement !== document.body || !document.hasFocus()) return;
    if (had.isConnected) {
      if (!had.matches(":disabled")) had.focus({ preventScroll: true });
      return;
    }
    const around = last.find((one) => one.isConnected && one.matches("dialog, .card"));
    const heading = around?.querySelector("h2") ?? document.querySelector("h1");
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  let timer: ReturnType<typeof setTimeout>;
  const lookLater = () => {
    // Whoever takes something away may give the focus to something else.
    clearTimeout(timer);
    timer = setTimeout(look);
  };
  new MutationObserver(lookLater).observe(document.body, {
    ...{ childList: true, subtree: true },
    attributeFilter: ["disabled"],
  });
}
