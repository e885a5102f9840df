import { runInNewContext } from "node:vm";
import { transformWithOxc } from "vite";
import { expect, test } from "vitest";
import { nextComponent } from "./next-component.ts";

const src = "https://offers.example/embed.js";
const tag = {
  baseUrl: "https://offers.example",
  said: '{ website: "ws_y" }',
  isSection: false,
  hasNonce: false,
};

/** A document in which the component of this text is drawn, by as much of React and Next.js as it uses. */
async function documentWith(text: string, name: string) {
  const { code } = await transformWithOxc(text, "offers.tsx", {
    jsx: { runtime: "classic", pragma: "draw" },
  });
  const drawn: [unknown, object | null][] = [];
  const calls: unknown[][] = [];
  const window: { offerService?: { (...said: unknown[]): unknown; q?: unknown[][] } } = {};
  const page = { path: "/" };
  let former: string | undefined;
  let isMounted = false;
  const component: (props: object) => unknown = runInNewContext(
    `${code.replaceAll(/^import .*$/gm, "").replaceAll(/^export /gm, "")};${name}`,
    {
      window,
      React: { Fragment: "all" },
      Script: "Script",
      usePathname: () => page.path,
      useEffect: (effect: () => void, causes: unknown[]) => {
        if (isMounted && JSON.stringify(causes) === former) return;
        former = JSON.stringify(causes);
        effect();
      },
      draw: (type: unknown, props: object | null) => drawn.push([type, props]),
    },
  );
  const draw = (path: string) => {
    page.path = path;
    component({ nonce: "R4nd0m" });
    isMounted = true;
  };
  return {
    draw,
    drawn,
    /** What the page has said; once the script has come it hears all of it. */
    said: () => JSON.parse(JSON.stringify(calls.length > 0 ? calls : (window.offerService?.q ?? []))),
    /** As React in development does: each effect twice. */
    mountAgain: (path: string) => {
      isMounted = false;
      draw(path);
    },
    scriptComes: () => {
      const queue = window.offerService?.q ?? [];
      calls.push(...queue.splice(0));
      queue.push = (...said) => calls.push(...said);
    },
  };
}

test("the component of every page begins with the first route, and anew with each later one", async () => {
  const { draw, mountAgain, scriptComes, said, drawn } = await documentWith(nextComponent(tag), "Offers");
  draw("/");
  mountAgain("/");
  expect(said()).toEqual([["init", { website: "ws_y" }]]);
  scriptComes();
  draw("/");
  expect(said()).toHaveLength(1);
  draw("/news");
  draw("/");
  expect(said().slice(1)).toEqual([["page"], ["page"]]);
  // A layout of each language is another one, though the document stays.
  mountAgain("/de");
  expect(said().slice(3)).toEqual([["page"]]);
  expect(drawn[0]).toEqual(["Script", { src, crossOrigin: "anonymous", strategy: "afterInteractive" }]);
});

test("the component of a section says what it is whenever it comes into the page, behind its place", async () => {
  const section = nextComponent({ ...tag, isSection: true, hasNonce: true });
  const { draw, mountAgain, said, drawn } = await documentWith(section, "OffersSection");
  draw("/");
  draw("/");
  expect(said()).toHaveLength(1);
  mountAgain("/");
  expect(said()).toEqual([
    ["init", { website: "ws_y" }],
    ["init", { website: "ws_y" }],
  ]);
  expect(drawn.slice(0, 2)).toEqual([
    ["div", { id: "offers" }],
    ["Script", { src, crossOrigin: "anonymous", strategy: "afterInteractive", nonce: "R4nd0m" }],
  ]);
});
