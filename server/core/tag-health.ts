import { tagCauses } from "@offers/contract/words";
import { leastKeptDays } from "./kept-events.ts";
import { coversOrigin } from "./registered-origin.ts";
import { callCauses, isNeighbour } from "./tag-call-causes.ts";
import { fatal, hint, type TagCause } from "./tag-cause.ts";
import type { TagFacts } from "./tag-facts.ts";
import { pageCauses } from "./tag-page-causes.ts";
import { offerCauses, settingCauses } from "./tag-setting-causes.ts";
import { isQuiet, lastHeard } from "./usual-loads.ts";
import { dayMs } from "./utc-day.ts";

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
 * tag after it, be it one that is not told apart: what was mended is not told any more.
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
  ...callCauses(facts),
  ...ofPage(facts),
  ...ofSilence(facts),
  ...ofScript(facts),
  ...offerCauses(facts),
  ...settingCauses(facts),
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

const ofPage = ({ checkedPage, lastPing, othersAt, origins }: TagFacts): TagCause[] => {
  if (checkedPage === null) return [];
  const isFatal = lastHeard(lastPing?.at ?? null, othersAt) === null;
  return pageCauses(checkedPage, (origin) => isNeighbour(origin, origins)).map((cause) => ({
    ...cause,
    command: null,
    // Two tags in a page are one too many, and nothing worse.
    isFatal: isFatal && cause.code !== "two_tags",
  }));
};

const ofSilence = (facts: TagFacts): TagCause[] => {
  const { now, waitingSince, lastPing, othersAt, loads, refused, elsewhere, checkedPage } = facts;
  const heardAt = lastHeard(lastPing?.at ?? null, othersAt);
  if (heardAt !== null) {
    if (!isQuiet(loads, heardAt, now)) return [];
    const since = `${new Date(heardAt).toISOString().slice(0, 16).replace("T", " ")} UTC`;
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
      now - waitingSince < leastKeptDays * dayMs
        ? "No page has called the service yet."
        : "No page has called the service for as long as calls are kept.",
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
