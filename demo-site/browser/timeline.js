import { brandsIn, offerIn, outcomeOf, readable, readableQuery, stepOf, steps } from "./call-story.js";

/**
 * @typedef {import("./call-story.js").SentCall} SentCall
 * @typedef {import("./call-story.js").Answer} Answer
 * @typedef {import("./call-story.js").StepName} StepName
 */

const order = Object.keys(steps);

/**
 * The list of calls: one group a step, in the order of a visit, and in it one row a call, in the order of their start.
 * @param {HTMLElement} list
 * @param {string} page The page that is shown.
 */
export function createTimeline(list, page) {
  /** @type {Map<number, { row: Row, call: SentCall, step: StepName }>} */
  const open = new Map();
  /** @type {Map<StepName, HTMLElement>} */
  const groups = new Map();
  /** Brands by offer, as far as this visit has been told. @type {Map<string, string>} */
  const brands = new Map();

  /** @param {StepName} step */
  const rowsOf = (step) => {
    const known = groups.get(step);
    if (known) return known;
    const rows = element("div", "rows");
    const { title, meaning } = steps[step];
    const item = element("li", "step", element("h3", "", title), element("p", "meaning", meaning), rows);
    item.dataset.step = step;
    const later = order.slice(order.indexOf(step) + 1);
    const next = [...list.children].find((other) =>
      later.includes(/** @type {HTMLElement} */ (other).dataset.step ?? ""),
    );
    list.insertBefore(item, next ?? null);
    groups.set(step, rows);
    return rows;
  };

  return {
    clear() {
      open.clear();
      groups.clear();
      brands.clear();
      list.replaceChildren();
    },
    /** @param {SentCall} call */
    sent(call) {
      const { pathname } = new URL(call.url);
      const step = stepOf(call.method, pathname);
      const row = createRow(call.method, shortPath(pathname), "…", brands.get(offerIn(call.body)));
      row.add("Query", readableQuery(call.url));
      row.add("Sent", readable(call.body));
      rowsOf(step).append(row.node);
      open.set(call.id, { row, call, step });
    },
    /** @param {number} id @param {Answer} answer */
    answered(id, answer) {
      const entry = open.get(id);
      if (!entry) return;
      entry.row.end(
        String(answer.status),
        answer.status < 400 ? "good" : "bad",
        outcomeOf(entry.step, answer, page),
        answer.ms,
      );
      if (entry.step === "offers")
        for (const [offer, brand] of brandsIn(answer.body)) brands.set(offer, brand);
      entry.row.add("Answer", readable(answer.body) || "(no body)");
    },
    /** @param {number} id @param {number} ms @param {string} error */
    failed(id, ms, error) {
      open.get(id)?.row.end("failed", "bad", `No answer: ${error}`, ms);
    },
    /** @param {{ url: string, bytes: number, ms: number, status: number }} file */
    file({ url, bytes, ms, status }) {
      const { pathname } = new URL(url);
      const row = createRow("GET", pathname, "file");
      // 0: this browser does not tell.
      if (status >= 400) row.end(String(status), "bad", "Not found on the service.", ms);
      else row.end(bytes > 0 ? size(bytes) : "file", "good", fileNote(pathname), ms);
      rowsOf("tag").append(row.node);
    },
    /** @param {string} url */
    hop(url) {
      const row = createRow("GET", new URL(url).pathname, "302");
      row.end(
        "new tab",
        "good",
        "The link was followed. The service attributes the click and sends the browser on. On a live website this is what bills; here nothing is.",
        null,
      );
      row.add("Query", readableQuery(url));
      rowsOf("clicks").append(row.node);
    },
    /** @param {string} brand @param {string} clickId */
    arrived(brand, clickId) {
      const row = createRow("→", brand || "advertiser", "arrived");
      row.end(
        "arrived",
        "good",
        `The visitor stands on the advertiser’s page, with click id ${clickId}.`,
        null,
      );
      rowsOf("clicks").append(row.node);
    },
  };
}

/** @typedef {ReturnType<typeof createRow>} Row */

/**
 * @param {string} method
 * @param {string} path
 * @param {string} status
 * @param {string} [subject] What an event is about.
 */
function createRow(method, path, status, subject = "") {
  const badge = element("span", "status", status);
  const time = element("span", "time", "");
  const note = element("p", "outcome", "");
  const head = element("span", "call", element("b", "", method), element("code", "", path), badge, time);
  const details = document.createElement("details");
  details.append(element("summary", "", head, subject && element("p", "subject", subject), note));
  // The row can be unfolded only once it has details.
  details.className = "row bare";
  return {
    node: details,
    /** @param {string} text @param {"good" | "bad"} tone @param {string} outcome @param {number | null} ms */
    end(text, tone, outcome, ms) {
      badge.textContent = text;
      badge.classList.add(tone);
      note.textContent = outcome;
      time.textContent = ms === null ? "" : `${ms} ms`;
    },
    /** @param {string} title @param {string} text */
    add(title, text) {
      if (text === "") return;
      details.classList.remove("bare");
      const block = element("pre", "", text);
      // A scrolling box must be reachable by keyboard.
      block.tabIndex = 0;
      details.append(element("p", "part", title), block);
    },
  };
}

/** A session's id stands in the panel already. @param {string} path */
function shortPath(path) {
  return path.replace(/(\/dcl_.{4}).+$/, "$1…");
}

/** @param {string} path */
function fileNote(path) {
  if (path === "/embed.js") return "The tag: all that an allowed visitor ever loads.";
  if (path.startsWith("/c/")) return "A part of the tag’s that is fetched where it is needed.";
  return "Something else of the service.";
}

/** @param {number} bytes */
function size(bytes) {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}

/**
 * @param {string} name
 * @param {string} className
 * @param {...(string | Node)} content
 */
function element(name, className, ...content) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...content);
  return node;
}
