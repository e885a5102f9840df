import { useEffect, useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { asksToLeave, noteUnsaved } from "./ask-at-step.ts";

/** Asks before the page is left on which something is not saved: at a link, at Back and Forward, and when it is closed. */
export function useUnsavedGuard(isChanged: boolean): void {
  const { url } = useLocation();
  useLayoutEffect(() => (isChanged ? noteUnsaved(url) : undefined), [isChanged, url]);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    // Links within the dashboard load no page; they are asked about before the router hears of them.
    const askAtLink = (event: MouseEvent) => {
      const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
      const leaves = link && link.origin === location.origin && link.pathname !== location.pathname;
      if (!leaves || link.target === "_blank" || link.hasAttribute("download")) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (!asksToLeave()) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    addEventListener("beforeunload", ask);
    addEventListener("click", askAtLink, { capture: true });
    return () => {
      removeEventListener("beforeunload", ask);
      removeEventListener("click", askAtLink, { capture: true });
    };
  }, [isChanged]);
}
