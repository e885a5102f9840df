import { websiteInput } from "@offers/contract/catalogue";
import { blocksEveryPlace } from "../core/geo-decision.ts";
import { isOnThisMachine } from "../core/origins-of-address.ts";
import { checkPage } from "../page-check/check-page.ts";
import { CatalogueRefusal, parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { mergePatch } from "../store/catalogue/merge-patch.ts";
import {
  createWebsite,
  type DeletedWebsite,
  type ListedWebsite,
  listDeletedWebsites,
  listWebsites,
  requireWebsite,
  setWebsitePaused,
  updateWebsite,
} from "../store/catalogue/websites.ts";
import {
  type Command,
  type CommandContext,
  changesBeside,
  type Given,
  type Noun,
  type Option,
  optionalTextOf,
  textOf,
} from "./command.ts";
import { ownAddressNotes } from "./own-address-notes.ts";
import { publisherOption as publisher } from "./publisher-option.ts";
import { scriptTag } from "./script-tag.ts";
import { amount, dayOf, facts, table } from "./table.ts";
import { causeText, prepareTagCheck } from "./tag-check.ts";
import { websiteOption as website, websiteSettingOptions } from "./website-options.ts";
import { withoutVersion } from "./without-version.ts";

const name: Option = { name: "name", kind: "text", field: "name", hint: "N", help: "its name" };
const origin: Option = {
  name: "origin",
  kind: "text",
  field: "origins",
  hint: "O",
  repeatable: true,
  help: "origin of its pages, https://www.example.com, or https://*.example.com for sub-domains",
};

const create: Command = {
  verb: "create",
  summary: "Save a new website and print its script tag.",
  options: [
    { ...publisher, required: true },
    { ...name, required: true },
    { ...origin, required: true },
    ...websiteSettingOptions,
  ],
  examples: [
    'website create --publisher publisher_northwind --name "Northwind Journal" --origin https://journal.example --vertical news',
    "website create --publisher publisher_northwind --name Preview --origin http://localhost:8788 --development --geo-mode allowlist --geo-entries DE,US-NJ --unknown-location block --support-email help@journal.example",
  ],
  run: async (given, { catalogue, now, rules, service }) => {
    const input = parseInput(websiteInput, withWholeGeoRule(given));
    const keys = await createWebsite(catalogue, input, { now, rules });
    const tag = scriptTag(service.baseUrl, keys);
    return {
      answer: { ...keys, tag },
      text: facts({ ...keys, tag }),
      notes: [
        ...ruleNotes(input),
        `it may show no offer yet; to permit all: allowlist set --website ${keys.websiteKey} --mode all`,
        ...(isOnThisMachine(input.origins) ? [] : ownAddressNotes(service)),
      ],
    };
  },
};

const update: Command = {
  verb: "update",
  summary: "Change what is given, leave the rest. --origin replaces all its origins.",
  options: [website, name, origin, ...websiteSettingOptions],
  examples: [
    "website update --website ws_journal --geo-entries DE,AT,CH --unknown-location allow",
    "website update --website ws_journal --theme dark --title none --not-dismissible",
  ],
  run: async (given, { catalogue, rules }) => {
    const patch = changesBeside(given, "websiteKey");
    const keys = await updateWebsite(catalogue, textOf(given, "websiteKey"), patch, rules);
    // Mode and entries may each have been given alone: what is saved now tells what they come to.
    const isRuleGiven = patch.geoRule !== undefined;
    const notes = isRuleGiven ? ruleNotes(await requireWebsite(catalogue.db, keys.websiteKey)) : [];
    return { answer: keys, text: facts(keys), notes };
  },
};

const list: Command = {
  verb: "list",
  summary: "Print every website, or those of one publisher.",
  options: [
    publisher,
    {
      name: "deleted",
      kind: "flag",
      field: "deleted",
      help: "those that were deleted, whose figures stay in reports",
    },
  ],
  examples: ["website list", "website list --publisher publisher_northwind --json", "website list --deleted"],
  run: async (given, { catalogue }) => {
    const publisherId = optionalTextOf(given, "publisherId");
    const filter = publisherId === undefined ? {} : { publisherId };
    if (given.deleted === true) return deletedOnes(await listDeletedWebsites(catalogue.db, filter));
    const answer = (await listWebsites(catalogue.db, filter)).map(withoutVersion);
    const rows = answer.map((one) => [
      one.websiteKey,
      one.publicKey,
      one.vertical,
      one.paused ? "paused" : one.development ? "development" : "live",
      ruleText(one),
      one.origins.join(" "),
      one.name,
    ]);
    const titles = ["WEBSITE", "PUBLIC KEY", "VERTICAL", "TRAFFIC", "GEO RULE", "ORIGINS", "NAME"];
    return { answer, text: table(titles, rows) };
  },
};

const deletedOnes = (answer: readonly DeletedWebsite[]) => {
  const rows = answer.map(({ websiteKey, publisherId, vertical, deletedAt, name }) => [
    ...[websiteKey, publisherId, vertical, dayOf(deletedAt), name],
  ]);
  return { answer, text: table(["WEBSITE", "PUBLISHER", "VERTICAL", "DELETED", "NAME"], rows) };
};

const show: Command = {
  verb: "show",
  summary: "Print all that is saved of a website, and its script tag.",
  options: [website],
  examples: ["website show --website ws_journal"],
  run: async (given, { catalogue, service }) => {
    const found = withoutVersion(await requireWebsite(catalogue.db, textOf(given, "websiteKey")));
    const tag = scriptTag(service.baseUrl, found);
    const { settings, geoRule, allowlist, origins, floor, ...own } = found;
    const said = { ...own, ...settings, createdAt: dayOf(own.createdAt), ...settings.supportContact };
    return {
      answer: { ...found, tag },
      text: facts({
        ...textsOf(said),
        floor: floor.micros === 0 ? "-" : `${amount(floor.micros)} ${floor.currency}`,
        origins: origins.join(" "),
        include: settings.pages.include.join(" ") || "-",
        exclude: settings.pages.exclude.join(" ") || "-",
        geoRule: ruleText(found),
        allowlist: textOfAllowlist(allowlist),
        tag,
      }),
      notes: isOnThisMachine(origins) ? [] : ownAddressNotes(service),
    };
  },
};

const check: Command = {
  verb: "check",
  summary: "Say whether its pages load the tag, and if not, what to mend first; exit code 1 then.",
  options: [
    website,
    {
      name: "page",
      kind: "text",
      field: "page",
      hint: "URL",
      help: "address of one of its pages, to be fetched and looked at: tag, consent, content security policy",
    },
  ],
  examples: [
    "website check --website ws_journal",
    "website check --website ws_journal --page https://www.journal.example/news",
  ],
  run: async (given, context) => {
    const found = await requireWebsite(context.catalogue.db, textOf(given, "websiteKey"));
    const page = optionalTextOf(given, "page");
    const checkedPage = page === undefined ? null : await lookAtPage(context, found, page);
    const look = await prepareTagCheck(context, found, found.createdAt, checkedPage);
    const { state, causes, lastPing, lastPages } = await look();
    const seen = lastPing && `${lastPing.page} at ${new Date(lastPing.at).toISOString()}`;
    // Where visitors load the tag elsewhere, the page that was asked about is still not as it should be.
    const isPageWell = checkedPage === null || checkedPage.findings.length === 0;
    return {
      answer: { websiteKey: found.websiteKey, state, lastPing, lastPages, checkedPage, causes },
      text: [
        facts({
          state,
          "last page": seen ?? "-",
          ...(checkedPage && { "checked page": `${checkedPage.url}${isPageWell ? " is well" : ""}` }),
        }),
        ...causes.map(causeText),
      ].join("\n"),
      differs: state !== "live" || !isPageWell,
    };
  },
};

const lookAtPage = async ({ rules, service }: CommandContext, found: ListedWebsite, page: string) => {
  const { origins, publicKey, websiteKey } = found;
  const wanted = { origins, publicKey, websiteKey, baseUrl: service.baseUrl };
  const check = await checkPage(page, wanted, { production: rules.production });
  if (check.outcome === "checked") return { url: check.url, findings: check.findings };
  const message = `must be the address of a page of ${origins.join(" or ")}`;
  throw new CatalogueRefusal([{ field: "page", message }]);
};

const pausing = (verb: "pause" | "resume", summary: string): Command => ({
  verb,
  summary,
  options: [website],
  examples: [`website ${verb} --website ws_journal`],
  run: async (given, { catalogue }) => {
    const paused = verb === "pause";
    const { websiteKey } = await setWebsitePaused(catalogue, textOf(given, "websiteKey"), paused);
    return { answer: { websiteKey, paused }, text: facts({ websiteKey, paused: String(paused) }) };
  },
});

export const websiteNoun: Noun = {
  name: "website",
  summary: "Where the script tag stands, who sees the page as it is, and how the overlay looks.",
  commands: [
    create,
    update,
    show,
    check,
    pausing("pause", "Show every visitor its pages, and no offer, until it is resumed."),
    pausing("resume", "Go by its rule again."),
    list,
  ],
};

const ruleNotes = ({ geoRule }: Pick<ListedWebsite, "geoRule">): readonly string[] =>
  blocksEveryPlace(geoRule) ? ["no location is allowed: every located visitor meets the overlay"] : [];

const ruleText = ({ geoRule: { mode, entries, unknownLocation } }: Pick<ListedWebsite, "geoRule">): string =>
  `${mode} ${entries.join(",") || "(empty)"}, unknown ${unknownLocation}`;

/** Members that are texts, numbers or switches; what is not set is a dash. */
const textsOf = (members: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value === null || typeof value !== "object")
      .map(([name, value]) => [name, value === null || value === "" ? "-" : String(value)]),
  );

const textOfAllowlist = ({ mode, allow, block }: ListedWebsite["allowlist"]): string => {
  const names = ({ brands, verticals, offers }: typeof allow) =>
    [...brands, ...verticals, ...offers].join(", ") || "nothing";
  return `${mode === "all" ? "all" : names(allow)} but ${names(block)}`;
};

/** A new website has no stored rule to fill up from; and entries without a mode could mean the opposite. */
const withWholeGeoRule = (given: Given): unknown => {
  const { geoRule } = given as { geoRule?: { mode?: unknown; entries?: unknown } };
  if (geoRule?.entries !== undefined && geoRule.mode === undefined) {
    const message = "must say whether the entries are allowed (allowlist) or blocked (blocklist)";
    throw new CatalogueRefusal([{ field: "geoRule.mode", message }]);
  }
  return mergePatch({ geoRule: { mode: "blocklist", entries: [], unknownLocation: "allow" } }, given);
};
