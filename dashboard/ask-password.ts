/** Asks for the password in front of the page; resolves with whether it was given. */
type Asking = () => Promise<boolean>;

let asking: Asking | null = null;
let underWay: Promise<boolean> | null = null;

/** Says who draws the question; the function that it answers with takes that back. */
export function askPasswordBy(ask: Asking): () => void {
  asking = ask;
  return () => {
    if (asking === ask) asking = null;
  };
}

/**
 * Asks for the password, and resolves with whether it was given and right. Of several calls that need it at once one
 * question is asked.
 */
export function isPasswordGiven(): Promise<boolean> {
  underWay ??= (asking?.() ?? Promise.resolve(false)).finally(() => {
    underWay = null;
  });
  return underWay;
}
