/** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
function find(id, kind) {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`#${id} is missing`);
  return node;
}

/**
 * @typedef {{ errors: { field: string, message: string }[] }} Refused
 * @typedef {{ outcome: "approved", monthlyPayment: string, total: string }} Approved
 * @typedef {{ outcome: "declined", explanation: string, reason: string, reference: string }} Declined
 * @typedef {{ surface?: string, status?: string, sessionId?: string, offers?: number, reason?: string }} Detail
 */

const form = find("form", HTMLFormElement);
const button = find("apply", HTMLButtonElement);
const answer = find("answer", HTMLElement);
const summary = find("summary", HTMLElement);
const change = find("change", HTMLElement);

/** How long the service may take to open a session, in milliseconds; after that the page goes on without one. */
const patience = 6000;

/** What is said to the service before the tag's script has come, which takes it from here. @type {unknown[][]} */
const q = [];
/** @type {{ offerService?: (...words: unknown[]) => unknown }} */
const page = Object(window);
page.offerService ??= Object.assign((/** @type {unknown[]} */ ...words) => q.push(words), { q });
const { offerService } = page;

/** The lender's reference to the refusal for whose applicant offers are looked for; "" while there is none. */
let present = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let givingUp;

/** Asks the lender's own server, whose addresses lie side by side. @param {"apply" | "offers"} what @param {object} body */
async function ask(what, body) {
  const response = await fetch(new URL(what, form.action), {
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
  setBusy(true);
  showErrors([]);
  try {
    /** @type {Refused | Approved | Declined} */
    const reply = await ask("apply", application());
    if ("errors" in reply) return showErrors(reply.errors);
    if (reply.outcome === "approved") return showApproved(reply);
    showDeclined(reply);
    findOthers(reply.reference);
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
 * Has a session opened, of which `onSession` hears. Whatever of it fails, the lender's answer stands, and the page says that
 * this is all. The service hears the same listener once, however often it is said, and one that was lost is said again.
 * @param {string} reference
 */
function findOthers(reference) {
  present = reference;
  givingUp = setTimeout(giveUp, patience);
  offerService("on", "session", onSession);
  offerService("on", "shown", onShown);
  offerService("on", "closed", onClosed);
  offerService("on", "error", onError);
  offerService("decline");
}

/**
 * Hands the session's id to the lender's server, which alone can say to the service that this applicant was declined. It
 * knows its refusal by the reference: the application is not sent, and not decided, a second time.
 * @param {Detail} session
 */
async function onSession({ status, sessionId }) {
  if (status === "expired" || status === "gone") tellOffers("expired");
  if (status !== "pending" || present === "") return;
  clearTimeout(givingUp);
  const reference = present;
  const reply = await ask("offers", { reference, sessionId }).catch(() => null);
  if (reply?.offers !== "ready" && present === reference) giveUp();
}

/** @param {Detail} detail */
function onShown({ surface, offers = 0 }) {
  if (surface === "decline") tellOffers(offers > 0 ? "shown" : "nothing", offers);
}

/** Who has closed the offers looks for none: no answer that comes later says anything else. @param {Detail} detail */
function onClosed({ surface, reason }) {
  if (surface !== "decline" || reason !== "visitor") return;
  present = "";
  clearTimeout(givingUp);
  tellOffers("closed");
}

/** @param {Detail} detail */
function onError({ surface }) {
  if (surface === "decline" && present !== "") tellOffers("nothing");
}

function giveUp() {
  lookNoMore();
  tellOffers("nothing");
}

/** Also a session that is still to be opened, or a script that is still to come, opens nothing any more. */
function lookNoMore() {
  present = "";
  clearTimeout(givingUp);
  offerService("close");
}

find("again", HTMLButtonElement).addEventListener("click", () => {
  lookNoMore();
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
