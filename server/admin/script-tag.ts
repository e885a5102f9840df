import type { WebsiteKeys } from "../store/catalogue/websites.ts";

/** The line that a publisher pastes. Keys have no character that an attribute would need escaped. */
export function scriptTag(baseUrl: string, { publicKey, websiteKey }: WebsiteKeys): string {
  return `<script async crossorigin src="${baseUrl}/embed.js" data-pub="${publicKey}" data-website="${websiteKey}"></script>`;
}
