import { createHash } from "node:crypto";

/** One Content-Security-Policy header or meta element. */
export type GivenPolicy = { place: "header" | "meta"; text: string };

/** What the policies have to let through. */
export type PolicySubject = {
  pageUrl: string;
  /** The loader's address; what it imports lies beside it. */
  scriptUrl: string;
  serviceOrigin: string;
  /** The tag's `nonce`; null: it has none. */
  nonce: string | null;
  /** A script within the page that the tag needs as well, with its `nonce`; null: it needs none. */
  inline: { text: string; nonce: string | null } | null;
};

/** A directive that stops the tag. */
export type PolicyRefusal = {
  /** As the page has it, with its sources. */
  directive: string;
  place: GivenPolicy["place"];
  /** What it stops, in words. */
  stops: string;
  /** The directive as it would let the tag work; null: nothing that is added to it would do. */
  line: string | null;
};

/** More policies, and longer ones, no page has that people made; they are looked at no further. */
const policiesMost = 20;
const lengthMost = 16_384;

/**
 * The directives of a page's policies that keep the loader from being run or from calling the service, by CSP level 3. A call
 * needs the consent of every policy, so each is judged by itself. Directives on styles and pictures are none of them: the
 * overlay does without.
 */
export function policyRefusals(policies: readonly GivenPolicy[], subject: PolicySubject): PolicyRefusal[] {
  return policies
    .flatMap(({ place, text }) => text.split(",", policiesMost).map((one) => ({ place, one })))
    .slice(0, policiesMost)
    .filter(({ one }) => one.length <= lengthMost)
    .map(({ place, one }) => ({ place, directives: directivesOf(one) }))
    .flatMap(({ place, directives }) =>
      [
        sandboxRefusal(directives),
        scriptRefusal(directives, subject),
        inlineRefusal(directives, subject),
        connectRefusal(directives, subject),
      ]
        .filter((refusal) => refusal !== null)
        .map((refusal) => ({ ...refusal, place })),
    );
}

type Directive = { name: string; sources: readonly string[] };
type Refusal = Omit<PolicyRefusal, "place">;

/** Of two directives of one name the first counts. */
const directivesOf = (policy: string): ReadonlyMap<string, Directive> => {
  const directives = new Map<string, Directive>();
  for (const part of policy.split(";")) {
    const [name = "", ...sources] = part.trim().split(/\s+/);
    const key = name.toLowerCase();
    if (key !== "" && !directives.has(key)) directives.set(key, { name: key, sources });
  }
  return directives;
};

const firstOf = (directives: ReadonlyMap<string, Directive>, ...names: string[]): Directive | null =>
  names.map((name) => directives.get(name)).find((one) => one !== undefined) ?? null;

const textOf = ({ name, sources }: Directive): string => [name, ...sources].join(" ");

const sandboxRefusal = (directives: ReadonlyMap<string, Directive>): Refusal | null => {
  const sandbox = directives.get("sandbox");
  if (sandbox === undefined || sandbox.sources.some((one) => one.toLowerCase() === "allow-scripts"))
    return null;
  return {
    directive: textOf(sandbox),
    stops: "every script of the page",
    line: `${textOf(sandbox)} allow-scripts`,
  };
};

const onScripts = (directives: ReadonlyMap<string, Directive>): Directive | null =>
  firstOf(directives, "script-src-elem", "script-src", "default-src");

const allowsNonce = ({ sources }: Directive, nonce: string | null): boolean =>
  nonce !== null && nonce !== "" && sources.includes(`'nonce-${nonce}'`);

const scriptRefusal = (
  directives: ReadonlyMap<string, Directive>,
  { pageUrl, scriptUrl, serviceOrigin, nonce }: PolicySubject,
): Refusal | null => {
  const directive = onScripts(directives);
  // What a script with the nonce imports may be run as well.
  if (directive === null || allowsNonce(directive, nonce)) return null;
  const { sources } = directive;
  const isStrict = sources.some((one) => one.toLowerCase() === "'strict-dynamic'");
  const refusal = { directive: textOf(directive), stops: "the script" };
  // It makes a browser overlook addresses.
  if (isStrict) return { ...refusal, line: null };
  const chunkUrl = new URL("c/any.js", scriptUrl).href;
  if (allows(sources, scriptUrl, pageUrl) && allows(sources, chunkUrl, pageUrl)) return null;
  return { ...refusal, line: widened(directive, "script-src", serviceOrigin) };
};

