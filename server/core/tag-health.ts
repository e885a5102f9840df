import { tagCauses } from "@offers/contract/words";
import type { PageFinding } from "./page-check.ts";
import type { RefusedCallCode } from "./refused-call.ts";
import { coversOrigin } from "./registered-origin.ts";
import { fatal, hint, type More, type TagCause } from "./tag-cause.ts";
import { pageCauses } from "./tag-page-causes.ts";
import { type HourOfLoads, isQuiet } from "./usual-loads.ts";

/** What is known of a website's tag, gathered where it is asked. */
export type TagFacts = {
  /** Milliseconds since the epoch, like every moment here. */
  now: number;
  /** When somebody began to wait for the tag. */
  waitingSince: number;
  websiteKey: string;
  publicKey: string;
  origins: readonly string[];
  isPaused: boolean;
  isDevelopment: boolean;
  /** Whether some visitor can meet the overlay at all. */
  blocksSomebody: boolean;
  hasSupportContact: boolean;
  /** Where the service should answer; null: it does. */
  silentAt: string | null;
  /** Null: the tag was never seen. */
  lastPing: { at: number; page: string; scriptVersion: string } | null;
  /** Of the two weeks before the last page. */
  loads: readonly HourOfLoads[];
  /** The version of the script that the service hands out. */
  currentScript: string;
  /** Calls for this website that were refused; `pub`: the wrong public key that was named. */
  refused: readonly { origin: string; code: RefusedCallCode; pub: string | null; at: number }[];
  /**
   * Calls from its own pages that named another website; null: one that there is not. `isOwn`: of the same publisher, for
   * nobody is told of another one's. `isShared`: the other website has the origin registered as well, so the call may be right.
   */
  elsewhere: readonly {
    website: { key: string; name: string; isOwn: boolean } | null;
    origin: string;
    at: number;
    isShared: boolean;
  }[];
  /** Active offers, and of those how many its allowlist permits. */
  offers: { active: number; permitted: number };
  /** Whether some place is blocked for which there is a permitted offer. */
  offersReachSomebody: boolean;
  /** Blocked places that are named one by one, in which no offer may be shown. */
  placesWithoutOffer: readonly string[];
  /** What the check of a page found; null: none was checked. */
  checkedPage: { url: string; findings: readonly PageFinding[] } | null;
};

export type TagHealth = {
  /** `waiting`: nothing was heard of the tag yet, and nothing is known to be wrong with it. */
  state: "live" | "waiting" | "broken";
  /** The first is what to mend first. */
  causes: readonly TagCause[];
};

/** How long one waits for a page before the list of what may keep it away is worth reading. */
const patienceMs = 60_000;

/**
 * Why nothing is shown, the first cause first. A refused call counts as long as no page of the website has loaded the
 * tag after it: what was mended is not told any more.
 */
export function tagHealth(told: TagFacts): TagHealth {
  const facts = { ...told, refused: told.refused.filter((call) => !isRegisteredSince(call, told.origins)) };
  const found = Map.groupBy(causesOf(facts), ({ code }) => code);
  const causes = tagCauses.flatMap((code) => found.get(code) ?? []);
  if (causes.some(({ isFatal }) => isFatal)) return { state: "broken", causes };
  return { state: facts.lastPing === null ? "waiting" : "live", causes };
}

/** Whoever has registered the origin has mended that, before its next page comes. */
const isRegisteredSince = (
  { code, origin }: TagFacts["refused"][number],
  origins: readonly string[],
): boolean => code === "origin_not_registered" && coversOrigin((one) => origins.includes(one), origin);

const causesOf = (facts: TagFacts): TagCause[] => [
  ...ofService(facts),
  ...ofCalls(facts),
  ...ofPage(facts),
  ...ofSilence(facts),
  ...ofScript(facts),
  ...ofOffers(facts),
  ...ofSettings(facts),
];

const ofService = ({ silentAt, isPaused, websiteKey }: TagFacts): TagCause[] => [
  ...(silentAt === null
    ? []
    : [
        fatal(
          "service_silent",
          `The service does not answer at ${silentAt}.`,
          "Start it (npm start), and give this command the same PORT, HOST, BASE_URL and DATA_DIR.",
        ),
      ]),
  ...(isPaused
    ? [
        fatal("paused", "The website is paused: every visitor sees its pages.", "Resume it.", {
          button: { kind: "open", page: "settings" },
          command: `website resume --website ${websiteKey}`,
        }),
      ]
    : []),
];

