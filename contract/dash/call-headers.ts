/** What a page of the dashboard says of itself beside a call; in lower case, as Node has the names of headers. */
export const callHeaders = {
  /** Nobody has done anything in the page for some minutes: the call is its own, and no use of the session. */
  unattended: "offers-unattended",
} as const;
