import { type TagCauseCode, tagCauses } from "@offers/contract/words";
import type { RefusedCallCode } from "./refused-call.ts";

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
  lastPing: { at: number; page: string } | null;
  /** Calls for this website that were refused, */
  refused: readonly { origin: string; code: RefusedCallCode; at: number }[];
  /**
   * and calls from its own pages that named another website; null: one that there is not. `isShared`: the other website
   * has the origin registered as well, so the call may be quite right.
   */
  elsewhere: readonly { website: string | null; origin: string; at: number; isShared: boolean }[];
  /** Active offers, and of those how many its allowlist permits. */
  offers: { active: number; permitted: number };
  /** Blocked places that are named one by one, in which no offer may be shown. */
  placesWithoutOffer: readonly string[];
};

export type TagCause = {
  code: TagCauseCode;
  /** What is the matter, as a sentence. */
  says: string;
  /** What to do about it, as a sentence. */
  fix: string;
  /** Whether the tag does nothing for its visitors because of it. */
  isFatal: boolean;
};

export type TagHealth = {
  /** `waiting`: nothing was heard of the tag yet, and nothing is known to be wrong with it. */
  state: "live" | "waiting" | "broken";
  /** The first is what to mend first. */
  causes: readonly TagCause[];
};

/** How long one waits for a page before the list of what may keep it away is worth reading. */
const patienceMs = 60_000;
/** A page that is published is visited within a day. */
const quietMs = 24 * 60 * 60 * 1000;

/**
 * Why nothing is shown, the first cause first. A refused call counts as long as no page of the website has loaded the
 * tag after it: what was mended is not told any more.
 */
export function tagHealth(facts: TagFacts): TagHealth {
  const found = new Map(causesOf(facts).map((cause) => [cause.code, cause]));
  const causes = tagCauses.flatMap((code) => found.get(code) ?? []);
  if (causes.some(({ isFatal }) => isFatal)) return { state: "broken", causes };
  return { state: facts.lastPing === null ? "waiting" : "live", causes };
}

const causesOf = (facts: TagFacts): TagCause[] => [
  ...ofService(facts),
  ...ofCalls(facts),
  ...ofSilence(facts),
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
        fatal(
          "paused",
          "The website is paused: every visitor sees its pages.",
          `Run website resume --website ${websiteKey}.`,
        ),
      ]
    : []),
];

const ofCalls = (facts: TagFacts): TagCause[] => {
  const pingedAt = facts.lastPing?.at ?? Number.NEGATIVE_INFINITY;
  // With pages that are well, an origin that is not is worth a word, and breaks nothing.
  const tell = facts.lastPing === null ? fatal : hint;
  const newest = <Call extends { at: number }>(calls: readonly Call[]): Call | undefined =>
    calls.filter(({ at }) => at > pingedAt).toSorted((one, other) => other.at - one.at)[0];
  const refused = facts.refused.flatMap(({ code }) => {
    const ofCode = facts.refused.filter((one) => one.code === code);
    // Anybody can call from anywhere and name this website: a neighbour of its own pages is told before a stranger.
    const last = newest(ofCode.filter(({ origin }) => isNeighbour(origin, facts.origins))) ?? newest(ofCode);
    return last === undefined ? [] : [refusedCause(last, facts, tell)];
  });
  const other = newest(facts.elsewhere.filter(({ isShared }) => !isShared)) ?? newest(facts.elsewhere);
  if (other === undefined) return refused;
  const { website, origin, isShared } = other;
  return [
    ...refused,
    website === null
      ? tell(
          "unknown_website",
          `A page of ${origin} carries the key of a website that does not exist.`,
          "Copy the tag again, with all of data-website.",
        )
      : isShared
        ? hint(
            "wrong_website",
            `A page of ${origin} carries the tag of ${website}, where that origin is registered as well.`,
            "If it should be this website's page, copy this website's tag.",
          )
        : tell(
            "wrong_website",
            `A page of ${origin} carries the tag of ${website}.`,
            "Copy this website's tag.",
          ),
  ];
};

/** Whether an origin has the host name of a registered one, but for `www.`, scheme and port. */
const isNeighbour = (origin: string, origins: readonly string[]): boolean => {
  const host = hostOf(origin);
  return host !== null && origins.some((one) => hostOf(one) === host);
};