const ofCalls = (facts: TagFacts): TagCause[] => {
  const pingedAt = facts.lastPing?.at ?? Number.NEGATIVE_INFINITY;
  // With pages that are well, an origin that is not is worth a word, and breaks nothing.
  const tell = facts.lastPing === null ? fatal : hint;
  const newest = <Call extends { at: number }>(calls: readonly Call[]): Call | undefined =>
    calls.filter(({ at }) => at > pingedAt).toSorted((one, other) => other.at - one.at)[0];
  const codes = new Set(facts.refused.map(({ code }) => code));
  const refused = [...codes].flatMap((code) => {
    const ofCode = facts.refused.filter((one) => one.code === code);
    // Anybody can call from anywhere and name this website: a neighbour of its own pages is told before a stranger.
    const last = newest(ofCode.filter(({ origin }) => isNeighbour(origin, facts.origins))) ?? newest(ofCode);
    return last === undefined ? [] : [refusedCause(last, facts, tell)];
  });
  const other = newest(facts.elsewhere.filter(({ isShared }) => !isShared)) ?? newest(facts.elsewhere);
  // Of one code one cause is told.
  return other === undefined || (other.website === null && codes.has("unknown_website"))
    ? refused
    : [...refused, elsewhereCause(other, tell)];
};

const elsewhereCause = (
  { website, origin, isShared }: TagFacts["elsewhere"][number],
  tell: typeof fatal,
): TagCause => {
  const button = { kind: "copy_tag" } as const;
  if (website === null) return unknownWebsite(`A page of ${origin}`, tell);
  const whose = website.isOwn ? `the tag of ${website.name} (${website.key})` : "another publisher's tag";
  return isShared
    ? hint(
        "wrong_website",
        `A page of ${origin} carries ${whose}, where that origin is registered as well.`,
        "If it should be this website's page, copy this website's tag.",
        { button },
      )
    : tell("wrong_website", `A page of ${origin} carries ${whose}.`, "Copy this website's tag.", { button });
};

const unknownWebsite = (page: string, tell: typeof fatal): TagCause =>
  tell(
    "unknown_website",
    `${page} carries the key of a website that does not exist.`,
    "Copy the tag again, with all of data-website.",
    { button: { kind: "copy_tag" } },
  );

/** Whether an origin has the host name of a registered one, but for `www.`, scheme and port. */
const isNeighbour = (origin: string, origins: readonly string[]): boolean => {
  const host = hostOf(origin);
  return host !== null && origins.some((one) => hostOf(one) === host);
};

const hostOf = (origin: string): string | null => URL.parse(origin)?.hostname.replace(/^www\./, "") ?? null;

const refusedCause = (
  { code, origin, pub }: TagFacts["refused"][number],
  { websiteKey, publicKey, origins }: TagFacts,
  tell: typeof fatal,
): TagCause => {
  const page = origin === "" ? "a page without an origin (a file, or a sandboxed frame)" : origin;
  switch (code) {
    case "origin_not_registered":
      return tell(
        code,
        `Calls come from ${page}, which is not registered.`,
        ...fixOfOrigin(origin, websiteKey, origins),
      );
    case "insecure_origin":
      return tell(
        code,
        `The page is served by plain http: ${origin}.`,
        "Serve it by https; http is for this machine alone.",
      );
    case "wrong_public_key":
      return tell(
        code,
        pub === null
          ? `The tag on ${page} carries another publisher's public key.`
          : `The tag on ${page} carries the public key ${pub}, which is not this website's.`,
        `This website's is ${publicKey}: copy the tag again.`,
        { button: { kind: "copy_tag" } },
      );
    case "unknown_website":
      return unknownWebsite(`A page of ${page}`, tell);
    case "rate_limited":
      return hint(
        code,
        `Visitors of one address exceed the limit of calls on ${page}.`,
        "If a proxy hides their addresses, the service has to be told of it (TRUST_PROXY_HOPS).",
      );
    default:
      return code satisfies never;
  }
};

/** One click or one command only for what lies beside the website's own pages: whoever calls from elsewhere would write it. */
const fixOfOrigin = (
  origin: string,
  websiteKey: string,
  origins: readonly string[],
): [fix: string, more: More] => {
  if (origin === "") return ["Open the page by http or https, not as a file.", {}];
  if (!isNeighbour(origin, origins)) {
    return [
      "Anybody can cause this line. If that address is yours, register it beside the others.",
      { button: { kind: "open", page: "settings" } },
    ];
  }
  return [
    "If it is yours, register it beside the others.",
    {
      button: { kind: "register_origin", origin },
      command: `website update --website ${websiteKey} ${[...origins, origin].map((one) => `--origin ${one}`).join(" ")}`,
    },
  ];
};

