import { styleText } from "node:util";
import { publisherInput, websiteInput } from "@offers/contract/catalogue";
import { locationOf } from "../core/geo-decision.ts";
import { isOnThisMachine, nameOfOrigins, originsOfAddress } from "../core/origins-of-address.ts";
import { allowCarefully } from "../store/catalogue/allowlists.ts";
import { changeCatalogue } from "../store/catalogue/catalogue-change.ts";
import { parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { createPublisher } from "../store/catalogue/publishers.ts";
import { createWebsite, listWebsites, requireWebsite } from "../store/catalogue/websites.ts";
import {
  type CommandContext,
  type Given,
  type Noun,
  type Outcome,
  optionalTextOf,
  textOf,
} from "./command.ts";
import { ownAddressNotes } from "./own-address-notes.ts";
import { scriptTag } from "./script-tag.ts";
import { facts } from "./table.ts";
import { causeText, prepareTagCheck } from "./tag-check.ts";

/** How long the command waits for a page; whoever pastes the tag into a content system needs minutes. */
const waitMs = 10 * 60 * 1000;
const lookEveryMs = 1000;

export const setupNoun: Noun = {
  name: "setup",
  summary: "From an address to a script tag that works: publisher, website, allowlist, and the first page.",
  commands: [
    {
      verb: "",
      mayBegin: true,
      // What is made is made before the command reads it back and waits.
      afterTrouble: "see by website list whether the website is made before you run it again",
      summary: "Set a website up, print its script tag, and wait until a page has loaded it.",
      options: [
        {
          name: "origin",
          kind: "text",
          field: "origins",
          hint: "O",
          required: true,
          help: "address of a page of the website, as the browser shows it",
        },
        {
          name: "block",
          kind: "list",
          field: "block",
          refusedAs: "geoRule.entries",
          hint: "GB,US-NJ",
          help: "countries and regions whose visitors are shown offers instead of the page",
        },
        { name: "name", kind: "text", field: "name", hint: "N", help: "its name (the host)" },
        {
          name: "publisher",
          kind: "text",
          field: "publisherId",
          hint: "P",
          help: "whose website it is (a new publisher of the same name)",
        },
        {
          name: "wait",
          negative: "no-wait",
          kind: "flag",
          field: "wait",
          help: "wait for the first page, ten minutes at the most (yes; never with --json)",
        },
      ],
      examples: [
        "setup --origin https://www.journal.example --block GB,FR",
        "setup --origin http://localhost:3000 --block GB --no-wait",
      ],
      run: setUp,
    },
  ],
};

async function setUp(given: Given, context: CommandContext): Promise<Outcome> {
  const { catalogue, now, rules, service } = context;
  const origins = originsOfAddress(textOf(given, "origins"), rules.isPublicSuffix);
  const name = optionalTextOf(given, "name") ?? nameOfOrigins(origins);
  const before = await listWebsites(catalogue.db);
  // One transaction: an address that is refused leaves no publisher without a website.
  const { keys: made, neverShown } = await changeCatalogue(catalogue, async (tx) => {
    const publisherId =
      optionalTextOf(given, "publisherId") ??
      (await createPublisher(tx, parseInput(publisherInput, { name }), { now })).publisherId;
    const input = parseInput(websiteInput, {
      publisherId,
      name,
      origins,
      development: isOnThisMachine(origins),
      geoRule: { mode: "blocklist", entries: given.block ?? [], unknownLocation: "allow" },
    });
    const keys = await createWebsite(tx, input, { now, rules });
    const permits = await allowCarefully(tx, keys.websiteKey);
    return { keys: { publisherId, ...keys }, neverShown: permits.block.verticals };
  });
  const website = await requireWebsite(catalogue.db, made.websiteKey);
  const tag = scriptTag(service.baseUrl, made);
  const { development, geoRule } = website;
  const [place = "GB"] = geoRule.entries;
  const { country, region } = locationOf(place);
  const others = before.filter((one) => one.origins.some((origin) => origins.includes(origin)));
  return {
    answer: { ...made, origins: website.origins, development, tag },
    text: [
      facts({
        ...made,
        origins: website.origins.join(" "),
        blocks: geoRule.entries.join(", ") || "nobody",
        "never shows": neverShown.join(", "),
      }),
      `\nPaste this into the page:\n\n  ${tag}\n`,
      ...(development
        ? [
            "It is a page of this machine, and so a development website: all its traffic is test traffic.",
            `To see it as a visitor from ${place} does, add ?dev-country=${country}${region && `&dev-region=${region}`} to its address.\n`,
          ]
        : []),
    ].join("\n"),
    notes: [
      ...others.map(({ websiteKey }) => `the website ${websiteKey} has this address, too`),
      ...(isOnThisMachine(origins) ? [] : ownAddressNotes(service)),
    ],
    ...(given.wait !== false && {
      afterwards: (say, isHeard) => waitForTag(context, website, { say, isHeard }),
    }),
  };
}

/**
 * Tells what is wrong as soon as that changes, and ends with the first page that is well, when it has waited enough, or when
 * nobody reads it any more.
 */
async function waitForTag(
  context: CommandContext,
  website: Awaited<ReturnType<typeof requireWebsite>>,
  { say, isHeard }: { say: (text: string) => void; isHeard: () => boolean },
): Promise<Pick<Outcome, "text" | "differs">> {
  say("Waiting for the first page that loads it (Ctrl+C ends the waiting, website check looks again) …");
  const startedAt = context.clock();
  const look = await prepareTagCheck(context, website, website.createdAt);
  let told = "";
  for (;;) {
    const { state, causes, lastPing } = await look();
    // While somebody waits for this tag, another one in the same page is likely the wrong one.
    const worst = causes.find(({ isFatal, code }) => isFatal || code === "wrong_website");
    if (state === "live") {
      const hints = causes.map(causeText);
      const live = styleText("green", `✔ It works: ${lastPing?.page} has loaded the tag.`);
      return { text: [live, ...hints].join("\n") };
    }
    const text = worst === undefined ? "" : causeText(worst);
    if (text !== told && text !== "") say(styleText("red", text));
    told = text;
    if (context.clock() - startedAt >= waitMs || !isHeard()) {
      return {
        text: `No page has loaded the tag so far; to look again: website check --website ${website.websiteKey}`,
        differs: true,
      };
    }
    await context.pause(lookEveryMs);
  }
}