/** What such a refusal stops. */
export const callOfInit = "the script in the page that calls init";

/** Of a script within the page: its nonce, its hash, or all such scripts where neither is asked for (CSP 3, section 6.7.3.3). */
const inlineRefusal = (
  directives: ReadonlyMap<string, Directive>,
  { inline }: PolicySubject,
): Refusal | null => {
  const directive = onScripts(directives);
  if (directive === null || inline === null || allowsNonce(directive, inline.nonce)) return null;
  const { sources } = directive;
  const named = sources.map((one) => one.toLowerCase());
  const asksForMore = named.some((one) => /^'(nonce-|sha\d+-|strict-dynamic')/.test(one));
  if (named.includes("'unsafe-inline'") && !asksForMore) return null;
  // As a browser reads the page.
  const text = inline.text.replaceAll(/\r\n?/g, "\n");
  const hashes = ["sha256", "sha384", "sha512"].map(
    (algorithm) => `'${algorithm}-${createHash(algorithm).update(text).digest("base64")}'`,
  );
  if (hashes.some((hash) => sources.includes(hash))) return null;
  const line = widened(directive, "script-src", hashes[0] ?? "");
  return { directive: textOf(directive), stops: callOfInit, line };
};

const connectRefusal = (
  directives: ReadonlyMap<string, Directive>,
  { pageUrl, serviceOrigin }: PolicySubject,
): Refusal | null => {
  const directive = firstOf(directives, "connect-src", "default-src");
  if (directive === null || allows(directive.sources, `${serviceOrigin}/v1/decision`, pageUrl)) return null;
  return {
    directive: textOf(directive),
    stops: "its calls",
    line: widened(directive, "connect-src", serviceOrigin),
  };
};

/** With the service, or a hash, among its sources. Where `default-src` stands in, a directive of its own takes over what that allowed. */
const widened = ({ name, sources }: Directive, own: string, added: string): string => {
  const kept = sources.filter((one) => one.toLowerCase() !== "'none'");
  return [name === "default-src" ? own : name, ...kept, added].join(" ");
};

const allows = (sources: readonly string[], target: string, pageUrl: string): boolean => {
  const url = new URL(target);
  const page = new URL(pageUrl);
  return sources.some((source) => matches(source, url, page));
};

const networkSchemes: ReadonlySet<string> = new Set(["http:", "https:"]);
const hostSource =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_.-]+|\[[0-9a-f:]+\])(?::(\d+|\*))?(\/.*)?$/i;

/** Whether a source expression lets an address through (CSP 3, section 6.7.2.6). */
const matches = (source: string, url: URL, page: URL): boolean => {
  if (source === "*") return networkSchemes.has(url.protocol) || url.protocol === page.protocol;
  if (source.toLowerCase() === "'self'") return url.origin === page.origin || isUpgraded(page, url);
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return schemeMatches(source.toLowerCase(), url);
  const [, scheme, host = "", port, path = ""] = hostSource.exec(source) ?? [];
  if (host === "") return false;
  if (!schemeMatches(scheme === undefined ? page.protocol : `${scheme.toLowerCase()}:`, url)) return false;
  return hostMatches(host.toLowerCase(), url) && portMatches(port, url) && pathMatches(path, url);
};

/** The same page over TLS counts as itself. */
const isUpgraded = (page: URL, url: URL): boolean =>
  page.hostname === url.hostname && page.protocol === "http:" && url.protocol === "https:" && url.port === "";

/** Plain http stands for both. */
const schemeMatches = (scheme: string, url: URL): boolean =>
  scheme === url.protocol || (scheme === "http:" && url.protocol === "https:");

const hostMatches = (host: string, { hostname }: URL): boolean => {
  if (host === "*") return true;
  return host.startsWith("*.") ? hostname.endsWith(host.slice(1)) : hostname === host;
};

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

const portMatches = (port: string | undefined, url: URL): boolean => {
  const own = url.port || (defaultPorts[url.protocol] ?? "");
  if (port === "*") return true;
  if (port === undefined) return own === defaultPorts[url.protocol];
  return port === own || (port === "80" && own === "443");
};

/** Paths, unlike all else, are told apart by their case. */
const pathMatches = (path: string, { pathname }: URL): boolean => {
  if (path === "" || path === "/") return true;
  return path.endsWith("/") ? pathname.startsWith(path) : pathname === path;
};
