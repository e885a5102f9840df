import { type Trigger, triggers } from "@offers/contract/words";
import { listen } from "../wire/listen.ts";

/** The trigger that the tag names, else the website's setting; `pause` when neither is a trigger. */
export function chooseTrigger(onTag: unknown, inSettings: unknown): Trigger {
  return triggers.find((word) => word === onTag) || triggers.find((word) => word === inSettings) || "pause";
}

/** Lengths in CSS pixels. */
type ScrollPosition = { scrollTop: number; scrollHeight: number; clientHeight: number };

/** Whether the visitor has scrolled half of the way down; true on a page too short to scroll. */
export function isHalfScrolled({ scrollTop, scrollHeight, clientHeight }: ScrollPosition): boolean {
  return scrollTop >= (scrollHeight - clientHeight) / 2;
}

/** Whether a pointer that left the page went out at the top, where the tabs and the address are. */
export function leavesAtTop({ clientY }: { clientY: number }): boolean {
  return clientY <= 0;
}

/** Whether a press fell on what the selector matches, or within it, in whatever root. `path` is that of the press. */
export function isOpener(path: readonly unknown[], selector: unknown): boolean {
  try {
    return path.some((one) => one instanceof Element && one.matches(String(selector)));
  } catch {
    return false;
  }
}

/**
 * Calls back once when the trigger fires, and leaves no listener behind, nor after an abort of `until`. A pause is awaited
 * by what opens in it; `click` is a press anywhere.
 */
export function onTrigger(trigger: Trigger, until: AbortSignal, fire: () => void): void {
  const done = new AbortController();
  const { signal } = done;
  until.addEventListener("abort", () => done.abort());
  const once = () => {
    done.abort();
    fire();
  };
  switch (trigger) {
    case "immediate":
    case "pause":
      once();
      break;
    case "manual":
      break;
    case "click":
      // Scripts press buttons too, such as those of pictures that change by themselves.
      listen(globalThis, "click", signal, ({ isTrusted }) => isTrusted && once());
      break;
    case "exit":
      // A finger gives no sign of leaving, so a touch screen uses the scroll trigger.
      if (matchMedia("(hover: none)").matches) onHalfScrolled(signal, once);
      else onLeaving(signal, once);
      break;
    case "scroll":
      onHalfScrolled(signal, once);
      break;
    default:
      trigger satisfies never;
  }
}

function onLeaving(signal: AbortSignal, fire: () => void): void {
  listen(document.documentElement, "mouseleave", signal, (event) => leavesAtTop(event) && fire());
}

function onHalfScrolled(signal: AbortSignal, fire: () => void): void {
  const page = document.scrollingElement || document.documentElement;
  const look = () => !signal.aborted && isHalfScrolled(page) && fire();
  const lookIfScrolled = () => page.scrollTop > 0 && look();
  listen(globalThis, "scroll", signal, lookIfScrolled);
  // Until the page is complete its height may still grow, and where scripts draw it, for some seconds more.
  const looks = () => {
    lookIfScrolled();
    setTimeout(look, 3000);
  };
  if (document.readyState === "complete") looks();
  else listen(globalThis, "load", signal, looks);
}
