import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

type Parts = {
  title?: string;
  /** A few quiet words beside the title. */
  says?: ComponentChildren;
  /** A link or button beside the title. */
  action?: ComponentChildren;
  /** Lets what is inside reach the card's edges, as tables and lists do. */
  isFlush?: boolean;
  /** What is drawn answers another question; the answer to this one is on its way. */
  isBusy?: boolean;
  children: ComponentChildren;
};

/** White paper with a thin line around it. */
export function Card({ title, says, action, isFlush = false, isBusy = false, children }: Parts) {
  const id = useId();
  return (
    <section
      class={isFlush ? "card flush" : "card"}
      aria-labelledby={title ? id : undefined}
      aria-busy={isBusy || undefined}
    >
      {title && (
        <header>
          <h2 id={id}>{title}</h2>
          {says !== undefined && <span class="quiet">{says}</span>}
          {action}
        </header>
      )}
      {isFlush ? children : <div class="body">{children}</div>}
    </section>
  );
}
