import { tagPutIn } from "../../tag-put-in.ts";
import { type HostPageCase, hostPage } from "../host-page.ts";

/** Every way in which the tag gets into pages, and how often. */
export const tagPages: readonly HostPageCase[] = [
  {
    name: "the one line, async in the head",
    isSmoke: true,
    page: ({ tag }) => hostPage({ head: tag() }),
    sees: "overlay",
  },
  {
    name: "the tag as it was once handed out, without crossorigin",
    page: ({ tag }) => hostPage({ head: tag({ crossorigin: null }) }),
    sees: "overlay",
  },
  {
    name: "the tag in the head, without async",
    page: ({ tag }) => hostPage({ head: tag({ async: null }) }),
    sees: "overlay",
  },
  {
    name: "the tag in the head, deferred",
    page: ({ tag }) => hostPage({ head: tag({ async: null, defer: "" }) }),
    sees: "overlay",
  },
  {
    name: "the tag at the end of the body",
    page: ({ tag }) => hostPage({ afterMain: tag({ async: null }) }),
    sees: "overlay",
  },
  {
    name: "the tag by document.write",
    page: ({ tag }) =>
      hostPage({ head: `<script>document.write(${inScript(tag({ async: null }))})</script>` }),
    sees: "overlay",
  },
  {
    name: "a page in quirks mode",
    page: ({ tag }) => hostPage({ doctype: "", html: "", head: tag() }),
    sees: "overlay",
  },
  {
    name: "a page of XHTML",
    page: ({ tag }) => {
      const { html } = hostPage({
        doctype: "<!DOCTYPE html>",
        html: 'xmlns="http://www.w3.org/1999/xhtml" lang="en"',
        head: tag({ async: "async", crossorigin: "anonymous" }),
      });
      const wellFormed = html
        .replaceAll(/<meta ([^>]*)>/g, "<meta $1/>")
        .replace("autofocus", 'autofocus=""');
      return { html: wellFormed, headers: { "content-type": "application/xhtml+xml; charset=utf-8" } };
    },
    sees: "overlay",
  },
  {
    name: "a page whose own addresses begin elsewhere",
    page: ({ tag }) =>
      hostPage({ head: `<base href="https://elsewhere.example/deep/" target="_top">${tag()}` }),
    sees: "overlay",
  },
  {
    name: "the tag four times: head, body, document.write, and with its mode said",
    page: ({ tag }) =>
      hostPage({
        head: tag() + tag(),
        beforeMain: `<script>document.write(${inScript(tag())})</script>`,
        afterMain: tag({ "data-mode": "overlay" }),
      }),
    sees: "overlay",
  },
  {
    name: "a tag manager that sets the attributes",
    page: ({ service, pub, website }) =>
      hostPage({
        head: `<script>
          (function (d) {
            var s = d.createElement("script");
            s.async = true;
            s.src = "${service}/embed.js";
            s.setAttribute("data-pub", "${pub}");
            s.setAttribute("data-website", "${website}");
            d.head.appendChild(s);
          })(document);</script>`,
      }),
    sees: "overlay",
  },
  {
    name: "a tag manager that strips the attributes, beside a queued init",
    page: ({ service, pub, website }) =>
      hostPage({
        head: `<script>
          window.offerService = window.offerService || function () {
            (offerService.q = offerService.q || []).push(arguments);
          };
          offerService("init", { pub: "${pub}", website: "${website}" });
          (function (d) {
            var s = d.createElement("script");
            s.async = true;
            s.src = "${service}/embed.js";
            d.head.appendChild(s);
          })(document);</script>`,
      }),
    sees: "overlay",
  },
  {
    name: "the tag put in after the page has loaded",
    page: (keys) => hostPage({ head: `<script>${tagPutIn(keys)}</script>` }),
    sees: "overlay",
  },
  {
    name: "the tag as a module, where no script is the current one",
    // WebKit refuses as a module a file that its cache has from an earlier page as a plain script.
    isFirstPage: true,
    page: ({ tag }) => hostPage({ head: tag({ async: null, type: "module" }) }),
    sees: "overlay",
  },
  {
    name: "a tag that names no website",
    page: ({ tag }) => hostPage({ head: tag({ "data-website": null }) }),
    sees: "nothing",
    decisions: 0,
  },
  {
    name: "an address with 65 KB of hash",
    page: ({ tag }) => hostPage({ head: tag() }),
    addressTail: `#${"a".repeat(65 * 1024)}`,
    sees: "overlay",
  },
];

/** A text as a literal of an inline script, which it does not end. */
const inScript = (html: string): string => JSON.stringify(html).replaceAll("</", "<\\/");
