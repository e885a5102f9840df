import { amounts, type Employment, employments, inPounds, terms } from "../loan-application.ts";
import { incomesLent } from "../loan-decision.ts";
import { html, type Markup } from "../markup.ts";
import { page } from "./page.ts";

/**
 * The lender's application page. `tags` is everything on it that is not the lender's own; `applyPath` is where the
 * lender's server takes applications; beside it lies `offers`, where it hears of sessions.
 */
export function loanPage(tags: Markup, applyPath: string): string {
  return page({
    title: "Apply for a loan · Copper Lane Loans",
    description: "A plain loan: one rate, three rules, an answer on this page.",
    styles: ["base.css", "loan.css"],
    head: html`<script type="module" src="/assets/loan-form.js"></script>\n${tags}`,
    look: "loan",
    body: html`<a class="skip" href="#application">Skip to the application</a>
${masthead()}
<main>
<div class="intro">
  <h1>Borrow a plain sum at a plain rate.</h1>
  <p class="lead">${inPounds(amounts.least)} to ${inPounds(amounts.most)} at 8.9% a year, whoever you are. Five questions, and the answer comes on this page.</p>
  ${rules()}
</div>
<section class="card" id="application" aria-labelledby="application-title">
  <h2 id="application-title">Your application</h2>
  ${form(applyPath)}
  <div class="answer" id="answer" hidden>
    <p class="mark" id="answer-mark" aria-hidden="true"></p>
    <h3 id="answer-title" tabindex="-1"></h3>
    <p id="answer-text"></p>
  </div>
  <p class="aside" id="offers-text" role="status"></p>
  <p id="change" hidden><button type="button" class="quiet" id="again">Change my application</button></p>
</section>
</main>
${footer()}`,
  });
}

function masthead(): Markup {
  return html`<header class="masthead">
  <p class="brand"><svg viewBox="0 0 32 32" width="34" height="34" aria-hidden="true" focusable="false"><path class="roof" d="M3 15 16 4l13 11"/><path class="lane" d="M12 28c0-6 1-10 4-15 3 5 4 9 4 15z"/></svg> Copper Lane <span>Loans</span></p>
  <p class="since">Lending since 1986</p>
</header>`;
}

function rules(): Markup {
  return html`<section class="rules" aria-labelledby="rules-title">
  <h2 id="rules-title">How we decide</h2>
  <ol>
    <li>If you have put yourself on a register that asks lenders not to take you on, we don’t.</li>
    <li>You have a wage, a business or a pension.</li>
    <li>We lend up to ${incomesLent} times what you are paid a month.</li>
  </ol>
  <p>That is all of it. If the answer is no, we tell you which of the three it was, and may show you offers of other companies. They never see your application.</p>
</section>`;
}

function form(applyPath: string): Markup {
  const choices = Object.entries(employments) as [Employment, string][];
  return html`<form id="form" method="post" action="${applyPath}" novalidate>
  <p class="summary" id="summary" tabindex="-1" hidden></p>
  ${sum("amount", "How much would you like to borrow?", "", "5,000")}
  ${field(
    "months",
    "Over how long?",
    html`<select id="months" name="months" required aria-describedby="months-error">${terms.map(
      (months) =>
        html`<option value="${months}"${months === 24 && html` selected`}>${months === 12 ? "1 year" : `${months / 12} years`}</option>`,
    )}</select>`,
  )}
  ${sum("income", "What are you paid a month?", "After tax, pensions included.", "1,900")}
  ${field(
    "employment",
    "What describes you best?",
    html`<select id="employment" name="employment" required aria-describedby="employment-error"><option value="">Choose one</option>${choices.map(
      ([value, label]) => html`<option value="${value}">${label}</option>`,
    )}</select>`,
  )}
  <p class="check"><input type="checkbox" id="onRegister" name="onRegister" value="yes"><label for="onRegister">I am on a register that asks lenders and betting firms not to take me on</label></p>
  <p><button type="submit" id="apply">Ask for the loan</button></p>
  <noscript><p class="summary">The application needs JavaScript: the answer comes on this page.</p></noscript>
</form>`;
}

/** A field for a sum in pounds. Its error has an element from the start, which `aria-describedby` can name. */
function sum(name: string, label: string, hint: string, example: string): Markup {
  const described = hint ? `${name}-hint ${name}-error` : `${name}-error`;
  const input = html`<span class="pounds"><span aria-hidden="true">£</span><input id="${name}" name="${name}" inputmode="numeric" autocomplete="off" maxlength="12" required placeholder="${example}" aria-describedby="${described}"></span>`;
  return field(name, label, input, hint);
}

function field(name: string, label: string, control: Markup, hint = ""): Markup {
  return html`<p class="field"><label for="${name}">${label}</label>${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}${control}<span class="error" id="${name}-error"></span></p>`;
}

function footer(): Markup {
  return html`<footer class="loan-footer"><p>Copper Lane Loans is an invented lender for a demonstration. No credit agency is asked, nothing is lent, and what you enter is not kept.</p><p><a href="/" target="_top">About this demo</a></p></footer>`;
}
