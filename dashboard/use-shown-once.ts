import { useEffect, useState } from "preact/hooks";

/** For what can be read at one moment alone, such as a key: a browser may keep a page that is left as it was, and not with that on it. */
export function useShownOnce<Shown>(): [Shown | null, (shown: Shown | null) => void] {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    const forget = () => setShown(null);
    addEventListener("pagehide", forget);
    return () => removeEventListener("pagehide", forget);
  }, []);
  return [shown, setShown];
}
