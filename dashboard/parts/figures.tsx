import type { ComponentChildren } from "preact";

export type Figure = {
  name: string;
  value: string;
  /** Below the value, such as what changed since the period before. */
  says?: ComponentChildren;
  /** Where a press leads, which chooses this figure. */
  link?: string;
  isChosen?: boolean;
};

/** Large figures in a row; those with a link choose what the chart below draws. */
export function Figures({ figures, label }: { figures: readonly Figure[]; label: string }) {
  return (
    <ul class="figures" aria-label={label}>
      {figures.map(({ name, value, says, link, isChosen }) => {
        const inside = (
          <>
            <span class="name">{name}</span>
            <strong>{value}</strong>
            <span class="says">{says ?? "\u00a0"}</span>
          </>
        );
        return (
          <li key={name}>
            {link ? (
              <a href={link} aria-current={isChosen ? "true" : undefined}>
                {inside}
              </a>
            ) : (
              <div>{inside}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
