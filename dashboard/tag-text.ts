import type { Trigger } from "@offers/contract/words";
import { nextComponent } from "./next-component.ts";

export type TagForm = "html" | "wordpress" | "manager" | "next";
type TagConsent = "none" | "tcf" | "gpp" | "manual";

/** What the line that a publisher pastes is to say, beside which website it is. */
export type TagWish = {
  form: TagForm;
  mode: "overlay" | "section" | "none";
  /** `""`: the website's own setting. */
  trigger: Trigger | "";
  consent: TagConsent;
  /** Of the page's policy; `""`: it has none. A page gives another one with each answer, so this is its placeholder, or variable. */
  nonce: string;
};

type TagKeys = { baseUrl: string; publicKey: string; websiteKey: string };

/** The plain tag of a website. */
export const plainTag: TagWish = { form: "html", mode: "overlay", trigger: "", consent: "none", nonce: "" };

/** The text to paste. Keys have no character that an attribute or PHP would need escaped; a nonce is escaped. */
export function tagText(keys: TagKeys, wish: TagWish = plainTag): string {
  switch (wish.form) {
    case "html":
      return htmlTag(keys, wish);
    case "wordpress":
      return wordPress(keys, wish);
    case "manager":
      return tagManager(keys, wish);
    case "next":
      return nextComponent({
        baseUrl: keys.baseUrl,
        said: saidByInit(keys, wish),
        isSection: wish.mode === "section",
        hasNonce: wish.nonce !== "",
      });
    default:
      return wish.form satisfies never;
  }
}

/** Where the text is to be pasted, as a sentence. */
export function pastePlace({ form, mode, nonce }: Pick<TagWish, "form" | "mode" | "nonce">): string {
  const place = (mode === "section" ? sectionPlaces : everyPagePlaces)[form];
  if (form !== "next" || nonce === "") return place;
  return `${place.replace(" />", " nonce={nonce} />")} Only your server's layout knows the nonce of an answer.`;
}

const everyPagePlaces: Readonly<Record<TagForm, string>> = {
  html: "Paste it once, before </head>.",
  wordpress: "Paste it once, at the end of the theme's functions.php or into a plugin for snippets.",
  manager: "Paste it once, into a tag of custom HTML that fires on every page.",
  next: "Save it as app/offers.tsx, and put <Offers /> into the body of the root layout (App Router).",
};

const sectionPlaces: Readonly<Record<TagForm, string>> = {
  html: "Paste it once, where the offers are to stand.",
  wordpress: `${everyPagePlaces.wordpress} The offers then stand at the end of every page.`,
  manager: "Paste each part where its line says.",
  next: "Save it as app/offers-section.tsx, and put <OffersSection /> where the offers are to stand (App Router).",
};

/** What the page's policy needs, a line for each directive. */
export function policyLines(
  { baseUrl }: Pick<TagKeys, "baseUrl">,
  { form, nonce }: Pick<TagWish, "form" | "nonce">,
): string {
  // That of WordPress is the site's own, which the policy has already.
  const byNonce = nonce === "" || form === "wordpress" ? [] : [`'nonce-${nonce}'`];
  // A tag manager may put the script into the page without its nonce.
  const byHost = byNonce.length === 0 || form === "manager" ? [baseUrl] : [];
  return [
    `script-src ${[...byNonce, ...byHost].join(" ")};`,
    `connect-src ${baseUrl};`,
    "img-src https:;",
  ].join("\n");
}

type Attribute = [name: string, value: string];

const attributesOf = ({ publicKey, websiteKey }: TagKeys, wish: TagWish): Attribute[] => {
  const { mode, trigger, consent } = wish;
  return [
    ["data-pub", publicKey],
    ["data-website", websiteKey],
    ...(mode === "overlay" ? [] : [["data-mode", mode] satisfies Attribute]),
    ...(mode === "section" ? [["data-container", "#offers"] satisfies Attribute] : []),
    ...(mode === "overlay" && trigger !== "" ? [["data-trigger", trigger] satisfies Attribute] : []),
    ...(consent === "none" ? [] : [["data-consent", consent] satisfies Attribute]),
  ];
};

const written = (attributes: readonly Attribute[]): string =>
  attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join("");

const sectionPlace = '<div id="offers"></div>';

const nonceOf = ({ nonce }: TagWish): Attribute[] => (nonce === "" ? [] : [["nonce", nonce]]);

const htmlTag = (keys: TagKeys, wish: TagWish): string => {
  const place = wish.mode === "section" ? `${sectionPlace}\n` : "";
  return `${place}<script async crossorigin src="${keys.baseUrl}/embed.js"${written([...attributesOf(keys, wish), ...nonceOf(wish)])}></script>`;
};

/**
 * By WordPress's own function, which gives the tag whatever the site adds to all its scripts, such as a nonce: an echoed tag
 * would get none. It escapes for HTML.
 */
const wordPress = (keys: TagKeys, wish: TagWish): string => {
  const isSection = wish.mode === "section";
  const attributes = [
    ["src", `${keys.baseUrl}/embed.js`],
    ["crossorigin", "anonymous"],
    ...attributesOf(keys, wish),
  ] as const;
  return `// WordPress 5.7 or newer: in the theme's functions.php, or in a plugin for snippets.
add_action('${isSection ? "wp_footer" : "wp_head"}', function () {${isSection ? `\n  echo '${sectionPlace}';` : ""}
  wp_print_script_tag(array(
    'async' => true,
${attributes.map(([name, value]) => `    '${name}' => '${value}',`).join("\n")}
  ));
});`;
};

/** What a call of `init` says in place of attributes. It names its mode: without, it would be about what the page has already. */
const saidByInit = (keys: TagKeys, wish: TagWish): string => {
  const isOverlay = wish.mode === "overlay";
  const attributes = [...attributesOf(keys, wish), ...(isOverlay ? [["data-mode", "overlay"] as const] : [])];
  const said = attributes.map(([name, value]) => `${name.slice("data-".length)}: ${JSON.stringify(value)}`);
  return `{ ${said.join(", ")} }`;
};

/** Tag managers take the attributes off a script, so what they say is said by a call. */
const tagManager = (keys: TagKeys, wish: TagWish): string => {
  const place =
    wish.mode === "section"
      ? `<!-- In the page, where the offers are to stand: -->\n${sectionPlace}\n\n<!-- In the tag manager: -->\n`
      : "";
  const nonce = written(nonceOf(wish));
  return `${place}<script${nonce}>
window.offerService=window.offerService||function(){return(offerService.q=offerService.q||[]).push(arguments)};
offerService("init", ${saidByInit(keys, wish)});
</script>
<script async crossorigin src="${keys.baseUrl}/embed.js"${nonce}></script>`;
};

const escapeAttribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