const hostOf = (origin: string): string | null => URL.parse(origin)?.hostname.replace(/^www\./, "") ?? null;

const refusedCause = (
  { code, origin }: TagFacts["refused"][number],
  { websiteKey, publicKey, origins }: TagFacts,
  tell: typeof fatal,
): TagCause => {
  const page = origin === "" ? "a page without an origin (a file, or a sandboxed frame)" : origin;
  switch (code) {
    case "origin_not_registered":
      return tell(
        code,
        `Calls come from ${page}, which is not registered.`,
        fixOfOrigin(origin, websiteKey, origins),
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
        `The tag on ${page} carries another publisher's public key.`,
        `This website's is ${publicKey}: copy the tag again.`,
      );
    case "unknown_website":
      return tell(
        code,
        `A page of ${page} carries the key of a website that does not exist.`,
        "Copy the tag again.",
      );
    case "rate_limited":
      return hint(
        code,
        `Visitors of one address exceed the limit of calls on ${page}.`,
        "If a proxy hides their addresses, set TRUST_PROXY_HOPS.",
      );
    default:
      return code satisfies never;
  }
};

/** A command to paste only for what lies beside the website's own pages: whoever calls from elsewhere would write it. */
const fixOfOrigin = (origin: string, websiteKey: string, origins: readonly string[]): string => {
  if (origin === "") return "Open the page by http or https, not as a file.";
  if (!isNeighbour(origin, origins)) {
    return "Anybody can cause this line. If that address is yours, register it beside the others: website update --origin.";
  }
  return `If it is yours: website update --website ${websiteKey} ${[...origins, origin].map((one) => `--origin ${one}`).join(" ")}`;
};

const ofSilence = ({ now, waitingSince, lastPing, refused, elsewhere }: TagFacts): TagCause[] => {
  if (lastPing !== null) {
    if (now - lastPing.at <= quietMs) return [];
    const since = `${new Date(lastPing.at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    return [
      hint("quiet", `No page has loaded the tag since ${since}.`, "Look whether it is still in the page."),
    ];
  }
  if (refused.length + elsewhere.length > 0 || now - waitingSince < patienceMs) return [];
  return [
    fatal(
      "no_call",
      "No page has called the service yet.",
      "Is the page published, and not cached from before? Does the tag have data-pub and data-website? " +
        "Does a consent banner or a content blocker hold it back, or a content security policy without the service " +
        "in script-src and connect-src? The browser's console and its list of requests tell.",
    ),
  ];
};

const ofOffers = ({ offers, placesWithoutOffer }: TagFacts): TagCause[] => {
  if (offers.permitted === 0) {
    return offers.active === 0
      ? [
          hint(
            "no_offer_permitted",
            "There is no active offer, so blocked visitors are shown none.",
            "Run offer create, or offer import.",
          ),
        ]
      : [
          hint(
            "allowlist_empty",
            `None of ${offers.active} active offers is permitted, so blocked visitors are shown none.`,
            "Run allowlist set with --mode all, or with what may be shown.",
          ),
        ];
  }
  if (placesWithoutOffer.length === 0) return [];
  const places = placesWithoutOffer.join(", ");
  return [
    hint(
      "no_offer_for_place",
      `Visitors in ${places} are blocked, and no offer that is permitted covers them.`,
      "Permit more, or create offers for these places.",
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
          "Run website update with --geo-entries.",
        ),
      ]),
  ...(facts.isDevelopment && facts.origins.some((origin) => origin.startsWith("https:"))
    ? [
        hint(
          "live_development",
          "It is a development website: all its traffic is test traffic, and nothing is billed.",
          "Before visitors come, run website update with --not-development.",
        ),
      ]
    : []),
  ...(facts.hasSupportContact
    ? []
    : [
        hint(
          "no_support_contact",
          "A blocked visitor is told nobody to write to.",
          "Run website update with --support-email or --support-url.",
        ),
      ]),
];

const fatal = (code: TagCauseCode, says: string, fix: string): TagCause => ({
  code,
  says,
  fix,
  isFatal: true,
});

const hint = (code: TagCauseCode, says: string, fix: string): TagCause => ({
  code,
  says,
  fix,
  isFatal: false,
});
