import { expect } from "@playwright/test";
import { type HostPageCase, hostPage } from "../host-page.ts";
import { until } from "../visit-page.ts";

/** Frames, other people's dialogs, and everything that happens to a page while it lives. */
export const surroundingPages: readonly HostPageCase[] = [
  {
    name: "a modal of the page's own, which goes first",
    page: ({ tag }) =>
      hostPage({
        head: tag(),
        // A frame may be drawn before this script or after it, and only a frame gives the button its `autofocus`.
        afterMain: `<dialog id="theirs"><button>Accept</button></dialog>
          <script>
            document.getElementById("host-button").focus();
            document.getElementById("theirs").showModal();
          </script>`,
      }),
    sees: "overlay",
    changesItself: true,
    first: async ({ untilRequest, settle, view, run }) => {
      await untilRequest("/v1/decision", 200);
      await settle();
      expect((await view()).hosts, "nothing of ours beside it").toBe(0);
      await run(() => document.querySelector<HTMLDialogElement>("#theirs")?.close());
    },
  },
  {
    name: "somebody else's frame, in which an application is declined as well",
    page: ({ tag }) =>
      hostPage({
        afterMain: framed(
          `<script>
            window.offerService = function () { (offerService.q = offerService.q || []).push(arguments); };
            offerService("decline");
          </script>${tag()}`,
          "allow-scripts",
        ),
      }),
    sees: "nothing",
    decisions: 0,
    meanwhile: async ({ requests }) => {
      expect(requests().filter(({ path }) => path.startsWith("/v1/"))).toEqual([]);
    },
  },
  {
    name: "a sandboxed frame that asks for the overlay, and has no origin",
    page: ({ tag }) => hostPage({ afterMain: framed(tag({ "data-frame": "" }), "allow-scripts") }),
    sees: "nothing",
    first: async ({ untilRequest, requests }) => {
      await untilRequest("/v1/decision", 403);
      expect(requests().find(({ path }) => path === "/v1/decision")?.headers.origin).toBe("null");
    },
    browserComplains: true,
  },
  {
    name: "a page that is loaded ahead of its visit",
    page: ({ tag }) =>
      hostPage({
        // No driver can make a browser prerender, so the page itself claims to be prerendered.
        head: `<script>Object.defineProperty(document, "prerendering", { value: true, configurable: true });</script>${tag()}`,
      }),
    sees: "overlay",
    first: async ({ settle, requests, run }) => {
      await settle();
      expect(requests().filter(({ path }) => path !== "/embed.js")).toEqual([]);
      await run(() => {
        Object.defineProperty(document, "prerendering", { value: false });
        document.dispatchEvent(new Event("prerenderingchange"));
        return null;
      });
    },
  },
  {
    name: "a connection that is lost after the overlay has opened",
    page: ({ tag }) => hostPage({ head: tag() }),
    sees: "overlay",
    meanwhile: async ({ wire, untilRequest }) => {
      wire.tamper = () => "drop";
      // Each offer is reported once it has been in view for a second.
      await untilRequest("/v1/events/impression", "dropped", 3);
    },
    browserComplains: true,
  },
  {
    name: "a page that moves on by itself, twice, without loading",
    page: ({ tag }) => hostPage({ head: tag() }),
    sees: "overlay",
    meanwhile: async ({ run, settle, view }) => {
      await run(() => {
        history.pushState(null, "", "#two");
        history.pushState(null, "", "#three");
        return null;
      });
      await settle();
      expect((await view()).hosts).toBe(1);
    },
  },
  {
    name: "a router that replaces the body under the overlay",
    page: ({ tag }) => hostPage({ head: tag() }),
    sees: "overlay",
    changesItself: true,
    focused: "",
    meanwhile: async ({ run }) => {
      await run(() => {
        document.body.replaceWith(document.createElement("body"));
        const page = document.documentElement;
        Reflect.get(window, "offerService")("on", "closed", ({ reason }: { reason: string }) => {
          page.setAttribute("data-closed-by", reason);
        });
        return null;
      });
      const closedBy = () => run(() => document.documentElement.getAttribute("data-closed-by"));
      await until(closedBy, "page", "the overlay's end");
    },
  },
  {
    name: "a page that is left with the overlay open, and come back to",
    isSmoke: true,
    not: { webkit: "loads it again as often as it takes it out of the cache" },
    page: ({ tag }) => hostPage({ head: tag() }),
    sees: "overlay",
    meanwhile: async ({ tab, url, view, run, settle }) => {
      const isBack = () =>
        view().then(
          ({ hosts, watch }) => hosts === 1 && watch.returns > 0,
          () => false,
        );
      // A browser need not keep every page, and keeps none that still waits for an answer: then it is loaded anew.
      await expect(async () => {
        await settle();
        await tab.goto(`${url}/elsewhere`);
        // The driver would wait for a load that a page out of the cache does not have.
        await run(() => {
          setTimeout(() => history.back());
          return null;
        });
        await expect.poll(isBack, { message: "the page is back out of the cache", timeout: 4000 }).toBe(true);
      }).toPass({ timeout: 15_000 });
      await settle();
      expect((await view()).hosts, "one overlay, the same").toBe(1);
    },
  },
];

const framed = (tag: string, sandbox: string): string => {
  const inside = `<!doctype html><title>Framed</title><p>Inside</p>${tag}`;
  return `<iframe sandbox="${sandbox}" width="300" height="150" srcdoc="${inside.replaceAll('"', "&quot;")}"></iframe>`;
};
