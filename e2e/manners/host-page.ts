import type { HostPage } from "../host-site.ts";
import type { Tamper } from "../wire.ts";
import type { EngineName, Visitor } from "./engine.ts";
import type { Visit } from "./visit-page.ts";

/** What a page's author knows of the service. */
export type Keys = {
  /** Where the embed and all its answers come from. */
  service: string;
  /** The same service under another name: nothing of it is in any cache. */
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
  /** In a browser that has opened nothing yet. */
  isFirstPage?: boolean;
  /** Decisions that are asked for; 1 unless said. */
  decisions?: number;
  /** Pings that are sent; as many as decisions for an overlay, else 0, unless said. */
  pings?: number;
  /** Stands in for the service on some of its paths. */
  tamper?: Tamper;
  /** More of the address, as `#…`. */
  addressTail?: string;
  /** Names that the page gives its window itself. */
  globals?: readonly string[];
  /** Directives of the page's own policy that something runs into: waited for, when there are any. */
  violations?: readonly string[];
  /** The browser itself complains in its console of what the page, the policy or the service did. */
  browserComplains?: boolean;
  /** The page does not look afterwards as it did before, by its own doing. */
  changesItself?: boolean;
  /** Id of what has the focus in the end; the page's button unless said. */
  focused?: string;
  /** Before anything of ours may be expected. */
  first?: (visit: Visit) => Promise<void>;
  /** While the overlay stands, or when nothing more is to come. */
  meanwhile?: (visit: Visit) => Promise<void>;
  /** Engines that cannot be driven there, or cannot do it at all, and why. */
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
  headers?: Record<string, string>;
};

/** An article with something to focus; what is odd about it comes in parts. */
export function hostPage(parts: Parts): HostPage {
  return {
    html: `${parts.doctype ?? "<!doctype html>"}
<html ${parts.html ?? 'lang="en"'}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbour news</title>
<script src="/watch.js"${parts.nonce === undefined ? "" : ` nonce="${parts.nonce}"`}></script>
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
