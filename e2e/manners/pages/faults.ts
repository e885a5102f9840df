import type { CannedAnswer, Tamper } from "../../wire.ts";
import { type HostPageCase, hostPage, type Keys } from "../host-page.ts";
import { until } from "../visit-page.ts";

const article = ({ tag }: Keys) => hostPage({ head: tag() });
const impatientArticle = ({ tag }: Keys) => hostPage({ head: tag(), hasLimits: true });

const json = { "content-type": "application/json", "access-control-allow-origin": "*" };
const script = { ...json, "content-type": "text/javascript" };

/** A page whose decision is answered in the service's place; the browser reports the failure in its console. */
const onDecision = (name: string, answer: CannedAnswer | "drop"): HostPageCase => ({
  name,
  page: article,
  sees: "nothing",
  tamper: ({ path }) => (path === "/v1/decision" ? answer : null),
  browserComplains: true,
});

const withoutFiles: Tamper = ({ path }) =>
  path.startsWith("/c/")
    ? { status: 404, headers: { ...script, "cache-control": "no-store" }, body: "" }
    : null;

const never = new Promise<void>(() => undefined);

/** Services that fail in every way; the page must not notice. */
export const faultPages: readonly HostPageCase[] = [
  onDecision("a service that is overloaded", {
    status: 503,
    headers: { ...json, "retry-after": "1" },
    body: '{"code":"overloaded"}',
  }),
  onDecision("too many requests", {
    status: 429,
    headers: { ...json, "retry-after": "1" },
    body: '{"code":"rate_limited"}',
  }),
  onDecision("an answer of nonsense", { status: 200, headers: json, body: '{"allowed":"no"}' }),
  onDecision("half an answer", { status: 200, headers: json, body: '{"allowed":false,"requestId":"req' }),
  onDecision("an answer that no page may read", {
    status: 200,
    body: '{"allowed":false,"requestId":"req_x"}',
  }),
  {
    ...onDecision("a connection that breaks", "drop"),
    // With a connection of its own: over one that the script has come over, browsers by themselves ask once more.
    page: ({ tag }) => hostPage({ head: tag({ crossorigin: null }) }),
  },
  {
    name: "a service that never answers",
    page: impatientArticle,
    sees: "nothing",
    tamper: ({ path }) => (path === "/v1/decision" ? never : null),
    first: ({ untilRequest }) => untilRequest("/v1/decision", "abandoned"),
    browserComplains: true,
  },
  {
    name: "offers that never come",
    page: impatientArticle,
    sees: "nothing",
    pings: 1,
    tamper: ({ path }) => (path === "/v1/offers" ? never : null),
    first: ({ untilRequest }) => untilRequest("/v1/offers", "abandoned"),
    browserComplains: true,
  },
  {
    name: "an overlay whose file is gone",
    page: ({ tag, service, alias }) => hostPage({ head: tag().replace(service, alias("gone")) }),
    sees: "nothing",
    pings: 1,
    tamper: withoutFiles,
    browserComplains: true,
  },
  {
    name: "tags of which the commands' file is gone",
    page: ({ tag, service, alias }) => {
      const tags = [tag({ "data-mode": "section" }), tag({ "data-mode": "none" })].join("\n");
      return hostPage({ head: tags.replaceAll(service, alias("gone")) });
    },
    sees: "nothing",
    decisions: 0,
    tamper: withoutFiles,
    first: ({ requests }) =>
      until(() => requests().some(({ status }) => status === 404), true, "a file that is not there"),
    browserComplains: true,
  },
  {
    name: "commands whose file comes with the second of them",
    // Another page would have left the file in the cache.
    isFirstPage: true,
    page: ({ tag }) => hostPage({ head: tag({ "data-trigger": "manual" }) }),
    sees: "overlay",
    tamper: withoutFiles,
    first: async ({ wire, requests, settle, run }) => {
      const isRefused = () => requests().some(({ status }) => status === 404);
      await until(isRefused, true, "a file that is not there");
      await settle();
      wire.tamper = null;
      await run(() => {
        Reflect.get(window, "offerService")("open");
        return null;
      });
    },
    browserComplains: true,
  },
  {
    name: "a page on an origin that the website is not registered for",
    page: article,
    website: "elsewhere",
    sees: "nothing",
    browserComplains: true,
  },
  {
    name: "a visitor who is let through",
    isSmoke: true,
    page: article,
    website: "open",
    sees: "nothing",
    pings: 1,
  },
];
