/** What keeps a browser from running a script that stands in a page. */
export type Hold = {
  /** The attribute that holds the script back. */
  attribute: string;
} & (
  | { kind: "optimiser"; tool: string }
  /** Null: several tools write it so. */
  | { kind: "consent"; tool: string | null }
  /** Tools of either kind write it so, or none that is known. */
  | { kind: "unknown"; tool: null }
);

type Attributes = ReadonlyMap<string, string>;

type Tool = {
  name: string;
  /** The type that it gives to a script. */
  type?: RegExp;
  /** Attributes that nobody else gives to one; `[name, value]` where the value tells. */
  marks?: readonly (RegExp | readonly [name: string, value: RegExp])[];
};

/** An optimiser, with how it is told to leave a script alone; each as its documentation says. */
type Optimiser = Tool & { wayOut: string };

/** Tools that run scripts later than the page says, most of them with the visitor's first key, press or scroll. */
const optimisers: readonly Optimiser[] = [
  {
    name: "WP Rocket",
    type: /^(text\/)?rocketlazyloadscript$/i,
    marks: [/^data-rocket-(src|type)$/, /^data-rocketlazyloadscript$/],
    wayOut: "Put embed.js on its list of what is excluded from “Delay JavaScript execution”",
  },
  {
    name: "LiteSpeed Cache",
    type: /^litespeed\/javascript$/i,
    marks: [/^data-litespeed-src$/],
    wayOut: "Put embed.js on its list “JS Deferred / Delayed Excludes”, under Page Optimization, Tuning",
  },
  {
    name: "Cloudflare Rocket Loader",
    type: /^[\da-f]+-(text\/javascript|application\/javascript|module)?$/i,
    wayOut: 'Write data-cfasync="false" into the tag, before src',
  },
  {
    name: "Perfmatters",
    type: /^pmdelayedscript$/i,
    marks: [/^data-pmdelayedscript$/, /^data-perfmatters-type$/],
    wayOut: "Put embed.js on its list of what is excluded from “Delay JavaScript”",
  },
  {
    name: "Flying Scripts",
    marks: [["data-type", /^lazy$/i]],
    wayOut: "Take the word that names the tag off its list of keywords",
  },
  {
    name: "Hummingbird",
    type: /^wphb-delay-type$/i,
    wayOut: "Put embed.js on its list of what is excluded from “Delay JavaScript Execution”",
  },
  {
    name: "WP Meteor",
    marks: [/^data-wpmeteor-(src|type)$/],
    wayOut: 'Write data-wpmeteor-nooptimize="true" into the tag',
  },
  {
    name: "W3 Total Cache",
    marks: [["data-lazy", /^w3tc$/i]],
    wayOut: "Take the word that names the tag off its list “Delay Scripts”",
  },
  {
    name: "NitroPack",
    type: /^nitropack\//i,
    wayOut: "Write nitro-exclude into the tag",
  },
  {
    name: "10Web Booster",
    marks: [/^data-two_delay_src$/],
    wayOut: "Put embed.js on its list of what is excluded from delaying",
  },
  {
    name: "PageSpeed",
    type: /^text\/(priority)?psajs$/i,
    marks: [/^(data-)?pagespeed[-_]orig[-_]src$/],
    wayOut: "Write data-pagespeed-no-defer into the tag",
  },
];

/** Tools that run scripts once their visitor has agreed. */
const consentTools: readonly Tool[] = [
  { name: "Cookiebot", marks: [/^data-cookieconsent$/, /^data-cookieblock-src$/] },
  { name: "OneTrust", marks: [["class", /\boptanon-category-/i]] },
  { name: "Usercentrics", marks: [/^data-usercentrics$/, /^data-uc-src$/] },
  { name: "consentmanager", marks: [["class", /\bcmplazyload\b/i], /^data-cmp-(src|vendor)$/] },
  { name: "Complianz", marks: [/^data-cmplz-src$/, /^data-service$/] },
  { name: "Borlabs Cookie", marks: [/^data-borlabs-/] },
  { name: "Real Cookie Banner", marks: [/^consent-(original-src|required|by)/] },
  { name: "iubenda", marks: [["class", /\b_iub_cs_activate/], /^(data-)?suppressedsrc$/] },
  { name: "Didomi", type: /^didomi\/javascript$/i },
  { name: "CookieYes", marks: [/^data-cookieyes$/, /^data-cli-/] },
  { name: "CookieFirst", marks: [/^data-cookiefirst-category$/] },
  { name: "CookieScript", marks: [/^data-cookiescript$/] },
  { name: "Termly", marks: [/^data-categories$/] },
  { name: "TrustArc", marks: [["class", /\btrustecm\b/i]] },
];

/** The types of a script that browsers run (HTML, "JavaScript MIME type"), as far as pages write them. */
const runs = /^(module|(text|application)\/(x-)?(java|ecma)script)?$/i;

/** What holds a script back: another type, or its address in another attribute; null: nothing, it runs as it comes. */
export function holdOf(attributes: Attributes): Hold | null {
  const type = (attributes.get("type") ?? "").trim();
  const aside = addressAside(attributes)?.attribute;
  const isMistyped = !runs.test(type);
  // Only browsers that know no modules run that.
  const isForOld = attributes.has("nomodule") && !/^module$/i.test(type);
  if (isForOld && !isMistyped) return { kind: "unknown", tool: null, attribute: "nomodule" };
  if (!isMistyped && (attributes.has("src") || aside === undefined)) return null;
  const attribute = isMistyped ? `type="${type.slice(0, 100)}"` : (aside ?? "");
  const made = (one: Tool) => isMadeBy(one, type, attributes);
  const optimiser = optimisers.find(made);
  if (optimiser) return { kind: "optimiser", tool: optimiser.name, attribute };
  const consent = consentTools.find(made);
  if (consent) return { kind: "consent", tool: consent.name, attribute };
  const kind = /^text\/plain$/i.test(type) ? "consent" : "unknown";
  return { kind, tool: null, attribute };
}

/** How an optimiser is told to leave the tag alone, as the beginning of a sentence; of one that is not known, in general. */
export function wayOutOf(tool: string): string {
  return optimisers.find(({ name }) => name === tool)?.wayOut ?? "Have it leave embed.js alone";
}

/** A script's address where a tool has put it out of the browser's reach. */
export function addressAside(attributes: Attributes): { attribute: string; address: string } | null {
  for (const [attribute, address] of attributes) {
    if (isAside.test(attribute) && address !== "") return { attribute, address };
  }
  return null;
}

/** Names of attributes such as `data-src` and `consent-original-src-_`, and two that tools name after themselves. */
const isAside = /^.+src(-_)?$|^data-(rocketlazyloadscript|pmdelayedscript)$/;

const isMadeBy = ({ type: own, marks = [] }: Tool, type: string, attributes: Attributes): boolean =>
  own?.test(type) === true ||
  marks.some((mark) =>
    mark instanceof RegExp
      ? [...attributes.keys()].some((name) => mark.test(name))
      : mark[1].test(attributes.get(mark[0]) ?? ""),
  );
