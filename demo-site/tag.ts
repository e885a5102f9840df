import type { DevLocation } from "./dev-location.ts";
import { html, type Markup } from "./markup.ts";

export type TagOptions = {
  serviceOrigin: string;
  website: keyof typeof publicKeys;
  /** Works on a development website only. */
  simulate?: DevLocation;
  /** The tag's other attributes, such as `{ mode: "section" }` for `data-mode="section"`. */
  options?: Readonly<Record<string, string>>;
};

/** The public key of the publisher that each website belongs to. */
const publicKeys = {
  ws_journal: "pub_northwind",
  ws_preview: "pub_northwind",
  ws_preview_courier: "pub_northwind",
  ws_preview_harbour: "pub_harbour",
  ws_loan: "pub_harbour",
  ws_preview_loan: "pub_harbour",
} as const;

/** The one line that a publisher pastes. */
export function offerTag({ serviceOrigin, website, simulate, options = {} }: TagOptions): Markup {
  const country = simulate?.country ? html` data-dev-country="${simulate.country}"` : null;
  const region = simulate?.region ? html` data-dev-region="${simulate.region}"` : null;
  const more = Object.entries(options).map(([name, value]) => html` data-${name}="${value}"`);
  return html`<script async crossorigin src="${serviceOrigin}/embed.js" data-pub="${publicKeys[website]}" data-website="${website}"${more}${country}${region}></script>`;
}

/** The options of a section's tag: where in the page it stands, and how many offers it shows. */
export const sectionOptions = { mode: "section", container: "#partner-offers", limit: "2" } as const;

/** A page that waits for its own server's word begins nothing by itself, and asks for no decision. */
export const declineOptions = { mode: "none" } as const;
