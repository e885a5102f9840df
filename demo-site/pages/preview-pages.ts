import type { Preset } from "./preview-places.ts";

/** A page that the panel can show, by its name in the panel's address and below `/preview/`. */
export type PreviewPage = {
  name: "article" | "magazine" | "loan";
  label: string;
  /** The way in which its tag shows offers. */
  kind: string;
  /** Who or what decides on it whether a visitor is shown offers; null: the website's own rule. */
  rule: string | null;
  /** Quick choices; null: those of the website. */
  places: readonly Preset[] | null;
};

/** Quick choices for a page that looks the same everywhere, but for its offers. */
const anywhere: readonly Preset[] = [
  { label: "Britain", country: "GB", region: "", expected: "real" },
  { label: "Germany", country: "DE", region: "", expected: "real" },
  { label: "US-NJ", country: "US", region: "US-NJ", expected: "real" },
  { label: "Unknown", country: "ZZ", region: "", expected: "real" },
  { label: "My real address", country: "", region: "", expected: "real" },
];

export const articlePreview: PreviewPage = {
  name: "article",
  label: "Article",
  kind: "an overlay",
  rule: null,
  places: null,
};

/** In the order in which the panel offers them. */
export const previewPages: readonly PreviewPage[] = [
  articlePreview,
  {
    name: "magazine",
    label: "Magazine",
    kind: "a section",
    rule: "A section shows every visitor offers, those who may read the page too. The place decides which.",
    places: anywhere,
  },
  {
    name: "loan",
    label: "Loan application",
    kind: "a soft decline",
    rule: "Apply in the page: ask for more than four times the income, and the lender’s own server declines. The place decides which offers follow.",
    places: anywhere,
  },
];

/** The page that an address asks for: the article when it names none, null when there is none of that name. */
export function previewPageOf(query: URLSearchParams): PreviewPage | null {
  const [name = articlePreview.name, ...more] = query.getAll("page");
  return more.length > 0 ? null : previewPageNamed(name);
}

/** The page of a name, null when there is none. */
export function previewPageNamed(name: string): PreviewPage | null {
  return previewPages.find((page) => page.name === name) ?? null;
}
