import { useEffect, useRef, useState } from "preact/hooks";
import { useAddress } from "./address.ts";

/** How long somebody pauses before what they type is looked for. */
const typingMs = 250;

/** What stands in a search box; once somebody pauses, the page's address says it as `name`, from its first page on. */
export function useSearch(name: string): [string, (text: string) => void] {
  const { query, having, go } = useAddress();
  const said = query[name] ?? "";
  const [text, setText] = useState(said);
  // What this box has said itself does not change what somebody types on; what a link or a step back says does.
  const own = useRef(said);
  useEffect(() => {
    if (said === own.current) return;
    own.current = said;
    setText(said);
  }, [said]);
  // Begins anew when the address changes: what was chosen meanwhile would be undone.
  useEffect(() => {
    const meant = text.trim();
    if (meant === said) return;
    const timer = setTimeout(() => {
      own.current = meant;
      go(having({ [name]: meant, page: null }), true);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text, query]);
  return [text, setText];
}
