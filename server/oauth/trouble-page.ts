const startAgain = "Go back to the partner's page and start again there.";

const words = {
  invalid_redirect_uri: {
    title: "This link is not complete",
    text: "It would lead back to an address that the partner has not registered. Nothing was connected. Tell the partner.",
  },
  invalid_client: {
    title: "Nobody is known by this link",
    text: "The partner that it names is not registered here, or no longer. Nothing was connected.",
  },
  rate_limited: {
    title: "One moment, please",
    text: "Too many connections are being asked for from here. Try again in some minutes.",
  },
  unavailable: {
    title: "One moment, please",
    text: `The service is busy. Nothing was connected. Wait a minute. ${startAgain}`,
  },
  too_long: {
    title: "This link is too long",
    text: "The partner sends more along than the service takes. Nothing was connected. Tell the partner.",
  },
  not_ours: {
    title: "This answer came from another page",
    text: `Nothing was connected. ${startAgain}`,
  },
  expired: {
    title: "This connection can no longer be answered",
    text: `It was answered already, has waited for too long, or was begun in another browser. ${startAgain}`,
  },
} as const;

const otherWords = { title: "This connection cannot be made", text: `Nothing was connected. ${startAgain}` };

export type Trouble = keyof typeof words;

/** What a person is told of an error of the library, in fixed texts. */
export function wordsOf(error: string): { title: string; text: string } {
  return error in words ? words[error as Trouble] : otherWords;
}