const ofPage = ({ checkedPage, lastPing, origins }: TagFacts): TagCause[] => {
  if (checkedPage === null) return [];
  const isFatal = lastPing === null;
  return pageCauses(checkedPage, (origin) => isNeighbour(origin, origins)).map((cause) => ({
    ...cause,
    command: null,
    // Two tags in a page are one too many, and nothing worse.
    isFatal: isFatal && cause.code !== "two_tags",
  }));
};

const ofSilence = (facts: TagFacts): TagCause[] => {
  const { now, waitingSince, lastPing, loads, refused, elsewhere, checkedPage } = facts;
  if (lastPing !== null) {
    if (!isQuiet(loads, lastPing.at, now)) return [];
    const since = `${new Date(lastPing.at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    return [
      hint("quiet", `No page has loaded the tag since ${since}.`, "Look whether it is still in the page.", {
        button: { kind: "check_page" },
      }),
    ];
  }
  const isExplained = refused.length + elsewhere.length > 0 || (checkedPage?.findings.length ?? 0) > 0;
  if (isExplained || now - waitingSince < patienceMs) return [];
  return [
    fatal(
      "no_call",
      "No page has called the service yet.",
      "Is the page published, and not cached from before? Does the tag have data-pub and data-website? " +
        "Does a consent banner or a content blocker hold it back, or a content security policy without the service " +
        "in script-src and connect-src? The browser's console and its list of requests tell.",
      { button: { kind: "check_page" } },
    ),
  ];
};

const ofScript = ({ lastPing, currentScript }: TagFacts): TagCause[] =>
  lastPing === null || !isOlder(lastPing.scriptVersion, currentScript)
    ? []
    : [
        hint(
          "old_script",
          `The page ${lastPing.page} runs version ${lastPing.scriptVersion} of the script; the service has ${currentScript}.`,
          "Browsers keep the script for up to an hour. If it stays so, the page has a copy: load it from the service.",
          { button: { kind: "copy_tag" } },
        ),
      ];

/** Whether a version of three numbers is below another; what is no version is not. */
const isOlder = (version: string, current: string): boolean => {
  const [one, other] = [version, current].map((text) =>
    /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number),
  );
  if (one === undefined || other === undefined) return false;
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
};

const ofOffers = (facts: TagFacts): TagCause[] => {
  const { offers, offersReachSomebody, placesWithoutOffer, blocksSomebody, websiteKey } = facts;
  const button = { kind: "open", page: "allowlist" } as const;
  if (offers.permitted === 0) {
    return offers.active === 0
      ? [
          hint(
            "no_offer_permitted",
            "There is no active offer, so blocked visitors are shown none.",
            "Offers are made by the operator of the service.",
            { command: "offer create, or offer import" },
          ),
        ]
      : [
          hint(
            "allowlist_empty",
            `None of ${offers.active} active offers is permitted, so blocked visitors are shown none.`,
            "Permit all of them, or what may be shown.",
            { button, command: `allowlist set --website ${websiteKey} --mode all` },
          ),
        ];
  }
  if (placesWithoutOffer.length > 0) {
    const places = placesWithoutOffer.join(", ");
    return [
      hint(
        "no_offer_for_place",
        `Visitors in ${places} are blocked, and no offer that is permitted covers them.`,
        "Permit more, or have offers made for these places.",
        { button },
      ),
    ];
  }
  if (!blocksSomebody || offersReachSomebody) return [];
  return [
    hint(
      "no_offer_anywhere",
      "No offer that is permitted covers a place whose visitors are blocked.",
      "Permit more, or look at the places that the rule blocks.",
      { button },
    ),
  ];
};

const ofSettings = (facts: TagFacts): TagCause[] => [
  ...(facts.blocksSomebody
    ? []
    : [
        hint(
          "blocks_nobody",
          "The rule blocks nobody: every visitor sees the page, and no overlay opens.",
          "Name the places whose visitors are to be shown offers.",
          {
            button: { kind: "open", page: "places" },
            command: `website update --website ${facts.websiteKey} --geo-entries GB,US-NJ`,
          },
        ),
      ]),
  ...(facts.isDevelopment && facts.origins.some((origin) => origin.startsWith("https:"))
    ? [
        hint(
          "live_development",
          "It is a development website: all its traffic is test traffic, and nothing is billed.",
          "Before visitors come, say that it is none any more.",
          {
            button: { kind: "open", page: "settings" },
            command: `website update --website ${facts.websiteKey} --not-development`,
          },
        ),
      ]
    : []),
  ...(facts.hasSupportContact
    ? []
    : [
        hint(
          "no_support_contact",
          "A blocked visitor is told nobody to write to.",
          "Name an address for mail, or a page.",
          {
            button: { kind: "open", page: "look" },
            command: `website update --website ${facts.websiteKey} --support-email, or --support-url`,
          },
        ),
      ]),
];
