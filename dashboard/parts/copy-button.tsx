import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** Copies a text, and says so. */
export function CopyButton({
  text,
  says = "Copy",
  isMain = false,
}: {
  text: string;
  says?: string;
  isMain?: boolean;
}) {
  const [outcome, setOutcome] = useState<"copied" | "refused" | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), 3000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      // Over plain http a browser has none.
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("refused");
    }
  };
  return (
    <>
      <button type="button" class={isMain ? "button main" : "button"} onClick={() => void copy()}>
        <Icon name={outcome === "copied" ? "check" : "copy"} />
        {/* Both words take room, so that the button keeps its width. */}
        <span class="either">
          <span class={outcome === "copied" ? "out" : undefined}>{says}</span>
          <span class={outcome === "copied" ? undefined : "out"}>Copied</span>
        </span>
      </button>
      <span role="status" class={outcome === "refused" ? "quiet" : "heard"}>
        {outcome === "copied" && "Copied"}
        {outcome === "refused" && "The browser did not let this be copied: select the text."}
      </span>
    </>
  );
}
