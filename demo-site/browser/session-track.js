import {
  afterAnswer,
  atTime,
  noSession,
  opensSession,
  reached,
  sessionWords,
  timeLeft,
} from "./session-story.js";

/**
 * Shows how the decline session of the page stands, by the calls that the page makes. Without an element to show it
 * in, it does nothing.
 * @param {HTMLElement | null} root
 */
export function createSessionTrack(root) {
  let story = noSession;
  /** @type {Map<number, { method: string, path: string }>} */
  const open = new Map();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  /** @param {string} id @param {string} words */
  const write = (id, words) => {
    const node = document.getElementById(id);
    // Screen readers announce a live region whenever it is written to, so it is written only when it changes.
    if (node && node.textContent !== words) node.textContent = words;
  };

  const draw = () => {
    if (!root) return;
    story = atTime(story, Date.now());
    const { verdict, heading, text } = sessionWords(story);
    root.dataset.verdict = verdict;
    write("session-state", heading);
    write("session-text", text);
    const past = reached(story);
    for (const item of root.querySelectorAll("li")) {
      const state = item.dataset.state ?? "";
      const isLast = past.at(-1) === state;
      item.className = isLast && story.state === "expired" ? "over" : past.includes(state) ? "reached" : "";
      if (isLast) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    }
    drawFacts();
    const isWaiting = story.state === "pending";
    if (isWaiting) ticking ??= setInterval(draw, 1000);
    else {
      clearInterval(ticking);
      ticking = undefined;
    }
  };

  const drawFacts = () => {
    const { id, polls, expiresAtMs, state } = story;
    const facts =
      id === ""
        ? []
        : [
            ["Polls", String(polls)],
            ["Time left", state === "pending" ? timeLeft(expiresAtMs - Date.now()) : "–"],
            ["Session id", id],
          ];
    document.getElementById("session-facts")?.replaceChildren(
      ...facts.map(([name = "", value = ""]) => {
        const pair = document.createElement("div");
        const [term, fact] = [document.createElement("dt"), document.createElement("dd")];
        term.textContent = name;
        fact.textContent = value;
        pair.append(term, fact);
        return pair;
      }),
    );
  };

  return {
    clear() {
      story = noSession;
      open.clear();
      draw();
    },
    /** @param {{ id: number, url: string, method: string }} call */
    sent({ id, url, method }) {
      const path = new URL(url).pathname;
      open.set(id, { method, path });
      if (!opensSession(method, path)) return;
      story = { ...noSession, state: "opening" };
      draw();
    },
    /** @param {{ id: number, status: number, body: string | null }} answer */
    answered({ id, status, body }) {
      const call = open.get(id);
      if (!call) return;
      story = afterAnswer(story, { ...call, status, body });
      draw();
    },
    /** There is no service to open one. @param {string} why */
    failed(why) {
      if (!root) return;
      root.dataset.verdict = "refused";
      write("session-state", "No service");
      write("session-text", why);
    },
  };
}
