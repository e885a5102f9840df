/** The address of the page on which something is not saved. */
let unsavedAt: string | null = null;

/** Says that something at this address is not saved; the function that it answers with takes that back. */
export function noteUnsaved(url: string): () => void {
  unsavedAt = url;
  return () => {
    unsavedAt = null;
  };
}

/** Asks whether what is not saved is to be left. */
export function asksToLeave(): boolean {
  return confirm("Leave without saving?");
}

/**
 * Has Back and Forward ask before they leave a page on which something is not saved. They cannot be held up: whoever stays
 * gets the page's address back. Called before the router listens: a window calls its listeners in their order.
 */
export function askAtSteps(): void {
  addEventListener("popstate", (event) => {
    if (unsavedAt === null || new URL(unsavedAt, location.origin).pathname === location.pathname) return;
    if (asksToLeave()) return;
    event.stopImmediatePropagation();
    history.pushState(null, "", unsavedAt);
  });
}
