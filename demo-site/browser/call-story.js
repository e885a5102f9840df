/**
 * @typedef {"tag" | "decision" | "presence" | "application" | "session" | "offers" | "impressions" | "clicks" | "closing" | "other"} StepName
 * @typedef {{ id: number, url: string, method: string, body: string | null }} SentCall
 * @typedef {{ status: number, ms: number, body: string | null }} Answer
 */

/** What each kind of call is for, in the order of a visit. @type {Record<StepName, { title: string, meaning: string }>} */
export const steps = {
  tag: {
    title: "Files",
    meaning: "The tag itself is small. The overlay is fetched only when there is something to show.",
  },
  decision: {
    title: "Decision",
    meaning: "Is this visitor shown the page as it is, or offers? The address decides.",
  },
  presence: {
    title: "Presence",
    meaning: "The tag says that it stands on this page. The owner sees it as integration health.",
  },
  application: {
    title: "Application",
    meaning:
      "To the lender’s own server: the form, and once it has declined, the session. That server tells the service, with its secret: no browser sees that call.",
  },
  session: {
    title: "Decline session",
    meaning:
      "Opened by the page, then asked about until the lender’s server has said its word, or the time is over.",
  },
  offers: {
    title: "Offers",
    meaning: "Ranked for this visitor, after the country, the publisher’s allowlist and the budgets.",
  },
  impressions: {
    title: "Impressions",
    meaning:
      "First which offers were drawn. Half of one was visible for a second: only then does it count as seen.",
  },
  clicks: {
    title: "Clicks",
    meaning:
      "A report of the attempt, and the link itself, which passes through the service and alone touches money.",
  },
  closing: {
    title: "Closed",
    meaning: "The visitor has closed the overlay, and is not shown it again today.",
  },
  other: { title: "Other calls", meaning: "Calls that this panel has no words for." },
};

/** @type {readonly [RegExp, StepName][]} */
const patterns = [
  [/^GET \/embed\.js$/, "tag"],
  [/^GET \/c\//, "tag"],
  [/^GET \/v1\/decision$/, "decision"],
  [/^POST \/v1\/events\/snippet-ping$/, "presence"],
  [/^POST \/preview\/loan\/(?:apply|offers)$/, "application"],
  [/^POST \/v1\/widget-decline\/session$/, "session"],
  [/^GET \/v1\/widget-decline\/session\/[\w-]+$/, "session"],
  [/^GET \/v1\/offers$/, "offers"],
  [/^POST \/v1\/events\/(?:drawn|impression)$/, "impressions"],
  [/^POST \/v1\/events\/click$/, "clicks"],
  [/^GET \/v1\/r$/, "clicks"],
  [/^POST \/v1\/events\/dismiss$/, "closing"],
];

/**
 * Which step of a visit a call belongs to. `path` has no query.
 * @param {string} method
 * @param {string} path
 * @returns {StepName}
 */
export function stepOf(method, path) {
  return patterns.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1] ?? "other";
}

/**
 * One line on how a call ended.
 * @param {StepName} step
 * @param {Answer} answer
 * @param {string} [page] The page that is shown: on some a decision opens nothing by itself.
 */
export function outcomeOf(step, { status, body }, page = "article") {
  const parsed = parse(body);
  if (step === "application") return applicationLine(status, parsed);
  if (status === 429) return "Too many calls in this minute. The tag waits and stays silent.";
  if (status >= 400)
    return `Refused: ${text(parsed?.detail) || text(parsed?.title) || "the service gave no reason."}`;
  if (status === 204) return "Stored on disk before this answer was sent.";
  if (step === "session") return sessionLine(parsed);
  if (step === "decision" && page === "magazine") return "The section is shown wherever the visitor is.";
  if (step === "decision")
    return parsed?.allowed === true ? "Allowed: the page stays as it is." : "Blocked: offers are shown.";
  if (step === "offers") return offersLine(parsed);
  return "Answered.";
}

/** Body and answer as a person reads them: JSON indented, anything else as it is. @param {string | null} body */
export function readable(body) {
  if (body === null || body === "") return "";
  const parsed = parse(body);
  return parsed === null ? body : JSON.stringify(parsed, null, 2);
}

/** The query of an address as readable text, one parameter a line. @param {string} address */
export function readableQuery(address) {
  return [...new URL(address).searchParams].map(([name, value]) => `${name} = ${value}`).join("\n");
}

/** The offer that an event speaks of, or "". @param {string | null} body */
export function offerIn(body) {
  return text(parse(body)?.offerId);
}

/** The brand of each offer in an answer of /v1/offers. @param {string | null} body @returns {[offer: string, brand: string][]} */
export function brandsIn(body) {
  return offersIn(parse(body)).map((offer) => [text(offer?.id), text(offer?.brand)]);
}

/** @param {number} status @param {Record<string, unknown> | null} answer */
function applicationLine(status, answer) {
  if (status >= 400) return text(answer?.error) || "Not an application yet: the page says what is missing.";
  if (answer?.outcome === "approved") return "Approved: nothing is opened.";
  switch (answer?.offers) {
    case undefined:
      return `Declined (${text(answer?.reason)}). The page opens a session now.`;
    case "ready":
      return "The lender’s server has told the service of its refusal.";
    case "session_over":
      return "The service knows no such session any more.";
    default:
      return "The lender’s server could not tell the service.";
  }
}

/** @param {Record<string, unknown> | null} answer */
function sessionLine(answer) {
  switch (answer?.status) {
    case "pending":
      return "Pending: the lender’s server has not said its word.";
    case "ready":
      return "Ready: this visitor may be shown offers.";
    case "expired":
      return "Expired: nobody asks again.";
    default:
      return "Answered.";
  }
}

const whyEmpty = /** @type {Record<string, string>} */ ({
  visitor_allowed: "the visitor is allowed",
  allowlist_empty: "the publisher’s allowlist permits none",
  no_offer_for_location: "no offer covers this place",
  budgets_exhausted: "the budgets are used up",
  suppressed: "they are suppressed for this visitor",
  no_offer_for_visit: "none is for this hour, device or language",
});

/** @param {Record<string, unknown> | null} answer */
function offersLine(answer) {
  const offers = offersIn(answer);
  if (offers.length === 0) {
    const reason = text(answer?.emptyReason);
    return `No offers: ${whyEmpty[reason] ?? (reason || "no reason given")}.`;
  }
  const premium = offers.filter((offer) => offer?.placement === "premium").length;
  const brands = offers.map((offer) => text(offer?.brand)).filter(Boolean);
  return `${premium} premium, ${offers.length - premium} standard: ${brands.join(", ")}.`;
}

/** Premium first. @param {Record<string, any> | null} answer @returns {any[]} */
function offersIn(answer) {
  return [answer?.premium, answer?.standard].flatMap((group) => (Array.isArray(group) ? group : []));
}

/** @param {string | null} body @returns {Record<string, any> | null} */
function parse(body) {
  try {
    const value = JSON.parse(body ?? "");
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** @param {unknown} value */
function text(value) {
  return typeof value === "string" ? value : "";
}
