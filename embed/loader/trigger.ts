import { type Trigger, triggers } from "@offers/contract/words";

/** The tag's word when it is one, else the website's setting, else at once. */
export function chooseTrigger(onTag: string, inSettings: unknown): Trigger {
  return (
    triggers.find((word) => word === onTag) || triggers.find((word) => word === inSettings) || "immediate"
  );
}

/** Lengths in CSS pixels. */
export type ScrollPosition = { scrollTop: number; scrollHeight: number; clientHeight: number };

/** Whether half of the way down is behind the visitor; a page too short to scroll is seen at once. */
export function isHalfScrolled({ scrollTop, scrollHeight, clientHeight }: ScrollPosition): boolean {
  return scrollTop >= (scrollHeight - clientHeight) / 2;
}

/** Whether a pointer that left the page went out at the top, where the tabs and the address are. */
export function leavesAtTop({ clientY }: { clientY: number }): boolean {
  return clientY <= 0;
}

/** Resolves when the trigger fires, and leaves no listener behind. */
export function triggered(trigger: Trigger): Promise<void> {
  if (trigger === "immediate") return Promise.resolve();
  const page = document.scrollingElement || document.documentElement;
  const done = new AbortController();
  const { signal } = done;
  return new Promise((resolve) => {
    const fire = () => {
      done.abort();
      resolve();
    };
    const look = () => isHalfScrolled(page) && fire();
    // A finger gives no sign of leaving, so a touch screen goes by scrolling.
    if (trigger === "exit" && !matchMedia("(hover: none)").matches) {
      document.documentElement.addEventListener("mouseleave", (event) => leavesAtTop(event) && fire(), {
        signal,
      });
    } else {
      addEventListener("scroll", look, { signal });
      // Before the page is complete its height says nothing.
      if (document.readyState === "complete") look();
      else addEventListener("load", look, { signal });
    }
  });
}
