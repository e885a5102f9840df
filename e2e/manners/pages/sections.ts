import { expect } from "@playwright/test";
import { parents } from "../../parents.ts";
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
    afterMain: `<div id="offers">${isStrict ? "" : "<h2>Our partners</h2>"}</div>${tag({ ...own, "data-mode": "section", "data-container": "#offers" })}
      ${isStrict ? "" : "<p>Below the offers</p>"}`,
  });
};

const rooms = [320, 768, 1280].flatMap((widthPx) => parents(`in-${widthPx}-`, `${widthPx}px`, 800));

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
  {
    name: "a section in each of six parents, 320, 768 and 1280 px wide",
    isSmoke: true,
    page: ({ tag }) =>
      hostPage({
        afterMain: [
          ...rooms.map(({ html }) => html),
          ...rooms.map(({ id }) => tag({ "data-mode": "section", "data-container": `#${id}` })),
        ].join("\n"),
      }),
    sees: "section",
    decisions: rooms.length,
    placed: 3 * rooms.length,
    meanwhile: async ({ run }) => {
      const shares = await run(() =>
        Array.from(document.querySelectorAll("[data-visit-place]"), (host) => {
          const drawn = host.shadowRoot?.querySelector("section")?.clientWidth ?? 0;
          return drawn / (host.closest(".room")?.clientWidth ?? 0);
        }),
      );
      expect(shares).toHaveLength(rooms.length);
      expect(Math.min(...shares), "the share of its place that a section takes").toBeGreaterThanOrEqual(0.95);
      const besides = () =>
        Array.from(document.querySelectorAll(".room i"), ({ clientWidth }) => clientWidth);
      expect(new Set(await run(besides)), "the widths of what stands beside one").toEqual(new Set([12]));
    },
  },
  {
    name: "a section in a place of 230 px, which is left as it was",
    page: ({ tag }) =>
      hostPage({
        head: `<script>
          window.offerService = function () { (offerService.q = offerService.q || []).push(arguments); };
          window.heard = [];
          offerService("on", "error", function (detail) { heard.push(detail); });
        </script>`,
        afterMain: `<div id="offers" style="width: 230px"></div>
          ${tag({ "data-mode": "section", "data-container": "#offers" })}`,
      }),
    globals: ["heard"],
    sees: "nothing",
    decisions: 0,
    meanwhile: async ({ run }) => {
      const heard = () => run(() => Reflect.get(window, "heard") as { reason: string; widthPx: number }[]);
      await expect.poll(heard).toMatchObject([{ reason: "too_narrow", widthPx: 230, leastPx: 240 }]);
    },
  },
];
