import type { ComponentChildren } from "preact";
import { CopyButton } from "./copy-button.tsx";

type Parts = { code: string; label: string; says?: ComponentChildren; copyWord?: string };

/** Text for another program, with a button that copies it. */
export function CodeBlock({ code, label, says, copyWord }: Parts) {
  return (
    <section class="code-block" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <div class="row">
        <CopyButton text={code} isMain {...(copyWord && { says: copyWord })} />
        {says && <span class="quiet">{says}</span>}
      </div>
    </section>
  );
}
