import { expect } from "@playwright/test";
import { type HostPageCase, hostPage } from "../host-page.ts";

const styled =
  (css: string, more: Partial<Parameters<typeof hostPage>[0]> = {}) =>
  ({ tag }: { tag: () => string }) =>
    hostPage({ head: `<style>${css}</style>${tag()}`, ...more });

/** Pages whose style would override ours, and visitors with other preferences. */
export const appearancePages: readonly HostPageCase[] = [
  {
    name: "a reset of everything that cannot be overruled",
    // The head stays hidden: Chromium counts a shift when its title and style come into view as text.
    page: styled(":not(head, head *), ::before, ::after { all: unset !important; }"),
    sees: "overlay",
  },
  {
    name: "a page that hides what we are made of",
    page: styled("dialog, div, [popover] { display: none !important; visibility: hidden !important; }"),
    sees: "overlay",
  },
  {
    name: "a root font of four pixels",
    page: styled("html { font-size: 4px !important; } body { zoom: 1; font: 100%/1 serif; }"),
    sees: "overlay",
  },
  {
    name: "a body that is fixed, turned and clipped",
    page: styled(
      "html { overflow: hidden } body { position: fixed; inset: 0; transform: rotate(2deg) scale(.5); overflow: hidden; opacity: .5; filter: blur(0); contain: paint; }",
    ),
    sees: "overlay",
  },
  {
    name: "a wall with the highest z-index there is",
    page: ({ tag }) =>
      hostPage({
        head: `<style>#wall { position: fixed; inset: 0; z-index: 2147483647; background: #fff; }</style>${tag()}`,
        afterMain: `<div id="wall">We value your privacy</div>`,
      }),
    sees: "overlay",
  },
  {
    name: "a page that reads from right to left",
    page: ({ tag }) => hostPage({ html: 'lang="ar" dir="rtl"', head: tag() }),
    sees: "overlay",
    meanwhile: async ({ view }) => {
      expect((await view()).dialog).toMatchObject({ direction: "rtl", language: "ar" });
    },
  },
  {
    name: "a visitor who likes it dark and still",
    visitor: "cautious",
    page: ({ tag }) => hostPage({ head: tag() }),
    sees: "overlay",
    meanwhile: async ({ view }) => {
      const { dialog } = await view();
      expect(dialog?.animation, "nothing moves").toBe("none");
      const [red = 255, green = 255, blue = 255] = (dialog?.ground.match(/[\d.]+/g) ?? []).map(Number);
      expect(red + green + blue, `lightness of ${dialog?.ground}`).toBeLessThan(3 * 128);
    },
  },
  {
    name: "a visitor who objects to being sold or shared (GPC)",
    isSmoke: true,
    visitor: "cautious",
    page: ({ tag }) => hostPage({ head: tag() }),
    sees: "overlay",
    meanwhile: async ({ requests }) => {
      const said = requests().filter(({ path }) => path.startsWith("/v1/"));
      expect(said.map(({ headers }) => headers["sec-gpc"])).toEqual(said.map(() => "1"));
    },
    not: {
      chromium: "has no such switch",
      webkit: "has no such switch",
    },
  },
];
