import { type HostPageCase, hostPage, type Keys } from "../host-page.ts";

const nonce = "c2VhLWJyZWV6ZQ";

/**
 * An article with a place for offers. The tag comes late, so the publisher keeps the height free, and the text below
 * does not move; a page that may not be styled has no text below.
 */
const withPlace = (
  { tag }: Keys,
  more: { head?: string; html?: string; nonce?: string; headers?: Record<string, string> } = {},
) => {
  const isStrict = more.nonce !== undefined;
  const own: Record<string, string> = more.nonce === undefined ? {} : { nonce: more.nonce };
  return hostPage({
    ...more,
    head: isStrict ? "" : `${more.head ?? ""}<style>#offers { min-height: 520px !important }</style>`,
    afterMain: `<div id="offers"></div>${tag({ ...own, "data-mode": "section", "data-container": "#offers" })}
      ${isStrict ? "" : "<p>Below the offers</p>"}`,
  });
};

/** Pages with offers in their own column. All that holds for the overlay holds for these, and nothing may move. */
export const sectionPages: readonly HostPageCase[] = [
  { name: "a section in an article", isSmoke: true, page: (keys) => withPlace(keys), sees: "section" },
  {
    name: "a section under a strict policy",
    page: (keys) =>
      withPlace(keys, {
        nonce,
        headers: {
          "content-security-policy": [
            "default-src 'none'",
            `script-src 'nonce-${nonce}'`,
            `connect-src ${keys.service}`,
            "img-src 'self'",
            "style-src 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
          ].join("; "),
        },
      }),
    sees: "section",
  },
  {
    name: "a section in a page that resets everything",
    page: (keys) =>
      withPlace(keys, {
        head: "<style>*, *::before, *::after { all: unset !important; } body, #offers, p { display: block !important }</style>",
      }),
    sees: "section",
  },
  {
    name: "a section in a page that reads from right to left, in a tiny font",
    page: (keys) =>
      withPlace(keys, {
        html: 'lang="ar" dir="rtl"',
        head: "<style>html { font-size: 4px !important }</style>",
      }),
    sees: "section",
  },
];
