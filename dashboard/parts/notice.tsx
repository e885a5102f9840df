import type { ComponentChildren, RefObject } from "preact";
import { Icon } from "./icon.tsx";
import type { Tone } from "./state.tsx";

const icons = { good: "check", bad: "warning", warn: "warning", plain: "info", accent: "info" } as const;

/** A sentence that one should not overlook; it is heard when it appears. */
export function Notice({
  tone = "plain",
  action,
  place,
  children,
}: {
  tone?: Tone;
  action?: ComponentChildren;
  /** Where it stands, for a page that leads somebody there. */
  place?: RefObject<HTMLDivElement | null>;
  children: ComponentChildren;
}) {
  return (
    <div
      class={`notice ${tone}`}
      role={tone === "bad" ? "alert" : "status"}
      {...(place && { ref: place, tabIndex: -1 })}
    >
      <Icon name={icons[tone]} />
      <div>{children}</div>
      {action}
    </div>
  );
}
