import { type Allowlist, type WebsiteInput, websiteInput } from "@offers/contract/catalogue";
import {
  type PublicKey,
  type PublisherId,
  publicKey,
  publisherId,
  type WebsiteKey,
  websiteKey,
} from "@offers/contract/ids";

/** The publishers of the demo. Their ids are fixed, because the demo site's pages name them. */
export const demoPublishers: readonly { publisherId: PublisherId; publicKey: PublicKey; name: string }[] = [
  {
    publisherId: publisherId.parse("publisher_northwind"),
    publicKey: publicKey.parse("pub_northwind"),
    name: "Northwind Journal",
  },
  {
    publisherId: publisherId.parse("publisher_harbour"),
    publicKey: publicKey.parse("pub_harbour"),
    name: "Harbour Media",
  },
];

type NameSets = Partial<Allowlist["allow"]>;

const names = (sets: NameSets): Allowlist["allow"] => ({ brands: [], verticals: [], offers: [], ...sets });

const all = (block: NameSets = {}): Allowlist => ({ mode: "all", allow: names({}), block: names(block) });

const only = (allow: NameSets): Allowlist => ({ mode: "allowlist", allow: names(allow), block: names({}) });

/** A visitor from the machine itself has no location: `block` shows the overlay to everybody who tries the demo. */
const journalRule = {
  mode: "allowlist",
  entries: ["DE", "AT", "CH", "US-NJ", "US-NY"],
  unknownLocation: "block",
} as const;

const journalSupport = {
  email: "readers@journal.northwind.example",
  url: "https://journal.northwind.example/help",
  label: "Reader support",
};

const site = (input: Parameters<typeof websiteInput.parse>[0]): WebsiteInput => websiteInput.parse(input);

type DemoWebsite = { key: WebsiteKey; website: WebsiteInput; allowlist: Allowlist };

/** The websites of the demo, and of each one a twin for the preview panel. */
export function demoWebsites(demoOrigin: string): DemoWebsite[] {
  const live = liveWebsites(demoOrigin);
  return [...live, ...live.map((one) => previewOf(one, demoOrigin))];
}

/** A development website with the rule, the texts and the allowlist of another: what the panel shows is what that one does. */
const previewOf = ({ key, website, allowlist }: DemoWebsite, demoOrigin: string): DemoWebsite => ({
  key: websiteKey.parse(key === "ws_journal" ? "ws_preview" : key.replace("ws_", "ws_preview_")),
  website: {
    ...website,
    name: `${website.name} (preview)`,
    origins: [demoOrigin, `https://preview.${key.replace("ws_", "")}.example`],
    development: true,
  },
  allowlist,
});

/** Each on the demo's origin and on one of its own. */
const liveWebsites = (demoOrigin: string): DemoWebsite[] => {
  return [
    {
      key: websiteKey.parse("ws_journal"),
      website: site({
        publisherId: "publisher_northwind",
        name: "Northwind Journal",
        origins: [demoOrigin, "https://journal.northwind.example"],
        vertical: "news",
        ownBrand: "Northwind Journal",
        geoRule: journalRule,
        // Who tries the demo wants to see it, and the other websites show what waits for a pause.
        settings: { trigger: "immediate", supportContact: journalSupport },
      }),
      allowlist: all({ verticals: ["gambling"] }),
    },
    {
      key: websiteKey.parse("ws_courier"),
      website: site({
        publisherId: "publisher_northwind",
        name: "Northwind Courier",
        origins: [demoOrigin, "https://courier.northwind.example", "https://*.courier.northwind.example"],
        vertical: "local-news",
        geoRule: {
          mode: "blocklist",
          entries: ["US-WA", "US-ID", "CA-QC", "FR"],
          unknownLocation: "allow",
        },
        settings: {
          trigger: "scroll",
          supportContact: { email: "desk@courier.northwind.example" },
          fallbackUrl: "https://courier.northwind.example/",
        },
      }),
      allowlist: only({
        verticals: ["energy", "mobile", "travel", "insurance", "food", "education", "fitness", "home"],
      }),
    },
    {
      key: websiteKey.parse("ws_harbour"),
      website: site({
        publisherId: "publisher_harbour",
        name: "Harbour Weekly",
        origins: [demoOrigin, "https://weekly.harbour.example"],
        vertical: "lifestyle",
        geoRule: { mode: "allowlist", entries: ["GB", "IE"], unknownLocation: "block" },
        settings: {
          theme: "light",
          language: "en",
          title: "Harbour Weekly stays on these shores",
          message:
            "We hold the rights to our stories for readers in Britain and Ireland. From elsewhere we can offer you this selection from our partners instead.",
          supportContact: {
            email: "hello@weekly.harbour.example",
            url: "https://weekly.harbour.example/abroad",
            label: "Reading from abroad",
          },
        },
      }),
      allowlist: only({
        brands: [
          "Brightwave Energy",
          "Orchard Bank",
          "Lumen Mobile",
          "Skyhop Travel",
          "Verdant Insurance",
          "Learnly",
          "Fitforge",
          "Homenest",
        ],
      }),
    },
    {
      key: websiteKey.parse("ws_loan"),
      website: site({
        publisherId: "publisher_harbour",
        name: "Copper Lane Loans",
        origins: [demoOrigin, "https://loans.copperlane.example"],
        vertical: "loans",
        ownBrand: "Copper Lane Loans",
        // Everybody sees the page; offers are shown to applicants whom the website's own server declines.
        geoRule: { mode: "blocklist", entries: [], unknownLocation: "allow" },
        settings: {
          supportContact: {
            email: "care@loans.copperlane.example",
            url: "https://loans.copperlane.example/help",
            label: "Talk to us",
          },
        },
      }),
      allowlist: all({ verticals: ["gambling"] }),
    },
  ];
};

/**
 * Integration secrets that the demo site's own server holds. Everybody can read them here, so they are seeded outside
 * production only; there the operator makes one with `secret create` and hands it to the demo site.
 */
export const demoSecrets = [
  { website: "ws_loan", secret: "its_demoCopperLaneLoansNotASecret001" },
  { website: "ws_preview_loan", secret: "its_demoCopperLanePreviewNotASecret2" },
] as const;
