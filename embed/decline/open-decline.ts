// This import tells the build that the overlay's file is there first, and holds the code that the two share.
import "../overlay/open-overlay.ts";
import { askOffers } from "../overlay/ask-offers.ts";
import { isViewClear, untilViewClear } from "../overlay/clear-view.ts";
import { reporter } from "../overlay/report.ts";
import { type Speech, speech } from "../overlay/speech.ts";
import { offersUrl } from "../wire/service-urls.ts";
import type { Visit } from "../wire/visit.ts";
import { openSession } from "./ask-session.ts";
import { declineDialog } from "./decline-dialog.ts";
import { followSession } from "./follow-session.ts";
import type { Session } from "./read-session.ts";
import { declineView } from "./views.ts";

type DeclineVisit = Pick<Visit, "tag" | "send" | "tell" | "closing">;

/** What the publisher's server needs when it reports that the application was declined. */
export type OpenedSession = { sessionId: string; expiresAt: string };

/**
 * Opens a session and waits, in sight of the visitor, until the publisher's server has said that the application
 * was declined. Resolves as soon as the session has its id; the rest goes on beside it; with null when it was closed
 * before. Rejects when none could be opened, or when it was closed meanwhile, and the page stays as it was.
 */
export async function decline(visit: DeclineVisit): Promise<OpenedSession | null> {
  const { tag, tell } = visit;
  const session = await openSession(tag, visit.closing.signal);
  const spoken = await speech(tag, session.language);
  if (visit.closing.signal.aborted) return null;
  const { sessionId, expiresAt } = session;
  tell("session", { website: tag.website, sessionId, expiresAt, status: session.status });
  wait(visit, session, spoken).catch((problem) => {
    tell("error", { website: tag.website, surface: "decline", problem });
  });
  return { sessionId, expiresAt };
}

async function wait(visit: DeclineVisit, session: Session, spoken: Speech): Promise<void> {
  const { tag, tell } = visit;
  const { website, options } = tag;
  const { signal } = visit.closing;
  const surface = "decline";
  const left = new AbortController();
  // A listener of the page may have closed it when it was told of the session.
  if (signal.aborted) return;
  signal.addEventListener("abort", () => left.abort());
  let report: ReturnType<typeof reporter> | null = null;
  const dialog = declineDialog({
    spoken,
    theme: String(options.theme || "auto"),
    look: "",
    closing: signal,
    onOfferClick: (offer) => report?.clicked(offer),
    onClosed(reason) {
      left.abort();
      report?.ended();
      tell("closed", { website, surface, reason });
    },
  });

  const waiting = declineView(spoken.words, { state: "waiting" });
  const showWaiting = () => void dialog.show(waiting);
  /** Draws where the application stands, in a dialog that may open later than that has come about. */
  let showState = showWaiting;
  /** Whether there is a dialog to draw into, or may be one: our own is in the way of none of its views. */
  const untilMayShow = () => untilViewClear(left.signal, () => dialog.isShown() || isViewClear());
  if (!options.quiet) {
    untilMayShow()
      .then((isClear) => {
        if (isClear && !dialog.isShown()) showState();
      })
      .catch(() => left.abort());
  }

  const ended = await followSession(tag, session, left.signal, {
    onSilence(retry) {
      const onRetry = () => {
        showState = showWaiting;
        showState();
        retry();
      };
      showState = () => void dialog.show(declineView(spoken.words, { state: "silent" }), onRetry);
      tell("error", { website, surface });
      // No visitor is told who was not told to wait.
      if (dialog.isShown()) showState();
    },
    onHeard() {
      showState = showWaiting;
      if (dialog.isShown()) showState();
    },
  });
  if (ended.status === "left") return;
  showState = showWaiting;
  const { sessionId, expiresAt } = session;
  tell("session", { website, sessionId, expiresAt, status: ended.status });
  if (ended.status !== "ready") {
    left.abort();
    return dialog.end("expired");
  }
  // The view has to be clear first: offers that were handed out and never seen would be counted as served.
  if (!(await untilMayShow())) return;
  let problem: unknown;
  const offers = await askOffers(offersUrl(tag, ended.granted), tag.base, left.signal).catch((failure) => {
    problem = failure;
    return null;
  });
  const view = declineView(spoken.words, offers ? { state: "ready", offers } : { state: "failed" });
  if (!(await untilMayShow())) return;
  report = reporter(visit, ended.granted, surface);
  // Who was told nothing is not told that there is nothing either.
  const elements = options.quiet && view.offers.length === 0 ? [] : dialog.show(view);
  if (view.isFailed) tell("error", { website, surface, problem });
  else report.shown(elements, view.offers);
}
