import type { PanelProps } from "../overlay/panel.tsx";
import type { Offers } from "../overlay/read-offers.ts";
import type { Words } from "../words/words.ts";

/** Where a declined application stands, as its applicant sees it. */
type DeclineState = { state: "waiting" | "silent" | "failed" } | { state: "ready"; offers: Offers };

export type DeclineView = Pick<PanelProps, "title" | "message" | "offers"> & {
  status: NonNullable<PanelProps["status"]>;
  isFailed: boolean;
};

/** What the panel says in each state. Screen readers announce the status by themselves. */
export function declineView(words: Words, now: DeclineState): DeclineView {
  switch (now.state) {
    case "waiting":
      return view(words.titleWaiting, words.waiting, { isBusy: true });
    case "silent":
      return view(words.titleFailed, words.silent);
    case "failed":
      return view(words.titleFailed, words.failed, { isFailed: true });
    case "ready":
      if (now.offers.length === 0) return view(words.titleNothing, words.nothing);
      return view(words.titleDeclined, words.ready, { message: words.messageDeclined, offers: now.offers });
    default:
      return now satisfies never;
  }
}

type Rest = { message?: string; offers?: Offers; isBusy?: boolean; isFailed?: boolean };

function view(title: string, text: string, { message, offers, isBusy, isFailed }: Rest = {}): DeclineView {
  return {
    title,
    message: message ?? "",
    offers: offers ?? [],
    status: { text, isBusy: isBusy ?? false },
    isFailed: isFailed ?? false,
  };
}
