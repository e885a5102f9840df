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
  /** The attribute that keeps the browser from running the tag. */
  | { code: "blocked_by_consent"; attribute: string }
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
      nonce: tag.element.attributes.get("nonce") ?? null,
    }).map((refusal) => ({ code: "csp" as const, ...refusal })),
  ];
};

/** A longer address would be read anew, and kept, for each of a page's thousands of scripts. */
const longestBase = 512;

/** What a page's addresses are relative to: its base, or its own address, of which the query says nothing; of a long one its host. */
const baseOf = (elements: readonly ElementTag[], pageUrl: string): string => {
  const base = elements.find(({ name }) => name === "base")?.attributes.get("href");
  const url = (base !== undefined && URL.parse(base, pageUrl)) || new URL(pageUrl);
  const plain = withoutQuery(url.href);
  return plain.length <= longestBase ? plain : `${url.origin}/`;
};

type ServiceTag = { element: ElementTag; src: string; website: string; mode: string };

/** Attributes that consent tools keep a script's address in until there is consent. */
const setAside = ["data-src", "data-cmp-src", "data-cookieblock-src", "data-suppressedsrc"];

/** The script of a tag of this service, however it was changed; null: it is another script. */
const serviceTag = (element: ElementTag, pageUrl: string, wanted: WantedTag): ServiceTag | null => {
  if (element.name !== "script") return null;
  const { attributes } = element;
  const own = attributes.get("src");
  const address = own ?? setAside.map((name) => attributes.get(name)).find((one) => one !== undefined) ?? "";
  const src = URL.parse(address, pageUrl)?.href ?? address;
  const website = attributes.get("data-website") ?? "";
  const isIt =
    withoutQuery(src) === `${wanted.baseUrl}/embed.js` ||
    website === wanted.websiteKey ||
    (attributes.has("data-website") && attributes.has("data-pub"));
  return isIt ? { element, src, website, mode: attributes.get("data-mode") || "overlay" } : null;
};

const withoutQuery = (url: string): string => url.split(/[?#]/, 1)[0] ?? "";

const alterations = ({ element, src }: ServiceTag, wanted: WantedTag): PageFinding[] => {
  const { attributes } = element;
  const script = `${wanted.baseUrl}/embed.js`;
  const pairs = [
    { attribute: "src", found: src, wanted: script, isRight: withoutQuery(src) === script },
    ...(["data-pub", "data-website"] as const).map((attribute) => {
      const found = attributes.get(attribute) ?? "";
      const right = attribute === "data-pub" ? wanted.publicKey : wanted.websiteKey;
      return { attribute, found, wanted: right, isRight: found === right };
    }),
  ];
  return pairs
    .filter(({ isRight }) => !isRight)
    .map(({ attribute, found, wanted: right }) => ({
      code: "tag_altered",
      attribute,
      found: found.slice(0, 200),
      wanted: right,
    }));
};

/** The types of a script that browsers run (HTML, "JavaScript MIME type"), as far as pages write them. */
const runs = /^(module|(text|application)\/(x-)?(java|ecma)script)?$/i;

/** What holds the tag back: another type, or its address in another attribute. */
const held = ({ element: { attributes } }: ServiceTag): PageFinding[] => {
  const type = attributes.get("type") ?? "";
  if (!runs.test(type.trim()))
    return [{ code: "blocked_by_consent", attribute: `type="${type.slice(0, 100)}"` }];
  const aside = setAside.find((name) => attributes.has(name));
  return attributes.has("src") || aside === undefined
    ? []
    : [{ code: "blocked_by_consent", attribute: aside }];
};

const policyOf = ({ name, attributes }: ElementTag): { place: "meta"; text: string } | null => {
  const isPolicy =
    name === "meta" && attributes.get("http-equiv")?.toLowerCase() === "content-security-policy";
  return isPolicy ? { place: "meta", text: attributes.get("content") ?? "" } : null;
};
