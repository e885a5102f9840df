import { expect, test } from "vitest";
import { pastePlace, plainTag, policyLines, type TagWish, tagText } from "./tag-text.ts";

const keys = { baseUrl: "https://offers.example", publicKey: "pub_x", websiteKey: "ws_y" };
const src = 'src="https://offers.example/embed.js"';
const text = (wish: Partial<TagWish>) => tagText(keys, { ...plainTag, ...wish });

test("the plain tag is the one that the command line prints", () => {
  expect(text({})).toBe(`<script async crossorigin ${src} data-pub="pub_x" data-website="ws_y"></script>`);
});

test.each<[string, Partial<TagWish>, string]>([
  ["a trigger", { trigger: "scroll" }, ' data-trigger="scroll">'],
  ["consent", { consent: "tcf" }, ' data-consent="tcf">'],
  ["a nonce", { nonce: 'a"b' }, ' nonce="a&quot;b">'],
  ["declined visitors alone", { mode: "none", trigger: "exit" }, ' data-mode="none">'],
])("%s is one attribute more", (_, wish, end) => {
  expect(text(wish)).toBe(
    `<script async crossorigin ${src} data-pub="pub_x" data-website="ws_y"${end.slice(0, -1)}></script>`,
  );
});

test("a section has its place before it", () => {
  expect(text({ mode: "section", trigger: "exit" })).toBe(
    `<div id="offers"></div>\n<script async crossorigin ${src} data-pub="pub_x" data-website="ws_y" data-mode="section" data-container="#offers"></script>`,
  );
});

test("a tag manager is told by a call what the attributes would say", () => {
  const said = text({ form: "manager", trigger: "exit", consent: "manual" });
  expect(said).toContain(
    'offerService("init", { pub: "pub_x", website: "ws_y", trigger: "exit", consent: "manual", mode: "overlay" });',
  );
  expect(said).not.toContain("data-");
});

test.each(["overlay", "section", "none"] as const)("a tag manager names its mode, %s, once", (mode) => {
  expect(text({ form: "manager", mode }).match(/mode: "\w+"/g)).toEqual([`mode: "${mode}"`]);
});

test("a tag manager's two scripts both carry the nonce", () => {
  const said = text({ form: "manager", nonce: "{{nonce}}" });
  expect(said.match(/<script[^>]*>/g)).toEqual([
    '<script nonce="{{nonce}}">',
    `<script async crossorigin ${src} nonce="{{nonce}}">`,
  ]);
});

test("WordPress writes the same tag by its own function, which gives it the nonce of the site's scripts", () => {
  expect(text({ form: "wordpress", trigger: "scroll", nonce: "R4nd0m" })).toContain(`
add_action('wp_head', function () {
  wp_print_script_tag(array(
    'async' => true,
    'src' => 'https://offers.example/embed.js',
    'crossorigin' => 'anonymous',
    'data-pub' => 'pub_x',
    'data-website' => 'ws_y',
    'data-trigger' => 'scroll',
  ));
});`);
});

test("WordPress has a section's place before it", () => {
  expect(text({ form: "wordpress", mode: "section" })).toContain(`
add_action('wp_footer', function () {
  echo '<div id="offers"></div>';
  wp_print_script_tag(array(
`);
});

test("Next.js says by calls what attributes would say, and has its nonce of the server", () => {
  const said = text({ form: "next", trigger: "exit", nonce: "R4nd0m" });
  expect(said).toContain('{ pub: "pub_x", website: "ws_y", trigger: "exit", mode: "overlay" }');
  expect(said).toContain(
    `<Script ${src} crossOrigin="anonymous" strategy="afterInteractive" nonce={nonce} />`,
  );
  expect(said).toContain("export function Offers({ nonce }: { nonce?: string })");
  expect(text({ form: "next" })).not.toContain("nonce");
});

test.each([
  ["manager", '<div id="offers"></div>'],
  ["next", '<div id="offers" />'],
  ["wordpress", '<div id="offers"></div>'],
] as const)("a section written for %s comes with the place that its tag names", (form, place) => {
  const said = text({ form, mode: "section" });
  expect(said).toContain("#offers");
  expect(said).toContain(place);
  expect(text({ form })).not.toContain("<div");
});

test.each([
  ["html", "overlay", "before </head>"],
  ["html", "none", "before </head>"],
  ["html", "section", "where the offers are to stand"],
  ["wordpress", "overlay", "functions.php"],
  ["wordpress", "none", "functions.php"],
  ["wordpress", "section", "functions.php"],
  ["manager", "overlay", "a tag of custom HTML"],
  ["manager", "none", "a tag of custom HTML"],
  ["manager", "section", "each part"],
  ["next", "overlay", "<Offers /> into the body of the root layout"],
  ["next", "none", "<Offers /> into the body of the root layout"],
  ["next", "section", "<OffersSection /> where the offers are to stand"],
] as const)("where the text for %s is pasted is told (%s)", (form, mode, says) => {
  const said = pastePlace({ form, mode, nonce: "" });
  expect(said).toContain(says);
  expect(said.includes("</head>")).toBe(says === "before </head>");
  // Only WordPress writes a section where nobody has chosen the place.
  expect(said.includes("at the end of every page")).toBe(form === "wordpress" && mode === "section");
});

test.each([
  ["overlay", "<Offers nonce={nonce} /> into the body"],
  ["section", "<OffersSection nonce={nonce} /> where"],
] as const)("the component for Next.js is to be handed the nonce (%s)", (mode, says) => {
  expect(pastePlace({ form: "next", mode, nonce: "R4nd0m" })).toContain(says);
});

test.each<[string, Partial<TagWish>, string]>([
  ["the service", {}, "https://offers.example"],
  ["the nonce", { nonce: "R4nd0m" }, "'nonce-R4nd0m'"],
  [
    "both for a tag manager, which may drop the nonce",
    { form: "manager", nonce: "R4nd0m" },
    "'nonce-R4nd0m' https://offers.example",
  ],
  [
    "the service alone for WordPress, whose nonce is not typed in here",
    { form: "wordpress", nonce: "R4nd0m" },
    "https://offers.example",
  ],
])("a policy names %s", (_, wish, scripts) => {
  const lines = policyLines(keys, { ...plainTag, ...wish });
  expect(lines).toContain(`script-src ${scripts};`);
  expect(lines).toContain("connect-src https://offers.example;");
});
