import { pacings, payoutModels } from "@offers/contract/words";
import { landingMacros } from "../core/landing-url.ts";
import type { Option } from "./command.ts";

/** What an offer cannot be without; creating asks for all of them, updating for none. */
export const offerCoreOptions: readonly Option[] = [
  { name: "brand", kind: "text", field: "brand", hint: "B", help: "the brand that visitors read" },
  {
    name: "vertical",
    kind: "text",
    field: "vertical",
    hint: "V",
    help: "its trade, such as energy or travel",
  },
  { name: "title", kind: "text", field: "title", hint: "T", help: "the headline" },
  {
    name: "geo",
    kind: "list",
    field: "geoCoverage",
    hint: "DE,US-NJ",
    help: "countries and regions where it may be shown, or * alone for anywhere",
  },
  {
    name: "payout-model",
    kind: "choice",
    choices: payoutModels,
    field: "payoutModel",
    help: "what the advertiser pays for",
  },
  {
    name: "payout-micros",
    kind: "micros",
    field: "payoutMicros",
    help: "the price: of one event, of 1000 impressions (CPM), of an expected conversion (REVSHARE)",
  },
  {
    name: "landing-url",
    kind: "text",
    field: "landingUrl",
    hint: "U",
    help: `https page of the advertiser; may hold ${landingMacros.map((name) => `{${name}}`).join(" ")}`,
  },
];

/** What an offer may have besides. */
export const offerExtraOptions: readonly Option[] = [
  { name: "description", kind: "text", field: "description", hint: "T", help: "one or two sentences" },
  { name: "cta", kind: "text", field: "ctaText", hint: "T", help: "words on the button" },
  {
    name: "image-url",
    kind: "text",
    field: "imageUrl",
    hint: "U",
    clearable: true,
    help: "the brand's mark (without one, its initials are drawn)",
  },
  {
    name: "daily-budget-micros",
    kind: "micros",
    field: "dailyBudgetMicros",
    clearable: true,
    help: "most to bill in one UTC day",
  },
  {
    name: "total-budget-micros",
    kind: "micros",
    field: "totalBudgetMicros",
    clearable: true,
    help: "most to bill ever",
  },
  {
    name: "daily-click-cap",
    kind: "count",
    field: "dailyClickCap",
    clearable: true,
    help: "most billed clicks in one UTC day",
  },
  {
    name: "total-click-cap",
    kind: "count",
    field: "totalClickCap",
    clearable: true,
    help: "most billed clicks ever",
  },
  {
    name: "pacing",
    kind: "choice",
    choices: pacings,
    field: "pacing",
    help: "how a day's budget is spent: as visitors come (asap), or evenly over the UTC day",
  },
  {
    name: "start",
    kind: "text",
    field: "startsAt",
    hint: "2026-12-01",
    clearable: true,
    help: "runs from this date, or date and time (2026-12-01T09:00), on",
  },
  {
    name: "end",
    kind: "text",
    field: "endsAt",
    hint: "2026-12-24",
    clearable: true,
    help: "runs until the end of this date, or until date and time",
  },
  {
    name: "days",
    kind: "list",
    field: "days",
    hint: "mon,tue",
    help: "days of the week on which it runs (all)",
  },
  {
    name: "hours",
    kind: "list",
    field: "hours",
    hint: "9-17",
    help: "hours of the day in which it runs (all); a night is 22-24,0-6",
  },
  {
    name: "time-zone",
    kind: "text",
    field: "timeZone",
    hint: "Europe/Berlin",
    help: "IANA name of the zone whose clock start, end, days and hours mean (UTC)",
  },
  {
    name: "languages",
    kind: "list",
    field: "languages",
    hint: "de,pt-BR",
    help: "for visitors whose browser asks for one of these first (all)",
  },
  {
    name: "devices",
    kind: "list",
    field: "devices",
    hint: "phone,tablet",
    help: "for visitors on phone, tablet or desktop (all)",
  },
  {
    name: "premium",
    negative: "not-premium",
    kind: "flag",
    field: "premium",
    help: "may take the premium place",
  },
  { name: "disclosure", kind: "text", field: "disclosure", hint: "T", help: "that and how this is paid for" },
  { name: "terms", kind: "text", field: "terms", hint: "T", help: "the small print" },
  {
    name: "language",
    kind: "text",
    field: "language",
    hint: "TAG",
    help: "which language these texts are in, such as en or pt-BR",
  },
];
