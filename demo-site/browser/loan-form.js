/** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
function find(id, kind) {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`#${id} is missing`);
  return node;
}

/**
 * @typedef {{ errors: { field: string, message: string }[] }} Refused
 * @typedef {{ outcome: "approved", monthlyPayment: string, total: string }} Approved
 * @typedef {{ outcome: "declined", explanation: string, reason: string, offers?: string }} Declined
 */

const form = find("form", HTMLFormElement);
const button = find("apply", HTMLButtonElement);
const answer = find("answer", HTMLElement);
const summary = find("summary", HTMLElement);
const change = find("change", HTMLElement);

/** How long the service may take to open a session, in milliseconds; after that the page goes on without one. */
const patience = 6000;

/** The number of the present application: answers to an earlier one are not shown any more. */
let current = 0;

/** Asks the lender's own server. @param {object} body @returns {Promise<Refused | Approved | Declined>} */
async function ask(body) {
  const response = await fetch(form.action, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.json();
}

function application() {
  const fields = new FormData(form);
  return { ...Object.fromEntries(fields), onRegister: fields.has("onRegister") };
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (button.getAttribute("aria-disabled") === "true") return;
  current += 1;
  const mine = current;
  setBusy(true);
  showErrors([]);
  const asked = application();
  try {
    const reply = await ask(asked);
    if ("errors" in reply) return showErrors(reply.errors);
    if (reply.outcome === "approved") return showApproved(reply);
    showDeclined(reply);
    await findOthers(asked, mine);
  } catch {
    showErrors([{ field: "", message: "We could not be reached. Nothing was sent; please try again." }]);
  } finally {
    setBusy(false);
  }
});

/** @param {boolean} isBusy */
function setBusy(isBusy) {
  // Not `disabled`: that would take the focus away from the button.
  button.setAttribute("aria-disabled", String(isBusy));
  button.textContent = isBusy ? "One moment …" : "Ask for the loan";
}

/** The first wrong field gets the focus; each says itself what is wrong. @param {Refused["errors"]} errors */
function showErrors(errors) {
  for (const control of form.querySelectorAll("input, select")) {
    const found = errors.find(({ field }) => field === control.id);
    const error = document.getElementById(`${control.id}-error`);
    if (error) error.textContent = found?.message ?? "";
    if (found) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }
  const [first] = errors;
  const control = first && document.getElementById(first.field);
  summary.hidden = !first || control instanceof HTMLElement;
  summary.textContent = summary.hidden ? "" : (first?.message ?? "");
  if (!first) return;
  if (control instanceof HTMLElement) control.focus();
  else summary.focus();
}

/** @param {"approved" | "declined"} outcome @param {string} title @param {string} text */
function showAnswer(outcome, title, text) {
  form.hidden = true;
  answer.hidden = false;
  change.hidden = false;
  answer.dataset.outcome = outcome;
  find("answer-mark", HTMLElement).textContent = outcome === "approved" ? "✓" : "–";
  find("answer-text", HTMLElement).textContent = text;
  const heading = find("answer-title", HTMLElement);
  heading.textContent = title;
  heading.focus();
}

/** @param {Approved} reply */
function showApproved({ monthlyPayment, total }) {
  tellOffers(null);
  showAnswer(
    "approved",
    "Yes, we can lend you that.",
    `You would pay back ${monthlyPayment} a month, ${total} in all. If this were a real lender, the contract would come next.`,
  );
}

/** @param {Declined} reply */
function showDeclined({ explanation }) {
  tellOffers("asking");
  showAnswer("declined", "Sorry, we can’t lend you that.", explanation);
}

/** @param {Parameters<typeof offersWords>[0] | null} what @param {number} [count] */
function tellOffers(what, count = 0) {
  find("offers-text", HTMLElement).textContent = what === null ? "" : offersWords(what, count);
}

/**
 * Opens a session with the service and hands its id to the lender's server, which alone can say to the service
 * that this applicant was declined. When any of it fails, the lender's answer stands, and the page says that this is all.
 * @param {object} asked
 * @param {number} mine
 */
async function findOthers(asked, mine) {
  const opened = await openSession(mine);
  if (mine !== current) return;
  if (!opened) return tellOffers("nothing");
  const reply = await ask({ ...asked, sessionId: opened.sessionId }).catch(() => null);
  const isTold = reply !== null && "offers" in reply && reply.offers === "ready";
  if (isTold || mine !== current) return;
  command("close");
  tellOffers("nothing");
}

/** @param {...unknown} words @returns {unknown} Undefined while the tag is not there. */
function command(...words) {
  /** @type {unknown} */
  const service = Reflect.get(window, "offerService");
  return typeof service === "function" ? service(...words) : undefined;
}

/** @param {number} mine @returns {Promise<{ sessionId: string } | null>} */
async function openSession(mine) {
  listen();
  /** @type {Promise<null>} */
  const late = new Promise((resolve) => setTimeout(() => resolve(null), patience));
  const opened = await Promise.race([command("decline"), late]);
  if (opened === null && mine === current) command("close");
  return /** @type {{ sessionId: string } | null | undefined} */ (opened) ?? null;
}

let isListening = false;

/** Tells in the page's own words what happens to the offers. */
function listen() {
  if (isListening) return;
  isListening = true;
  /** @param {string} name @param {(detail: { surface?: string, status?: string, offers?: number, reason?: string }) => void} hear */
  const on = (name, hear) => void command("on", name, hear);
  on("session", ({ status }) => status === "expired" && tellOffers("expired"));
  on("shown", ({ surface, offers = 0 }) => {
    if (surface === "decline") tellOffers(offers > 0 ? "shown" : "nothing", offers);
  });
  on("closed", ({ surface, reason }) => {
    if (surface === "decline" && reason === "visitor") tellOffers("closed");
  });
  on("error", ({ surface }) => surface === "decline" && tellOffers("nothing"));
}

find("again", HTMLButtonElement).addEventListener("click", () => {
  current += 1;
  command("close");
  tellOffers(null);
  answer.hidden = true;
  change.hidden = true;
  form.hidden = false;
  find("amount", HTMLInputElement).focus();
});

/**
 * The sentence about offers of other companies that stands below the lender's own answer.
 * @param {"asking" | "shown" | "closed" | "expired" | "nothing"} what
 * @param {number} count Offers that are shown.
 */
function offersWords(what, count) {
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
