import { offerInput } from "@offers/contract/catalogue";
import { type PayoutModel, payoutModels } from "@offers/contract/words";
import { escapedMacros, tellsClickId } from "../core/landing-url.ts";
import { looksOtherwise } from "../core/offer-look.ts";
import { billedEvent } from "../core/price.ts";
import { requireAdvertiser } from "../store/catalogue/advertiser-rows.ts";
import type { OpenCatalogue } from "../store/catalogue/catalogue-handle.ts";
import { parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { type ListedCurrency, listCurrencies } from "../store/catalogue/currency-rates.ts";
import {
  createOffer,
  hasRecordedViews,
  type ListedOffer,
  listOffers,
  readSpendToday,
  requireOffer,
  setOfferStatus,
  updateOffer,
} from "../store/catalogue/offers.ts";
import {
  type Command,
  changesBeside,
  type Given,
  type Noun,
  type Option,
  optionalTextOf,
  textOf,
} from "./command.ts";
import { currencyNotes } from "./currency.ts";
import { exportCommand, importCommand } from "./offer-file-commands.ts";
import { changesInLocale, localeOption, refusedInLocale } from "./offer-locale.ts";
import { offerCoreOptions, offerExtraOptions } from "./offer-options.ts";
import { amount, dayOf, facts, table } from "./table.ts";
import { withoutVersion } from "./without-version.ts";

const offer: Option = {
  name: "offer",
  kind: "text",
  field: "offerId",
  hint: "O",
  required: true,
  help: "the offer's id",
};
const advertiser: Option = {
  name: "advertiser",
  kind: "text",
  field: "advertiserId",
  hint: "A",
  help: "the advertiser's id",
};

const create: Command = {
  verb: "create",
  summary: "Save a new offer and print its id. A running service hands it out within two seconds.",
  options: [
    { ...advertiser, required: true },
    ...offerCoreOptions.map((option): Option => ({ ...option, required: true })),
    ...offerExtraOptions,
    {
      name: "currency",
      kind: "text",
      field: "currency",
      hint: "C",
      help: "ISO 4217 code of its amounts: that of its advertiser, which it is without this",
    },
  ],
  examples: [
    'offer create --advertiser advertiser_brightwave-energy --brand "Brightwave Energy" --vertical energy --title "Wind power at a fixed price" --geo GB,IE --payout-model CPC --payout-micros 620000 --landing-url "https://brightwave.example/wind?click={click_id}" --premium',
    'offer create --advertiser advertiser_skyhop-travel --brand "Skyhop Travel" --vertical travel --title "Two nights by the sea" --geo "*" --payout-model CPM --payout-micros 4000000 --landing-url https://skyhop.example/ --daily-budget-micros 20000000',
  ],
  run: async (given, { catalogue, now, rules }) => {
    const { currency } = await requireAdvertiser(catalogue.db, textOf(given, "advertiserId"));
    const input = parseInput(offerInput, { ...(currency && { currency }), ...given });
    const offerId = await createOffer(catalogue, input, { now, rules });
    const notes = [
      ...landingNotes(given),
      ...budgetNotes(given),
      ...pacingNotes(given, []),
      ...currencyNotes(await listCurrencies(catalogue.db)),
    ];
    return { answer: { offerId }, text: facts({ offerId }), notes };
  },
};

/** What an operator should know of the landing address that was saved. */
const landingNotes = ({ landingUrl }: Given): readonly string[] => {
  if (typeof landingUrl !== "string") return [];
  const escaped = escapedMacros(landingUrl).map(
    (macro) => `--landing-url has ${macro}, which is sent as it is: write macros in { and } as they are`,
  );
  return tellsClickId(landingUrl)
    ? escaped
    : ["--landing-url has no {click_id}: the advertiser cannot tell which click came", ...escaped];
};

/** What an operator should know whose budget nothing is ever taken from. */
const budgetNotes = (given: Given, modelBefore?: PayoutModel): readonly string[] => {
  const model = payoutModels.find((one) => one === given.payoutModel) ?? modelBefore;
  if (model === undefined || billedEvent(model) !== null) return [];
  return isAmount(given.dailyBudgetMicros) || isAmount(given.totalBudgetMicros)
    ? [
        `nothing is billed here for a ${model} offer, so its budget never ends it: give it an end, or pause it`,
      ]
    : [];
};

const isAmount = (value: unknown): boolean => value !== undefined && value !== null;

/** What an operator should know whose offer is spread over hours of the day in which nobody may come. */
const pacingNotes = ({ pacing, hours }: Given, hoursBefore: readonly string[]): readonly string[] =>
  pacing !== "even" || (Array.isArray(hours) ? hours : hoursBefore).length > 0
    ? []
    : [
        "its budget is spread over the whole UTC day, and a part is left where visitors sleep at its end; say when they are awake, such as --hours 7-24 --time-zone Asia/Tokyo",
      ];

const update: Command = {
  verb: "update",
  summary: "Change what is given, leave the rest. A raised cap opens the offer again.",
  options: [offer, localeOption, ...offerCoreOptions, ...offerExtraOptions],
  examples: [
    "offer update --offer offer_brightwave_wind_gb --payout-micros 580000 --daily-budget-micros none",
    'offer update --offer offer_brightwave_wind_gb --title "Wind power, two winters at one price"',
    'offer update --offer offer_brightwave_wind_gb --locale cy --title "Ynni gwynt, dau aeaf am un pris"',
  ],
  run: async (given, { catalogue, rules }) => {
    const patch = changesInLocale(changesBeside(given, "offerId"));
    const before = await requireOffer(catalogue.db, textOf(given, "offerId"));
    const offerId = await updateOffer(catalogue, before.id, patch, rules).catch((error) => {
      throw refusedInLocale(error);
    });
    const notes = [
      ...landingNotes(given),
      ...budgetNotes(given, before.payoutModel),
      ...pacingNotes(given, before.hours),
      ...(await lookNotes(catalogue, before)),
    ];
    return { answer: { offerId }, text: facts({ offerId }), notes };
  },
};

/** What an operator should know whose change has given visitors something else to see. */
const lookNotes = async (
  { db }: Pick<OpenCatalogue, "db">,
  before: ListedOffer,
): Promise<readonly string[]> => {
  if (!looksOtherwise(before, await requireOffer(db, before.id))) return [];
  if (!(await hasRecordedViews(db, before.id))) return [];
  return [
    "its click rate goes on from the views and clicks that were recorded before this change; only a new offer begins anew",
  ];
};

const statusCommand = (verb: "pause" | "resume", summary: string): Command => ({
  verb,
  summary,
  options: [offer],
  examples: [`offer ${verb} --offer offer_brightwave_wind_gb`],
  run: async (given, { catalogue }) => {
    const status = verb === "pause" ? "paused" : "active";
    const offerId = await setOfferStatus(catalogue, textOf(given, "offerId"), status);
    return { answer: { offerId, status }, text: facts({ offerId, status }) };
  },
});

const show: Command = {
  verb: "show",
  summary: "Print all that is saved of an offer, and what it has cost so far and today (UTC).",
  options: [offer],
  examples: ["offer show --offer offer_brightwave_wind_gb"],
  run: async (given, { catalogue, now }) => {
    const { id, ...saved } = withoutVersion(await requireOffer(catalogue.db, textOf(given, "offerId")));
    const rest = { ...saved, ...(await readSpendToday(catalogue.db, id, now)) };
    const rows = Object.entries(rest).map(([name, value]) => [name, textOfMember(name, value)]);
    const inLocales = Object.entries(rest.locales).flatMap(([tag, texts]) =>
      Object.entries(texts).map(([name, text]) => [`${name}:${tag}`, text]),
    );
    const locales = localesOf(rest);
    return {
      answer: { offerId: id, ...rest },
      text: facts({ offerId: id, ...Object.fromEntries(rows), locales, ...Object.fromEntries(inLocales) }),
      notes: currencyNotes((await listCurrencies(catalogue.db)).filter(isTold(rest.currency))),
    };
  },
};

/** Its own currency, and those that have a rate: without any all offers are compared as they are. */
const isTold = (own: string) => (one: ListedCurrency) => one.currency === own || one.rate !== null;

const localesOf = ({ locales }: Pick<ListedOffer, "locales">): string =>
  Object.keys(locales).join(",") || "-";

/** Money in the units of its currency, under the name that the options have for millionths. */
const textOfMember = (name: string, value: unknown): string => {
  if (value === null || value === "") return "-";
  if (name === "createdAt") return dayOf(Number(value));
  return name.endsWith("Micros") ? `${value} (${amount(Number(value))})` : String(value) || "-";
};

const list: Command = {
  verb: "list",
  summary: "Print every offer, or those of one advertiser.",
  options: [advertiser],
  examples: ["offer list", "offer list --advertiser advertiser_brightwave-energy --json"],
  run: async (given, { catalogue }) => {
    const advertiserId = optionalTextOf(given, "advertiserId");
    const offers = await listOffers(catalogue.db, advertiserId === undefined ? {} : { advertiserId });
    const rows = offers.map((one) => [
      one.id,
      one.status,
      one.vertical,
      one.geoCoverage.join(","),
      one.payoutModel,
      amount(one.payoutMicros),
      one.currency,
      amount(one.spentMicros),
      String(one.billedClicks),
      one.premium ? "premium" : "-",
      localesOf(one),
      `${one.brand}: ${one.title}`,
    ]);
    const titles = [
      "OFFER",
      "STATUS",
      "VERTICAL",
      "GEO",
      "MODEL",
      "PAYOUT",
      "",
      "SPENT",
      "CLICKS",
      "PLACE",
      "LOCALES",
      "TITLE",
    ];
    return {
      answer: offers.map(withoutVersion).map(({ id, ...rest }) => ({ offerId: id, ...rest })),
      text: table(titles, rows),
    };
  },
};

export const offerNoun: Noun = {
  name: "offer",
  summary: "What is shown to a blocked visitor, where, and what the advertiser pays for it.",
  commands: [
    create,
    update,
    statusCommand("pause", "Stop handing an offer out, until it is resumed."),
    statusCommand("resume", "Hand a paused offer out again."),
    show,
    importCommand,
    exportCommand,
    list,
  ],
};
