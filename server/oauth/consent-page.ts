import { createHash } from "node:crypto";
import type { Scope } from "@offers/contract/words";
import type { Membership, SignedIn } from "../core/signed-in.ts";
import type { Answer } from "../http/call.ts";

/** What a scope means to somebody who has never heard the word. */
const scopeWords: Readonly<Record<Scope, string>> = {
  "decision:read": "Ask whether a visitor of your websites sees the page or offers",
  "offers:read": "See the offers that your websites may show",
  "events:write": "Report offers that were shown and clicked on your websites",
  "reports:read": "Read your reports, and why a visitor was shown what",
};

export type Consent = {
  uid: string;
  partner: string;
  scopes: readonly Scope[];
  who: SignedIn;
  /** The publishers that the person may connect; none: nothing can be allowed. */
  publishers: readonly Membership[];
  /** Where the partner is told. */
  redirectUri: string;
  /** What was wrong with the answer before. */
  complaint?: string;
};

/** The page on which a person allows or denies a partner, without script. */
export function consentPage(consent: Consent): Answer {
  const { partner, who, publishers, complaint } = consent;
  const may = publishers.length > 0;
  const body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">` +
    `<title>Connect ${escaped(partner)}</title><style>${style}</style></head><body><main>` +
    `<h1>Connect ${escaped(partner)}?</h1>` +
    (complaint === undefined ? "" : `<p class="complaint" role="alert">${escaped(complaint)}</p>`) +
    `<form method="post">` +
    `<input type="hidden" name="user" value="${who.userId}">` +
    (may ? asked(consent) : noPublisher) +
    `<div class="answers">` +
    (may ? `<button class="allow" name="answer" value="allow">Allow</button>` : "") +
    `<button name="answer" value="deny" formnovalidate>${may ? "Deny" : "Go back"}</button></div></form>` +
    `<p class="note">You are signed in as ${escaped(who.email)}. You go back to ` +
    `<b>${escaped(new URL(consent.redirectUri).host)}</b>.</p></main></body></html>`;
  return {
    status: complaint === undefined ? 200 : 400,
    headers: [
      "Content-Security-Policy",
      policyFor(consent.redirectUri),
      "Content-Type",
      "text/html; charset=utf-8",
      "Cross-Origin-Opener-Policy",
      "same-origin",
      // Without any, browsers would send the form's Origin as null.
      "Referrer-Policy",
      "same-origin",
    ],
    body,
  };
}

const noPublisher = `<p>You may not connect a partner: that takes an owner or an editor of a publisher. Ask one of them.</p>`;

const asked = ({ partner, scopes, publishers }: Consent): string =>
  `<p>${escaped(partner)} asks to:</p><ul>${scopes.map((scope) => `<li>${scopeWords[scope]}</li>`).join("")}</ul>` +
  publisherChoice(publishers) +
  `<p class="note">It can do so for 30 days, or until you end it under “Connected apps”. It never learns your password.</p>`;

const publisherChoice = (publishers: readonly Membership[]): string => {
  const [only, ...others] = publishers;
  if (only === undefined) return "";
  if (others.length === 0) {
    return (
      `<p>For <b>${escaped(only.name)}</b></p>` +
      `<input type="hidden" name="publisher" value="${escaped(only.publisherId)}">`
    );
  }
  const options = publishers.map(
    ({ publisherId, name }) => `<option value="${escaped(publisherId)}">${escaped(name)}</option>`,
  );
  return (
    `<label for="publisher">For which publisher?</label><select id="publisher" name="publisher" required>` +
    `<option value="">Choose one</option>${options.join("")}</select>`
  );
};

const escaped = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (found) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[found] ?? "",
  );

const style = `
:root { color-scheme: light dark; --accent: light-dark(#3346c4, #a8b5ff); --ink: light-dark(#141824, #eef0f8);
  --paper: light-dark(#f6f7fb, #10131c); --card: light-dark(#fff, #191d2a); --line: light-dark(#d9dce8, #343a4d);
  --on-accent: light-dark(#fff, #10131c) }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { width: 100%; max-width: 27rem; padding: 1.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 10px }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.25; text-wrap: balance }
p, ul { margin: 0 0 1rem }
ul { padding-left: 1.25rem }
label { display: block; margin-bottom: .25rem; font-weight: 600 }
select { width: 100%; margin-bottom: 1rem }
select, button { min-height: 2.75rem; padding: 0 .75rem; font: inherit; color: var(--ink); background: var(--card);
  border: 1px solid var(--line); border-radius: 8px }
button { flex: 1 1 8rem; cursor: pointer; font-weight: 600 }
.allow { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
.answers { display: flex; flex-wrap: wrap; gap: .75rem; margin-bottom: 1rem }
.note { font-size: .875rem }
.note:last-child { margin: 0 }
.complaint { padding: .75rem; border: 1px solid currentColor; border-radius: 8px }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }`;

/** A policy cannot name an address of IPv6 (CSP3 section 2.3.1), which only the person's own machine has here. */
const sourceOf = ({ hostname, origin, protocol }: URL): string =>
  hostname.startsWith("[") ? protocol : origin;

/** Chromium checks the redirect after a form as well, so the partner's address must be named beside our own. */
const policyFor = (redirectUri: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    `form-action 'self' ${sourceOf(new URL(redirectUri))}`,
    "frame-ancestors 'none'",
  ].join("; ");
