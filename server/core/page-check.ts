import { frequencies, overlayPlacements, triggers } from "@offers/contract/words";
import { addressAside, type Hold, holdOf } from "./held-script.ts";
import { type InitCall, readInitCalls } from "./init-calls.ts";
import { policyRefusals } from "./page-policy.ts";
import { type ElementTag, readHtml } from "./page-tags.ts";

/** How often each website's pages are looked at within an hour for whoever asks the service. */
export const checksAnHour = 6;

/** What came of fetching a page. */
export type SeenPage =
  /** `why` goes on after the page's address: "answered 404". */
  | { outcome: "unreachable"; why: string }
  /** It leads to a page of an origin that is not the website's. */
  | { outcome: "elsewhere"; origin: string }
  | {
      outcome: "page";
      /** Where it was found, after redirections. */
      url: string;
      html: string;
      /** False: it was too large, and `html` is its beginning. */
      isWhole: boolean;
      /** Its Content-Security-Policy headers. */
      policies: readonly string[];
    };

/** What the page should have. */
export type WantedTag = {
  /** The service's origin, without a slash behind it. */
  baseUrl: string;
  publicKey: string;
  websiteKey: string;
};

/** What is the matter with a page, and exactly where. */
export type PageFinding =
  | { code: "unreachable"; why: string }
  | { code: "redirects_elsewhere"; origin: string }
  /** `isWhole` false: of a page that is too large the beginning was read. `isText`: it stands in a text or a comment. */
  | { code: "tag_missing"; isWhole: boolean; isText?: true }
  | { code: "two_tags"; tags: number }
  /** `isInit`: a call of `init` says so, in place of the attribute. */
  | { code: "tag_altered"; attribute: string; found: string; wanted: string; isInit?: true }
  /** The attribute that keeps the browser from running the tag, and the tool that writes it so, where one is known. */
  | { code: "blocked_by_consent"; attribute: string; tool: string | null }
  | { code: "delayed_by_optimiser"; attribute: string; tool: string }
  | { code: "not_run"; attribute: string }
  /** `line`: the directive as it would have to be; null: none would do. */
  | { code: "csp"; directive: string; place: "header" | "meta"; stops: string; line: string | null };

/** What keeps a page's tag from working, of what its HTML and its headers tell. Empty: nothing of that. */
export function pageFindings(page: SeenPage, wanted: WantedTag): PageFinding[] {
  switch (page.outcome) {
    case "unreachable":
      return [{ code: "unreachable", why: page.why }];
    case "elsewhere":
      return [{ code: "redirects_elsewhere", origin: page.origin }];
    case "page":
      return findingsIn(page, wanted);
    default:
      return page satisfies never;
  }
}

/** More tags of the service no page has that people made. */
const tagsMost = 10;

const findingsIn = (page: SeenPage & { outcome: "page" }, wanted: WantedTag): PageFinding[] => {
  const { tags: elements, text } = readHtml(page.html);
  const pageUrl = baseOf(elements, page.url);
  const initCalls = readInitCalls(elements);
  const tags = elements
    .flatMap((element) => serviceTag(element, pageUrl, wanted) ?? [])
    .slice(0, tagsMost)
    .map((tag) => ({ ...tag, init: saidBy(tag, initCalls, wanted) }));
  const own = tags.filter(({ website, init }) => (website || init?.website) === wanted.websiteKey);
  const [tag = tags[0]] = own;
  if (tag === undefined) {
    const isText = text.includes(wanted.websiteKey) || text.includes(`${wanted.baseUrl}/embed.js`);
    return [{ code: "tag_missing", isWhole: page.isWhole, ...(isText && { isText }) }];
  }
  // A second script without keys loads what is there already.
  const overlays = own.filter(({ mode, website }) => mode === "overlay" && website !== "");
  const policies = [
    ...page.policies.map((text) => ({ place: "header" as const, text })),
    ...elements.flatMap((element) => policyOf(element) ?? []),
  ];
  return [
    ...(overlays.length > 1 ? [{ code: "two_tags" as const, tags: overlays.length }] : []),
    ...alterations(tag, wanted),
    ...held(tag),
    ...policyRefusals(policies, {
      pageUrl: page.url,
      scriptUrl: `${wanted.baseUrl}/embed.js`,
      serviceOrigin: new URL(wanted.baseUrl).origin,
      nonce: nonceOf(tag.element),
      inline: tag.init && inlineOf(tag.init.script),
    }).map((refusal) => ({ code: "csp" as const, ...refusal })),
  ];
};

const inlineOf = (script: ElementTag): { text: string; nonce: string | null } | null =>
  script.attributes.has("src") ? null : { text: script.text, nonce: nonceOf(script) };

const nonceOf = ({ attributes }: ElementTag): string | null => attributes.get("nonce") ?? null;

/** A longer address would be read anew, and kept, for each of a page's thousands of scripts. */
const longestBase = 512;

