import { expect } from "@playwright/test";
import { type HostPageCase, hostPage } from "../host-page.ts";
import { until } from "../visit-page.ts";

/** Pages whose other scripts have patched or broken what every script uses. */
export const scriptPages: readonly HostPageCase[] = [
  {
    name: "an AMD loader and a CommonJS left over from a bundle",
    page: ({ tag }) =>
      hostPage({
        head: `<script>
          window.define = function () { throw new Error("define was called"); };
          window.define.amd = {};
          window.module = { exports: {} };
          window.exports = window.module.exports;
          window.require = function () { throw new Error("require was called"); };
        </script>${tag()}`,
      }),
    globals: ["define", "module", "exports", "require"],
    sees: "overlay",
  },
  {
    name: "polluted prototypes of objects, lists and functions",
    page: ({ tag }) =>
      hostPage({
        head: `<script>
          Object.prototype.extra = function () { return "extra"; };
          Object.prototype.get = function () { throw new Error("get was called"); };

          Array.prototype.last = function () { return this[this.length - 1]; };
          Array.prototype.extra = 1;
          Function.prototype.later = function () {};
        </script>${tag()}`,
      }),
    sees: "overlay",
  },
  {
    name: "a fetch of the page's own that throws",
    page: ({ tag }) =>
      hostPage({
        head: `<script>window.fetch = function () { throw new Error("patched"); };</script>${tag()}`,
      }),
    sees: "nothing",
    decisions: 0,
  },
  {
    name: "a fetch of the page's own that never answers with a response",
    page: ({ tag }) =>
      hostPage({
        head: `<script>window.fetch = function () { return Promise.resolve(undefined); };</script>${tag()}`,
      }),
    sees: "nothing",
    decisions: 0,
  },
  {
    name: "promises of the page's own that lack what came to them last",
    page: ({ tag }) =>
      hostPage({ head: `<script>delete Promise.allSettled; delete Promise.any;</script>${tag()}` }),
    sees: "overlay",
    meanwhile: async ({ run }) => {
      const isAtRest = () =>
        run(() => {
          const root = document.querySelector("[data-visit-panel]")?.shadowRoot;
          return !!root?.querySelector("dialog[data-rest]");
        });
      await until(isAtRest, true, "its buttons act");
    },
  },
  {
    name: "a browser without dialogs",
    page: ({ tag }) => hostPage({ head: `<script>delete window.HTMLDialogElement;</script>${tag()}` }),
    sees: "nothing",
    decisions: 0,
  },
  {
    name: "a browser without constructable style sheets",
    page: ({ tag }) =>
      hostPage({ head: `<script>delete CSSStyleSheet.prototype.replaceSync;</script>${tag()}` }),
    sees: "nothing",
    decisions: 0,
  },
  {
    name: "a name of the page's own where ours would be",
    page: ({ tag }) => hostPage({ head: `<script>window.offerService = { theirs: true };</script>${tag()}` }),
    sees: "overlay",
    meanwhile: async ({ run }) => {
      const theirs = await run(() => Reflect.get(Reflect.get(window, "offerService") as object, "theirs"));
      expect(theirs, "it is still the page's").toBe(true);
    },
  },
  {
    name: "a callback of the page's own that throws",
    page: ({ tag }) =>
      hostPage({
        head: `<script>
          window.offerService = function () { (offerService.q = offerService.q || []).push(arguments); };
          window.heard = [];
          ["decision", "shown", "closed"].forEach(function (name) {
            offerService("on", name, function () {
              heard.push(name);
              throw null;
            });
          });
        </script>${tag()}`,
      }),
    globals: ["heard"],
    sees: "overlay",
    meanwhile: async ({ run }) => {
      const heard = await run(() => Reflect.get(window, "heard") as string[]);
      expect(heard).toEqual(["decision", "shown"]);
    },
  },
];
