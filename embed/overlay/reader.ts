import { listen } from "../wire/listen.ts";

/** What is known of the reader at one moment; times are milliseconds of the page's clock, -Infinity for never. */
export type Reader = {
  /** When a key was pressed, the pointer or a finger put down, or something scrolled, for the last time. */
  actedAtMs: number;
  /** The same, or when the pointer moved, or when somebody began to look. */
  movedAtMs: number;
  /** Whether the reader is in the middle of a text of their own, or of a film that fills the screen. */
  isEngaged: boolean;
  /** Until when the page is so new that nobody has begun to read it. */
  isNewUntilMs: number;
  /** Since when the page's content can be seen; Infinity while it cannot, -Infinity where that makes no difference. */
  seenAtMs: number;
};

/** How long nothing is done in a pause, in milliseconds. */
const pauseMs = 2000;

/** How long after its first paint a page is still new, in milliseconds. */
const newMs = 2500;

/** Whether something may open over what the reader is doing. */
export function mayInterrupt(
  { actedAtMs, movedAtMs, isEngaged, isNewUntilMs, seenAtMs }: Reader,
  nowMs: number,
): boolean {
  const since = Math.max(actedAtMs, seenAtMs, nowMs <= isNewUntilMs ? actedAtMs : movedAtMs);
  return !isEngaged && nowMs - since >= pauseMs;
}

/** What only a person does, as far as a page leaves it to them. */
const acts = ["keydown", "pointerdown", "wheel", "touchmove"] as const;

/** For how long a box goes on scrolling after the finger that has pushed it, in milliseconds. */
const momentumMs = 3000;

/**
 * Watches the reader from now on, until `until` is aborted; returns the question whether something may open. What
 * was done before cannot be known, but whether something was: then it counts as done just now. `immediate` is for a
 * page that is new, where the pointer may move, `pause` for one that has been seen, where nothing may; after the other
 * triggers the pointer may move at any time.
 */
export function watchReader(until: AbortSignal, trigger: string): () => boolean {
  const startedAtMs = performance.now();
  const hasActed = navigator.userActivation?.isActive || scrollY > 0;
  const isPause = trigger === "pause";
  const isNewUntilMs = trigger === "immediate" ? paintedAtMs() + newMs : Number.POSITIVE_INFINITY;
  let actedAtMs = hasActed ? startedAtMs : Number.NEGATIVE_INFINITY;
  let movedAtMs = startedAtMs;
  const onPage = (type: Parameters<typeof listen>[1], note: (event: Event) => void) =>
    listen(globalThis, type, until, note, { capture: true, passive: true });
  let didAtMs = Number.NEGATIVE_INFINITY;
  for (const type of acts) {
    onPage(type, () => {
      actedAtMs = didAtMs = performance.now();
    });
  }
  onPage("scroll", ({ target }) => {
    const nowMs = performance.now();
    // Boxes that a script scrolls, such as pictures that change by themselves, are nobody's reading.
    if (target === document || nowMs - didAtMs < momentumMs) actedAtMs = nowMs;
  });
  for (const type of ["pointermove", "visibilitychange"] as const) {
    onPage(type, () => {
      movedAtMs = performance.now();
    });
  }
  return () =>
    mayInterrupt(
      {
        actedAtMs,
        movedAtMs,
        isEngaged: isEngaged(),
        isNewUntilMs: isPause ? Number.NEGATIVE_INFINITY : isNewUntilMs,
        seenAtMs: isPause ? seenAtMs() : Number.NEGATIVE_INFINITY,
      },
      performance.now(),
    );
}

/** Of a page that was loaded ahead of its visit, the visit is when it begins; Infinity before the first paint. */
function paintedAtMs(): number {
  const [navigation] = performance.getEntriesByType("navigation") as { activationStart?: number }[];
  const painted = performance.getEntriesByType("paint").map(({ startTime }) => startTime);
  if (painted.length === 0) return Number.POSITIVE_INFINITY;
  return Math.max(Math.min(...painted), navigation?.activationStart ?? 0);
}

/** A page that is complete counts as painted: not every browser tells. */
function seenAtMs(): number {
  if (document.hidden) return Number.POSITIVE_INFINITY;
  const atMs = paintedAtMs();
  return document.readyState === "complete" && atMs === Number.POSITIVE_INFINITY
    ? Number.NEGATIVE_INFINITY
    : atMs;
}

/** Inputs that nobody types into. */
const untyped =
  "[type=button],[type=checkbox],[type=color],[type=file],[type=image],[type=radio],[type=range],[type=reset],[type=submit]";

function isEngaged(): boolean {
  return document.fullscreenElement != null || isTyping(document);
}

/** Whether the focus is where one types, in whatever root or frame; one of another site counts, since nobody can look. */
function isTyping(page: Document): boolean {
  let at = page.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (at?.matches("iframe")) {
    const { contentDocument } = at as HTMLIFrameElement;
    return !contentDocument || isTyping(contentDocument);
  }
  return (
    page.designMode === "on" ||
    (at as HTMLElement | null)?.isContentEditable === true ||
    at?.matches(`textarea,select,[role=textbox],input:not(${untyped})`) === true
  );
}
