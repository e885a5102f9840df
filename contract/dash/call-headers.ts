/** What a page of the dashboard says of itself beside a call; in lower case, as Node has the names of headers. */
export const callHeaders = {
  /** Nobody has done anything in the page for some minutes: the call is its own, and no use of the session. */
  unattended: "offers-unattended",
  /** The number of the account that the page was drawn for: another one that is signed in by now is not to go on with it. */
  account: "offers-account",
} as const;
