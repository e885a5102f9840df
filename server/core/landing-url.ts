import { isLoopbackHost } from "./loopback-host.ts";

/** What an advertiser may ask to be told in the landing URL, written `{click_id}` there. */
export const landingMacros = [
  "click_id",
  "request_id",
  "offer_id",
  "publisher",
  "website",
  "country",
  "region",
  "vertical",
  "surface",
  "placement",
] as const;
export type LandingMacro = (typeof landingMacros)[number];

/** The verdict on a landing URL; `url` is what is to be saved, `message` tells what to change. */
export type LandingUrlVerdict = { ok: true; url: string } | { ok: false; message: string };

const mostBytes = 2048;
const macro = /\{([^{}]*)\}/g;
/** Characters that the URL parser would silently drop or reshape, so that a URL would be saved that nobody wrote. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const unwritable = /[\u0000-\u0020\u007f-\u009f\u00a0\u2028\u2029\ufeff\\]/;

/**
 * Checks a landing URL before it is saved, and re-serialises it with its macros kept: https (or, outside
 * production, http on a loopback host), no credentials, at most 2,048 bytes, macros in path and query only.
 */
export function checkLandingUrl(text: string, args: { production: boolean }): LandingUrlVerdict {
  if (text.length > mostBytes) return refuse(tooLong);
  if (!text.isWellFormed() || unwritable.test(text)) {
    return refuse("must not contain white space, control characters or backslashes");
  }
  const parts = /^(https?:\/\/)([^/?#]+)([^#]*)(#.*)?$/i.exec(text);
  if (parts === null) return refuse("must be an absolute https URL such as https://www.example.com/landing");
  const [, , authority = "", , fragment = ""] = parts;
  const misplaced = misplacedMacro(authority, fragment) ?? unknownMacro(text);
  if (misplaced !== null) return refuse(misplaced);
  if (authority.includes("@")) return refuse("must not contain a user name or password");
  return serialise(text, args.production);
}

/**
 * Takes a saved landing URL apart, and returns what writes values into it. Each is percent-encoded once, so that
 * none can add a parameter, change the host, or end a header line.
 * @throws RangeError when it has a macro that `checkLandingUrl` does not let through.
 */
export function prepareLandingUrl(url: string): (values: Record<LandingMacro, string>) => string {
  // Between two texts stands the name of a macro: the pattern's one group.
  const [first = "", ...rest] = url.split(macro);
  const filled: { name: LandingMacro; text: string }[] = [];
  for (let at = 0; at < rest.length; at += 2) {
    const [name = "", text = ""] = rest.slice(at, at + 2);
    if (!isMacro(name)) throw new RangeError(`no saved landing URL: it has the macro ${name}`);
    filled.push({ name, text });
  }
  return (values) => filled.reduce((url, { name, text }) => url + encodeStrictly(values[name]) + text, first);
}

/** Whether an advertiser is told which click came: only then can it say which of them led to something. */
export function tellsClickId(url: string): boolean {
  return url.includes("{click_id}");
}

/**
 * The macros of a landing URL whose braces are escaped, once or more often, as it has them: nothing comes in their place. What
 * makes deep links escapes an address within another.
 */
export function escapedMacros(url: string): string[] {
  return [...url.matchAll(/%(?:25)*7B(\w+)%(?:25)*7D/gi)]
    .filter(([, name = ""]) => isMacro(name.toLowerCase()))
    .map(([written]) => written);
}

const tooLong = `must be at most ${mostBytes} bytes`;

function refuse(message: string): LandingUrlVerdict {
  return { ok: false, message };
}

function isMacro(name: string): name is LandingMacro {
  return landingMacros.some((known) => known === name);
}

function misplacedMacro(authority: string, fragment: string): string | null {
  if (/[{}]/.test(authority)) return "must name its host as it is: macros stand only in path and query";
  if (/[{}]/.test(fragment)) return "must not have a macro after #: macros stand only in path and query";
  return null;
}

function unknownMacro(text: string): string | null {
  for (const [written, name = ""] of text.matchAll(macro)) {
    if (!isMacro(name)) return `has an unknown macro ${written}: known are ${landingMacros.join(", ")}`;
  }
  const leftOver = /[{}]/.test(text.replace(macro, ""));
  return leftOver ? "must have { and } only around a macro; write them as %7B and %7D otherwise" : null;
}

/** The parser would escape the braces, so each macro goes through it as a word that the text does not hold. */
function serialise(text: string, production: boolean): LandingUrlVerdict {
  let word = "macro";
  while (text.toLowerCase().includes(word)) word += "x";
  const macros = text.match(macro) ?? [];
  const url = URL.parse(text.replace(macro, word));
  if (url === null) return refuse("must be a URL that a browser can open");
  const plainOnLoopback = url.protocol === "http:" && isLoopbackHost(url.hostname) && !production;
  if (url.protocol !== "https:" && !plainOnLoopback) {
    return refuse(
      production ? "must be https" : "must be https, or http on a loopback host such as localhost",
    );
  }
  const pieces = `${url.pathname}${url.search}`.split(word);
  if (pieces.length !== macros.length + 1)
    return refuse("must not have a macro that . or .. in its path takes away");
  const pathAndQuery = pieces.map((piece, at) => piece + (macros[at] ?? "")).join("");
  const serialised = `${url.origin}${pathAndQuery}${url.hash}`;
  return serialised.length > mostBytes ? refuse(tooLong) : { ok: true, url: serialised };
}

/** `encodeURIComponent` leaves `!'()*` alone, which RFC 3986 section 2.2 reserves; a lone surrogate makes it throw. */
function encodeStrictly(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
