import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

type Parts = {
  title: string;
  /** Which part of it this is, where several pages have one title: it is heard, and stands in the window's title. */
  part?: string | undefined;
  /** One sentence below the title. */
  says?: ComponentChildren;
  /** The page above this one. */
  above?: { title: string; link: string };
  /** Buttons and pickers beside the title. */
  actions?: ComponentChildren;
};

/** Begins every page, and is drawn at once, whatever else is still to come: its heading takes the focus. */
export function PageHeader({ title, part, says, above, actions }: Parts) {
  useEffect(() => {
    document.title = [part, title, above?.title, "Offers"].filter(Boolean).join(" · ");
  }, [part, title, above?.title]);
  return (
    <header class="page-header">
      <div>
        {above && (
          <p class="above">
            <a href={above.link}>{above.title}</a> <span aria-hidden="true">/</span>
          </p>
        )}
        <h1 tabIndex={-1}>
          {title}
          {part && <span class="heard">: {part}</span>}
        </h1>
        {says && <p class="quiet">{says}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
  );
}
