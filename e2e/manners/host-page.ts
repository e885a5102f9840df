import type { HostPage } from "../host-site.ts";
import type { Tamper } from "../wire.ts";
import type { EngineName, Visitor } from "./engine.ts";
import type { Visit } from "./visit-page.ts";

/** The addresses and keys with which a page's author writes the tag. */
export type Keys = {
  /** Where the embed and all its answers come from. */
  service: string;
  /** The address of the same service under another host name, of which no browser has cached anything. */
  alias: (name: string) => string;
  pub: string;
  website: string;
  /** The tag's one line; with more attributes, or without some (`null`). */
  tag: (attributes?: Record<string, string | null>) => string;
};

/**
 * One page that a publisher might have, and what has to be seen there. Beyond that, on every page: no error, no
 * complaint, no preflight, no shift, nothing stored, no name but the one that the publisher knows about.
 */
export type HostPageCase = {
  name: string;
  page: (keys: Keys) => HostPage;
  /**
   * `overlay`: it opens, is whole, and is gone after Escape. `section`: offers are drawn in the page, and are gone
   * when the page says so. `nothing`: the page stays as it was.
   */
  sees: "overlay" | "section" | "nothing";
  website?: "closed" | "open" | "elsewhere";
  visitor?: Visitor;
  /** The page is opened in a browser that has opened no other. */
  isFirstPage?: boolean;
  /** One of the few that every run of the tests opens in the other engines as well. */
  isSmoke?: boolean;
  /** Decisions that are asked for; 1 unless said. */
  decisions?: number;
  /** Offers that stand in the sections of the page; 3 unless said. */
  placed?: number;
  /** Pings that are sent; as many as decisions for an overlay, else 0, unless said. */
  pings?: number;
  /** Stands in for the service on some of its paths. */
  tamper?: Tamper;
  /** Is appended to the page's address, such as `#…`. */
  addressTail?: string;
  /** Names that the page itself adds to its window. */
  globals?: readonly string[];
  /** Directives of the page's own policy that are violated; the test waits until each has been. */
  violations?: readonly string[];
  /** The browser itself reports errors of the page, the policy or the service in its console. */
  browserComplains?: boolean;
  /** The page changes its own markup, so that it differs in the end. */
  changesItself?: boolean;
  /** Id of what has the focus in the end; the page's button unless said. */
  focused?: string;
  /** Runs before anything of ours is expected. */
  first?: (visit: Visit) => Promise<void>;
  /** Runs while the overlay stands, or when nothing more is to come. */
  meanwhile?: (visit: Visit) => Promise<void>;
  /** Engines that the page is skipped in, each with the reason. */
  not?: Partial<Record<EngineName, string>>;
};

type Parts = {
  doctype?: string;
  html?: string;
  head?: string;
  beforeMain?: string;
  afterMain?: string;
  body?: string;
  nonce?: string;
  /** What gives up after seconds does so, and does not wait for a machine that stands still. */
  hasLimits?: boolean;
  headers?: Record<string, string>;
};

/** An article with a button that has the focus; the parts make it odd. */
export function hostPage(parts: Parts): HostPage {
  return {
    html: `${parts.doctype ?? "<!doctype html>"}
<html ${parts.html ?? 'lang="en"'}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbour news</title>
<script src="/watch.js"${parts.nonce === undefined ? "" : ` nonce="${parts.nonce}"`}${parts.hasLimits ? " data-limits" : ""}></script>
${parts.head ?? ""}
</head>
<body ${parts.body ?? ""}>
${parts.beforeMain ?? ""}
<main>
<h1>The ferry is late again</h1>
<p>Everybody waits on the quay. <button id="host-button" autofocus>Read on</button></p>
</main>
${parts.afterMain ?? ""}
</body>
</html>`,
    headers: parts.headers ?? {},
  };
}
