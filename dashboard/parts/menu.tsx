import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

type Parts = {
  /** What stands on the button. */
  button: ComponentChildren;
  /** What the button is called, where what stands on it does not say enough. */
  label?: string;
  class?: string;
  children: (close: () => void) => ComponentChildren;
};

/** A button with a small sheet below it. Escape, a press beside it and a choice close it. */
export function Menu({ button, label, class: kind = "", children }: Parts) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => details.current?.removeAttribute("open");
  useEffect(() => {
    const away = (event: Event) => {
      if (event.target instanceof Node && !details.current?.contains(event.target)) close();
    };
    addEventListener("pointerdown", away);
    addEventListener("focusin", away);
    return () => {
      removeEventListener("pointerdown", away);
      removeEventListener("focusin", away);
    };
  }, []);
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !details.current?.open) return;
    event.stopPropagation();
    close();
    details.current.querySelector("summary")?.focus();
  };
  return (
    <details class={`menu ${kind}`} ref={details} onKeyDown={press}>
      <summary aria-label={label}>{button}</summary>
      <div class="sheet">{children(close)}</div>
    </details>
  );
}
