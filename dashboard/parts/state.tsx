import type { HealthState } from "@offers/contract/dash/tag-health";
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

/** What a state means for its reader; its colour and its drawing follow from it. */
export type Tone = "good" | "bad" | "warn" | "plain" | "accent";

const icons = { good: "check", bad: "warning", warn: "clock", plain: "dot", accent: "dot" } as const;

/** A state as word, drawing and colour. */
export function Badge({
  tone = "plain",
  icon,
  children,
}: {
  tone?: Tone;
  icon?: IconName;
  children: ComponentChildren;
}) {
  return (
    <span class={`badge ${tone}`}>
      <Icon name={icon ?? icons[tone]} />
      {children}
    </span>
  );
}

/** A state before a row of a list: the drawing differs with the colour, and the word is there for whoever hears. */
export function StateMark({ tone, says, icon }: { tone: Tone; says: string; icon?: IconName }) {
  return (
    <span class={`mark ${tone}`} title={says}>
      <Icon name={icon ?? icons[tone]} says={says} />
    </span>
  );
}

/** How a website fares. */
export const healthWords = {
  live: { tone: "good", says: "Live", icon: "check" },
  waiting: { tone: "warn", says: "Waiting for a page", icon: "clock" },
  broken: { tone: "bad", says: "Needs a fix", icon: "warning" },
} as const satisfies Record<HealthState, { tone: Tone; says: string; icon: IconName }>;
