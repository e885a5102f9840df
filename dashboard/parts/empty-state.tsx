import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

/** Where nothing is yet: what would stand here, and what to do next. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="round">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <p class="quiet">{children}</p>
      {action}
    </div>
  );
}
