import { members, texts } from "./json-shape.ts";
import { lookCss } from "./look.ts";
import { webUrl } from "./safe-url.ts";

/** The members of an answer that offers are asked for with, and how the website wants the offers to look. */
export type Granted = {
  requestId: string;
  country: string;
  region: string;
  /** As the contract names them; anything but `auto` and `dark` looks like `light`. */
  theme: string;
  language: string;
  frequency: string;
  /** A style sheet with what the website has chosen besides. */
  look: string;
};

/** A blocking decision, reduced to what the overlay uses. Texts are `""` when the publisher wrote none. */
type BlockingDecision = Granted & {
  reason: string;
  title: string;
  message: string;
  support: readonly SupportLink[];
  dismissible: boolean;
  /** The publisher's own way on, where there are no offers. */
  fallback: SupportLink | null;
  /** Address of the publisher's picture; null when there is none. */
  logo: string | null;
};

/** `label` is `""` where the widget's own words are to stand. */
export type SupportLink = { href: string; label: string };

/** Reads any JSON value; null unless offers can be asked for with it. */
export function readGranted(answer: unknown): Granted | null {
  const visit = texts(answer, "requestId", "country", "region");
  if (!visit.requestId || !/^[A-Z]{2}$/.test(visit.country)) return null;
  const { settings } = members(answer);
  const { theme, language, frequency } = texts(settings, "theme", "language", "frequency");
  return { ...visit, theme: theme || "auto", language, frequency, look: lookCss(settings) };
}

/** Reads any JSON value; null unless it blocks the visitor and offers can be asked for with it. */
export function readDecision(answer: unknown): BlockingDecision | null {
  const { allowed, blocked, settings } = members(answer);
  const granted = readGranted(answer);
  if (allowed !== false || !granted) return null;
  const { supportContact, dismissible, fallback } = members(blocked);
  return {
    ...granted,
    ...texts(blocked, "reason", "title", "message"),
    support: supportLinks(supportContact),
    dismissible: dismissible !== false,
    fallback: fallbackLink(fallback),
    logo: webUrl(texts(settings, "logo").logo),
  };
}

function fallbackLink(fallback: unknown): SupportLink | null {
  const { url, label } = texts(fallback, "url", "label");
  const href = webUrl(url);
  return href && label ? { href, label } : null;
}

/** The support page comes before the mail address. The first link has the label; an address can stand for itself. */
function supportLinks(contact: unknown): SupportLink[] {
  const { email, url, label } = texts(contact, "email", "url", "label");
  const page = webUrl(url);
  const links: SupportLink[] = [];
  if (page) links.push({ href: page, label });
  // Without ? and &, which would add fields to the mail.
  if (/^[^\s@?&]+@[^\s@?&]+$/.test(email)) {
    links.push({ href: `mailto:${email}`, label: (!page && label) || email });
  }
  return links;
}
