import type { DevLocation } from "./dev-location.ts";
import { html, type Markup } from "./markup.ts";

export type TagOptions = { serviceOrigin: string; website: string; simulate?: DevLocation };

/** The public key of the publisher whose pages these are. */
const publicKey = "pub_northwind";

/** The one line that a publisher pastes. `simulate` works on a development website only. */
export function offerTag({ serviceOrigin, website, simulate }: TagOptions): Markup {
  const country = simulate?.country ? html` data-dev-country="${simulate.country}"` : null;
  const region = simulate?.region ? html` data-dev-region="${simulate.region}"` : null;
  return html`<script async src="${serviceOrigin}/embed.js" data-pub="${publicKey}" data-website="${website}"${country}${region}></script>`;
}
