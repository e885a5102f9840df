import { useEffect, useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Refused } from "../api.ts";
import { noteUnsaved } from "../ask-at-step.ts";
import { Icon } from "./icon.tsx";

type Parts = {
  isChanged: boolean;
  isSaving: boolean;
  /** Why the last attempt to save did not work. */
  error?: Refused | undefined;
  onSave: () => void;
  onDiscard: () => void;
};

/** Stands at the page's lower edge while something is not saved, and asks before the page is left. */
export function UnsavedBar({ isChanged, isSaving, error, onSave, onDiscard }: Parts) {
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
      if (!confirm("Leave without saving?")) {
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

  return (
    <div class={isChanged ? "unsaved" : "heard"} role="status">
      {isChanged && (
        <>
          <span class={error ? "wrong" : undefined}>
            <Icon name={error ? "warning" : "pen"} />
            {error ? error.message : "Unsaved changes"}
          </span>
          <button type="button" class="button" onClick={onDiscard} disabled={isSaving}>
            Discard
          </button>
          <button type="button" class="button main" onClick={onSave} disabled={isSaving}>
            {isSaving ? "Saving" : "Save"}
          </button>
        </>
      )}
    </div>
  );
}
