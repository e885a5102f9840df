/**
 * @typedef {"none" | "opening" | "refused" | "pending" | "ready" | "offers" | "expired"} SessionState
 * @typedef {{ state: SessionState, id: string, expiresAtMs: number, polls: number, offers: number }} SessionStory
 * @typedef {{ method: string, path: string, status: number, body: string | null }} SessionCall
 */

/** @type {SessionStory} */
export const noSession = { state: "none", id: "", expiresAtMs: 0, polls: 0, offers: 0 };

const sessions = "/v1/widget-decline/session";

/** Whether a call begins another session. @param {string} method @param {string} path */
export function opensSession(method, path) {
  return method === "POST" && path === sessions;
}

/**
 * How a session stands after one more answer of the service's.
 * @param {SessionStory} story
 * @param {SessionCall} call
 * @returns {SessionStory}
 */
export function afterAnswer(story, { method, path, status, body }) {
  const answer = parse(body);
  if (opensSession(method, path)) {
    if (status !== 201) return { ...noSession, state: "refused" };
    const { sessionId = "", expiresAt = "" } = answer;
    return { ...noSession, state: "pending", id: String(sessionId), expiresAtMs: Date.parse(expiresAt) };
  }
  if (path === `${sessions}/${story.id}`) {
    const polls = story.polls + 1;
    const moved = ["ready", "expired"].find((state) => state === answer.status);
    return { ...story, polls, state: /** @type {SessionState} */ (moved ?? story.state) };
  }
  if (path === "/v1/offers" && story.state === "ready" && status === 200) {
    const offers = [answer.premium, answer.standard].flat().filter(Boolean).length;
    return { ...story, state: "offers", offers };
  }
  return story;
}

/**
 * The same session once its time is over. Nobody tells the page: it goes by the clock.
 * @param {SessionStory} story
 * @param {number} nowMs
 * @returns {SessionStory}
 */
export function atTime(story, nowMs) {
  return story.state === "pending" && nowMs >= story.expiresAtMs ? { ...story, state: "expired" } : story;
}

/** What has happened of it, for each state in order: the last of them is where it stands. @param {SessionStory} story @returns {string[]} */
export function reached({ state }) {
  const order = ["opened", "pending", "ready", "offers"];
  if (state === "expired") return ["opened", "pending"];
  return order.slice(0, order.indexOf(state) + 1);
}

/**
 * @param {SessionStory} story
 * @returns {{ verdict: string, heading: string, text: string }}
 */
export function sessionWords({ state, polls, offers }) {
  const asked = ["It has not asked yet.", "Asked once so far."][polls] ?? `Asked ${polls} times so far.`;
  switch (state) {
    case "none":
      return {
        verdict: "waiting",
        heading: "No session yet",
        text: "It begins when the lender’s own server has declined an application.",
      };
    case "opening":
      return { verdict: "waiting", heading: "Opening …", text: "The page asks the service for a session." };
    case "refused":
      return {
        verdict: "refused",
        heading: "Not opened",
        text: "The service refused. The page says in its own words that there is nothing else.",
      };
    case "pending":
      return {
        verdict: "waiting",
        heading: "Pending",
        text: `The page waits for the lender’s server to say its word. ${asked}`,
      };
    case "ready":
      return {
        verdict: "allowed",
        heading: "Ready",
        text: "The lender’s server has said its word, and the page has heard it. Now it fetches offers.",
      };
    case "offers":
      return {
        verdict: "blocked",
        heading: offers === 0 ? "Ready, without offers" : `${offers} offers are shown`,
        text: "They are counted under the surface “decline”, apart from the overlay’s.",
      };
    case "expired":
      return {
        verdict: "refused",
        heading: "Expired",
        text: "Fifteen minutes went by without the lender’s word. The page asks no more.",
      };
    default:
      return state;
  }
}

/** What is left of a session, as `14:59`. @param {number} leftMs */
export function timeLeft(leftMs) {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {string | null} body @returns {Record<string, any>} */
function parse(body) {
  try {
    return Object(JSON.parse(body ?? ""));
  } catch {
    return {};
  }
}
