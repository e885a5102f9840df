import type { IconName } from "./icon.tsx";
import { Icon } from "./icon.tsx";

export type Tab = { key: string; says: string; link: string; isChosen: boolean; icon?: IconName };

/** Pages beside each other. Each has an address, so that they are links. */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ key, says, link, isChosen }) => (
        <a
          key={key}
          href={link}
          aria-current={isChosen ? "page" : undefined}
          ref={isChosen ? showWhole : null}
        >
          {says}
        </a>
      ))}
    </nav>
  );
}

/** Where the row is longer than the window, the tab that is open is not to be the one that is cut off. */
const showWhole = (tab: HTMLElement | null): void => {
  tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
};

/** A few choices in one frame, as on and off; each has an address too. */
export function Switch({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <fieldset class="switch">
      <legend class="heard">{label}</legend>
      {tabs.map(({ key, says, link, isChosen, icon }) => (
        <a key={key} href={link} aria-current={isChosen ? "true" : undefined}>
          {icon && <Icon name={icon} />}
          {says}
        </a>
      ))}
    </fieldset>
  );
}
