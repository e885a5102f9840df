/**
 * What the lender's page says about offers of other companies, beside its own answer.
 * @param {"asking" | "shown" | "closed" | "expired" | "nothing"} what
 * @param {number} count Offers that are shown.
 */
export function offersWords(what, count) {
  switch (what) {
    case "asking":
      return "We are asking whether another company has something for you.";
    case "shown":
      return count === 1
        ? "One other company has an offer for you. It is an advertisement, and its sender has not seen your application."
        : `${count} other companies have an offer for you. They are advertisements, and none of them has seen your application.`;
    case "closed":
      return "You have closed the offers of other companies. None of them has seen your application.";
    case "expired":
      return "Nobody answered in time, so we have nothing else to show you. Our answer stands.";
    case "nothing":
      return "We have nothing else to show you at the moment. Our answer stands, and you can change your application whenever you like.";
  }
}
