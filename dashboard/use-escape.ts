import { useLayoutEffect } from "preact/hooks";

/** Has Escape put away what is shown in front of the page, wherever the focus is. */
export function useEscape(isShown: boolean, putAway: () => void): void {
  useLayoutEffect(() => {
    if (!isShown) return;
    const press = ({ key }: KeyboardEvent) => {
      if (key === "Escape") putAway();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isShown]);
}
