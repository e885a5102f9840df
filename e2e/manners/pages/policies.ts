import { createHash } from "node:crypto";
import { expect } from "@playwright/test";
import { tagPutIn } from "../../tag-put-in.ts";
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

/** The same with a script of the page's that puts the tag in; `scripts` is the `script-src`, which allows it by hash or nonce. */
const puttingIn = (keys: Keys, scripts: string, more: readonly string[] = []) => {
  const own = scripts.includes("sha256") ? "" : ` nonce="${nonce}"`;
  const policy = ["default-src 'none'", `script-src ${scripts}`, connect(keys), "img-src 'self'", ...more];
  return hostPage({
    nonce,
    head: `<script${own}>${tagPutIn(keys)}</script>`,
    headers: { "content-security-policy": policy.join("; ") },
  });
};
const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

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
    name: "a tag that a script puts in, with a list of hosts",
    page: (keys) => puttingIn(keys, `'self' ${keys.service} ${hashOf(tagPutIn(keys))}`),
    sees: "overlay",
  },
  {
    name: "a tag that a script puts in, by its nonce alone",
    page: (keys) => puttingIn(keys, `'nonce-${nonce}'`),
    sees: "overlay",
  },
  {
    name: "a tag that a script puts in which is allowed by its hash, and what it loads in turn",
    page: (keys) => puttingIn(keys, `${hashOf(tagPutIn(keys))} 'strict-dynamic' 'nonce-${nonce}'`),
    sees: "overlay",
  },
  {
    name: "a tag that a script puts in with a policy for trusted types, which are enforced",
    page: (keys) =>
      puttingIn(keys, `'nonce-${nonce}' 'strict-dynamic'`, [
        "require-trusted-types-for 'script'",
        "trusted-types offer-service",
      ]),
    sees: "overlay",
  },
  {
    name: "a tag that a script puts in, where trusted types are named and not enforced",
    page: (keys) => puttingIn(keys, `'nonce-${nonce}' 'strict-dynamic'`, ["trusted-types theirs"]),
    sees: "overlay",
    violations: ["trusted-types"],
    browserComplains: true,
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
