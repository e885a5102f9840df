import { addressAside, type Hold, holdOf } from "./held-script.ts";
import { policyRefusals } from "./page-policy.ts";
import { type ElementTag, readTags } from "./page-tags.ts";

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
  /** `isWhole` false: of a page that is too large the beginning was read. */
  | { code: "tag_missing"; isWhole: boolean }
  | { code: "two_tags"; tags: number }
  | { code: "tag_altered"; attribute: string; found: string; wanted: string }
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

const findingsIn = (page: SeenPage & { outcome: "page" }, wanted: WantedTag): PageFinding[] => {
  const elements = readTags(page.html);
  const pageUrl = baseOf(elements, page.url);
  const tags = elements.flatMap((element) => serviceTag(element, pageUrl, wanted) ?? []);
  const own = tags.filter(({ website }) => website === wanted.websiteKey);
  const [tag = tags[0]] = own;
  if (tag === undefined) return [{ code: "tag_missing", isWhole: page.isWhole }];
  const overlays = own.filter(({ mode }) => mode === "overlay");
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
    }).map((refusal) => ({ code: "csp" as const, ...refusal })),
  ];
};

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

const alterations = ({ element, src, pub, website }: ServiceTag, wanted: WantedTag): PageFinding[] => {
  const script = `${wanted.baseUrl}/embed.js`;
  const keys = [
    { attribute: "data-pub", found: pub, right: wanted.publicKey },
    { attribute: "data-website", found: website, right: wanted.websiteKey },
  ];
  return [
    ...(withoutQuery(src) === script ? [] : [altered("src", src, script)]),
    ...keys.flatMap(({ attribute, found, right }) =>
      found === right ? [] : [altered(attribute, found, right)],
    ),
    ...Object.entries(words).flatMap(([attribute, known]) => {
      const found = element.attributes.get(attribute) ?? "";
      return found === "" || known.includes(found) ? [] : [altered(attribute, found, known.join(", "))];
    }),
  ];
};

const altered = (attribute: string, found: string, wanted: string) => ({
  code: "tag_altered" as const,
  attribute,
  found: found.slice(0, 200),
  wanted,
});

/** Attributes by which another word than these has the tag do nothing by itself. */
const words: Readonly<Record<string, readonly string[]>> = {
  "data-mode": ["overlay", "section", "none"],
  "data-consent": ["none", "tcf", "gpp", "manual"],
};

/** What holds the tag back. */
const held = ({ element }: ServiceTag): PageFinding[] => {
  const hold = holdOf(element.attributes);
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
