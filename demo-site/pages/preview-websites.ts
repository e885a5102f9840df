import type { TagOptions } from "../tag.ts";
import type { PreviewPage } from "./preview-pages.ts";
import type { Preset } from "./preview-places.ts";

/** A website as the panel shows it: by its development twin, which has its rule, its allowlist and its texts. */
export type PreviewWebsite = {
  /** In the panel's address. */
  name: "journal" | "courier" | "harbour" | "loan";
  label: string;
  /** The twin's key. */
  website: TagOptions["website"];
  /** Who sees its pages. */
  rule: string;
  /** What it permits. */
  permits: string;
  /** Quick choices, given its rule. */
  places: readonly Preset[];
};

const real: Preset = { label: "My real address", country: "", region: "", expected: "real" };

const journal: PreviewWebsite = {
  name: "journal",
  label: "Northwind Journal",
  website: "ws_preview",
  rule: "Germany, Austria, Switzerland, New Jersey and New York see the page. Everybody else, and unknown places, are shown offers.",
  permits: "It shows every offer but gambling.",
  places: [
    { label: "Allowed: Germany", country: "DE", region: "", expected: "allowed" },
    { label: "Allowed region: US-NJ", country: "US", region: "US-NJ", expected: "allowed" },
    { label: "Blocked: France", country: "FR", region: "", expected: "blocked" },
    { label: "Blocked region: US-WA", country: "US", region: "US-WA", expected: "blocked" },
    { label: "Blocked: unknown", country: "ZZ", region: "", expected: "blocked" },
    real,
  ],
};

const courier: PreviewWebsite = {
  name: "courier",
  label: "Northwind Courier",
  website: "ws_preview_courier",
  rule: "Washington, Idaho, Québec and France are shown offers, once half of the page is read. Everybody else sees the page.",
  permits: "It shows energy, mobile, travel, insurance, food, education, fitness and home, and nothing else.",
  places: [
    { label: "Allowed: Germany", country: "DE", region: "", expected: "allowed" },
    { label: "Blocked: France", country: "FR", region: "", expected: "blocked" },
    { label: "Blocked region: US-WA", country: "US", region: "US-WA", expected: "blocked" },
    { label: "Blocked region: CA-QC", country: "CA", region: "CA-QC", expected: "blocked" },
    { label: "Allowed: unknown", country: "ZZ", region: "", expected: "allowed" },
    real,
  ],
};

const harbour: PreviewWebsite = {
  name: "harbour",
  label: "Harbour Weekly",
  website: "ws_preview_harbour",
  rule: "Britain and Ireland see the page. Everybody else, and unknown places, are shown offers in the website’s own words.",
  permits: "It shows the offers of eight brands.",
  places: [
    { label: "Allowed: Britain", country: "GB", region: "", expected: "allowed" },
    { label: "Allowed: Ireland", country: "IE", region: "", expected: "allowed" },
    { label: "Blocked: Germany", country: "DE", region: "", expected: "blocked" },
    { label: "Blocked region: US-NJ", country: "US", region: "US-NJ", expected: "blocked" },
    { label: "Blocked: unknown", country: "ZZ", region: "", expected: "blocked" },
    real,
  ],
};

const loan: PreviewWebsite = {
  name: "loan",
  label: "Copper Lane Loans",
  website: "ws_preview_loan",
  rule: "Everybody sees the page.",
  permits: "It shows every offer but gambling.",
  places: [],
};

/** The websites on whose pages the tag can be tried; the first where nobody has chosen. */
export function previewWebsites({ name }: PreviewPage): readonly [PreviewWebsite, ...PreviewWebsite[]] {
  return name === "loan" ? [loan] : [journal, courier, harbour];
}

/** The website that an address asks for on a page, the page's first when it names none; null when it has none of that name. */
export function previewWebsiteOf(page: PreviewPage, query: URLSearchParams): PreviewWebsite | null {
  const [first, ...others] = previewWebsites(page);
  const [name = first.name, ...more] = query.getAll("website");
  return more.length > 0 ? null : ([first, ...others].find((website) => website.name === name) ?? null);
}