/** What a page's addresses are relative to: its base, or its own address, of which the query says nothing; of a long one its host. */
const baseOf = (elements: readonly ElementTag[], pageUrl: string): string => {
  const base = elements.find(({ name }) => name === "base")?.attributes.get("href");
  const url = (base !== undefined && URL.parse(base, pageUrl)) || new URL(pageUrl);
  const plain = withoutQuery(url.href);
  return plain.length <= longestBase ? plain : `${url.origin}/`;
};

type ServiceTag = { element: ElementTag; src: string; pub: string; website: string; mode: string };

/** A tag with what a call of `init` says in place of its attributes. */
type SaidTag = ServiceTag & { init: InitCall | null };

/** The script of a tag of this service, however it was changed; null: it is another script. */
const serviceTag = (element: ElementTag, pageUrl: string, wanted: WantedTag): ServiceTag | null => {
  if (element.name !== "script") return null;
  const { attributes } = element;
  const address = attributes.get("src") ?? addressAside(attributes)?.address ?? "";
  const src = (address !== "" && URL.parse(address, pageUrl)?.href) || address;
  const pub = attributes.get("data-pub") ?? "";
  const website = attributes.get("data-website") ?? "";
  const isIt =
    withoutQuery(src) === `${wanted.baseUrl}/embed.js` ||
    website === wanted.websiteKey ||
    (attributes.has("data-website") && attributes.has("data-pub"));
  return isIt ? { element, src, pub, website, mode: attributes.get("data-mode") || "overlay" } : null;
};

const withoutQuery = (url: string): string => url.split(/[?#]/, 1)[0] ?? "";

/** The call that says what the tag's attributes do not; null: they say it all, or nothing else does. */
const saidBy = (
  { element, pub, website }: ServiceTag,
  initCalls: (functionName: string) => readonly InitCall[],
  wanted: WantedTag,
): InitCall | null => {
  if (pub !== "" && website !== "") return null;
  const calls = initCalls(element.attributes.get("data-global") || "offerService");
  const of = (key: string | null) => calls.find((call) => call.website === key);
  if (website !== "") return of(website) ?? of(null) ?? null;
  return of(wanted.websiteKey) ?? of(null) ?? calls[0] ?? null;
};

const alterations = ({ element, src, pub, website, init }: SaidTag, wanted: WantedTag): PageFinding[] => {
  const script = `${wanted.baseUrl}/embed.js`;
  const keys = [
    { attribute: "data-pub", found: pub, said: init?.pub, right: wanted.publicKey },
    { attribute: "data-website", found: website, said: init?.website, right: wanted.websiteKey },
  ];
  return [
    ...(withoutQuery(src) === script ? [] : [altered("src", src, script)]),
    ...keys.flatMap(({ attribute, found, said, right }): PageFinding[] => {
      if (found !== "" || said === undefined)
        return found === right ? [] : [altered(attribute, found, right)];
      // What a variable says, nobody sees here.
      return said === null || said === right
        ? []
        : [{ ...altered(attribute, said, right), isInit: true as const }];
    }),
    ...Object.entries(words).flatMap(([attribute, known]) => {
      const found = element.attributes.get(attribute) ?? "";
      return found === "" || known.includes(found) ? [] : [altered(attribute, found, known.join(", "))];
    }),
    // The script changes with each release.
    ...[element.attributes.get("integrity") ?? ""].flatMap((hash) =>
      hash === "" ? [] : [altered("integrity", hash, "")],
    ),
  ];
};

const altered = (attribute: string, found: string, wanted: string) => ({
  code: "tag_altered" as const,
  attribute,
  found: found.slice(0, 200),
  wanted,
});

/** Attributes that know these words alone: by another the tag does nothing by itself, or what the website's setting says. */
const words: Readonly<Record<string, readonly string[]>> = {
  "data-mode": ["overlay", "section", "none"],
  "data-trigger": triggers,
  "data-frequency": frequencies,
  "data-placement": overlayPlacements,
  "data-consent": ["none", "tcf", "gpp", "manual"],
};

/** What holds the tag back, or the call that says what it is to do. */
const held = ({ element, init }: SaidTag): PageFinding[] => {
  const hold = holdOf(element.attributes) ?? init?.hold ?? null;
  return hold === null ? [] : [heldBy(hold)];
};

const heldBy = ({ kind, tool, attribute }: Hold): PageFinding => {
  if (kind === "optimiser") return { code: "delayed_by_optimiser", attribute, tool };
  if (kind === "consent") return { code: "blocked_by_consent", attribute, tool };
  return { code: "not_run", attribute };
};

const policyOf = ({ name, attributes }: ElementTag): { place: "meta"; text: string } | null => {
  const isPolicy =
    name === "meta" && attributes.get("http-equiv")?.toLowerCase() === "content-security-policy";
  return isPolicy ? { place: "meta", text: attributes.get("content") ?? "" } : null;
};
