/** The service's mark within its square of 24, for the pages before a sign-in and those after it. */
export const markPath =
  "M8.5 7.5h7a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2ZM12 12.5h2.5";
