import { html } from "../markup.ts";
import { deskFooter, deskHeader } from "./desk.ts";
import { page } from "./page.ts";

/** A page with one message: nothing found, a parameter refused, a form received. */
export function plainPage(title: string, message: string, mark: string): string {
  return page({
    title: `${title} · Offer Service demo`,
    styles: ["base.css", "desk.css"],
    look: "desk",
    body: html`${deskHeader("other")}
<main class="plain"><p class="mark" aria-hidden="true">${mark}</p><h1>${title}</h1><p class="lead">${message}</p>
<p class="actions"><a class="button" href="/">Back to the start</a></p></main>
${deskFooter()}`,
  });
}
