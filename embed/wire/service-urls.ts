import type { LoaderTag } from "./visit.ts";

/**
 * The service's base: the folder that the loader itself came from, with its slash.
 * Throws a TypeError when the tag has no usable `src`.
 */
export function serviceBase(scriptUrl: string): string {
  return new URL(".", scriptUrl).href;
}

/** The query that names the two keys and the location to simulate. */
function keysAndPlace({ pub, website, simulated }: LoaderTag): URLSearchParams {
  const query = new URLSearchParams({ pub, website });
  if (simulated.country) query.set("dev-country", simulated.country);
  if (simulated.region) query.set("dev-region", simulated.region);
  return query;
}

/**
 * GET /v1/decision. No header of ours goes with it, so browsers send no preflight. A frequency that is none of the contract's
 * `frequencies` is left out, as a trigger that is none is passed over: the service would refuse to decide, and a page with a
 * firm overlay would be open to everybody.
 */
export function decisionUrl(tag: LoaderTag): string {
  const query = keysAndPlace(tag);
  const { frequency } = tag.options;
  if (/^(page|closed|day)$/.test(frequency as string)) query.set("frequency", frequency as string);
  if (tag.mode === "section") query.set("mode", tag.mode);
  return `${tag.base}v1/decision?${query}`;
}

/**
 * What the tag or the website's setting, the page and the browser say of the language, the most wanted first and with
 * commas between them; blank where one says nothing. English that the browser has behind another language, as most have, is
 * left out with what follows it: it stands in anyway, and asked for it would keep readers from offers in their own language.
 */
export function languageWishes({ options }: LoaderTag, inSettings: string): string {
  const ofBrowser = [navigator.languages].join().replace(/,en.*/, "");
  return [options.lang || inSettings, document.documentElement.lang, ofBrowser].join();
}

/** `language` is the website's setting; `""`: it has none. */
type Granted = { requestId: string; country: string; region: string; language: string };

/**
 * GET /v1/offers, as many as the service hands out by itself. An unknown region is blank, which counts as absent. Of the
 * languages the service takes the one that the words are chosen in: the loader, which asks first, knows no words.
 */
export function offersUrl(tag: LoaderTag, { requestId, country, region, language }: Granted): string {
  const query = new URLSearchParams({
    website: tag.website,
    requestId,
    country,
    region,
    lang: languageWishes(tag, language),
  });
  return `${tag.base}v1/offers?${query}`;
}

/** POST to this address opens a session. */
export function sessionsUrl(tag: LoaderTag): string {
  return `${tag.base}v1/widget-decline/session?${keysAndPlace(tag)}`;
}

/** GET of this address tells the state of one session. */
export function sessionUrl({ base, pub, website }: LoaderTag, sessionId: string): string {
  const query = new URLSearchParams({ pub, website });
  return `${base}v1/widget-decline/session/${encodeURIComponent(sessionId)}?${query}`;
}
