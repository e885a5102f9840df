import { expect } from "@playwright/test";
import { type HostPageCase, hostPage, type Keys } from "../host-page.ts";

const nonce = "c2VhLWJyZWV6ZQ";

/** An article under a content security policy; the watching script comes from the page's own origin. */
const under = ({ tag }: Keys, policy: readonly string[], withNonce = false) =>
  hostPage({
    ...(withNonce ? { nonce } : {}),
    head: tag(withNonce ? { nonce } : {}),
    // Pictures of the page's origin are allowed: some browsers report a violation for the icon that they look for.
    headers: { "content-security-policy": [...policy, "img-src 'self'"].join("; ") },
  });

const connect = ({ service }: Keys) => `connect-src ${service}`;

/** Pages under policies of careful publishers. */
export const policyPages: readonly HostPageCase[] = [
  {
    name: "scripts by nonce alone",
    page: (keys) => under(keys, ["default-src 'none'", `script-src 'nonce-${nonce}'`, connect(keys)], true),
    sees: "overlay",
  },
  {
    name: "scripts by nonce, and what they load in turn",
    page: (keys) =>
      under(
        keys,
        ["default-src 'none'", `script-src 'nonce-${nonce}' 'strict-dynamic'`, connect(keys)],
        true,
      ),
    sees: "overlay",
  },
  {
    name: "scripts from listed hosts",
    page: (keys) => under(keys, ["default-src 'self'", `script-src 'self' ${keys.service}`, connect(keys)]),
    sees: "overlay",
  },
  {
    name: "no style at all",
    page: (keys) =>
      under(keys, [
        "default-src 'none'",
        `script-src 'self' ${keys.service}`,
        "style-src 'none'",
        connect(keys),
      ]),
    sees: "overlay",
  },
  {
    name: "trusted types enforced, and none of them allowed",
    page: (keys) =>
      under(keys, [
        `script-src 'self' ${keys.service}`,
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]),
    sees: "overlay",
  },
  {
    name: "everything forbidden that can be, at once",
    isSmoke: true,
    page: (keys) =>
      under(
        keys,
        [
          "default-src 'none'",
          `script-src 'nonce-${nonce}'`,
          connect(keys),
          "style-src 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types 'none'",
          "base-uri 'none'",
          "form-action 'none'",
        ],
        true,
      ),
    sees: "overlay",
  },
  {
    name: "a page that isolates itself (COOP and COEP)",
    page: ({ tag }) =>
      hostPage({
        head: tag({ crossorigin: null }),
        headers: {
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-embedder-policy": "require-corp",
        },
      }),
    sees: "overlay",
    meanwhile: async ({ view }) => expect((await view()).isolated, "the page is isolated").toBe(true),
  },
  {
    name: "the loader allowed by its path, and nothing that it loads",
    page: (keys) =>
      under(keys, ["default-src 'none'", `script-src 'self' ${keys.service}/embed.js`, connect(keys)]),
    sees: "nothing",
    pings: 1,
    violations: ["script-src-elem"],
    browserComplains: true,
  },
  {
    name: "no connection to the service allowed",
    page: (keys) => under(keys, ["default-src 'none'", `script-src 'self' ${keys.service}`]),
    sees: "nothing",
    decisions: 0,
    violations: ["connect-src"],
    browserComplains: true,
  },
  {
    name: "the loader itself not allowed",
    page: (keys) => under(keys, ["default-src 'none'", "script-src 'self'", connect(keys)]),
    sees: "nothing",
    decisions: 0,
    violations: ["script-src-elem"],
    browserComplains: true,
  },
];
