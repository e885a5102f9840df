import { members, texts } from "./json-shape.ts";
import { webUrl } from "./safe-url.ts";

/** A blocking decision, reduced to what the overlay uses. Texts are `""` when the publisher wrote none. */
export type BlockingDecision = {
  requestId: string;
  country: string;
  region: string;
  reason: string;
  title: string;
  message: string;
  support: readonly SupportLink[];
  dismissible: boolean;
  /** As the contract names them; anything but `auto` and `dark` looks like `light`. */
  theme: string;
  language: string;
};

/** `label` is `""` where the widget's own words are to stand. */
export type SupportLink = { href: string; label: string };

/** Reads any JSON value; null unless it blocks the visitor and offers can be asked for with it. */
export function readDecision(answer: unknown): BlockingDecision | null {
  const { allowed, blocked, settings } = members(answer);
  const visit = texts(answer, "requestId", "country", "region");
  if (allowed !== false || !visit.requestId || !/^[A-Z]{2}$/.test(visit.country)) return null;
  const { supportContact, dismissible } = members(blocked);
  const { theme, language } = texts(settings, "theme", "language");
  return {
    ...visit,
    ...texts(blocked, "reason", "title", "message"),
    support: supportLinks(supportContact),
    dismissible: dismissible !== false,
    theme: theme || "auto",
    language,
  };
}

/** The page first; the label belongs to whichever comes first, an address can stand for itself. */
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
