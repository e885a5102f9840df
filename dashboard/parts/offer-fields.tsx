import { assumedConversionBasisPoints, pacings, payoutModels } from "@offers/contract/words";
import type { Refused } from "../api.ts";
import type { OfferDraft, TextMember } from "../offer-draft.ts";
import { shareText } from "../share.ts";
import { Card } from "./card.tsx";
import { CheckField, SelectField, TextField } from "./field.tsx";
import { LocalTimeField } from "./local-time-field.tsx";
import { OfferPublishers } from "./offer-publishers.tsx";
import { TranslationsField } from "./translations-field.tsx";
import { said, type Wrong } from "./wrong-fields.tsx";

type FieldsParts = {
  draft: OfferDraft;
  onDraft: (draft: OfferDraft) => void;
  wrong: Wrong;
  error: Refused | undefined;
};

/** What each field of an offer is called. */
export const offerNames = (currency: string): Record<keyof OfferDraft, string> => ({
  advertiserId: "Advertiser",
  brand: "Brand",
  title: "Title",
  vertical: "Vertical",
  description: "Description",
  ctaText: "Words on the button",
  disclosure: "What the law asks for",
  language: "Language of these texts",
  terms: "Small print",
  locales: "The same texts in other languages",
  landingUrl: "Landing address",
  imageUrl: "Address of the brand's mark",
  payoutModel: "Paid for by",
  payoutMicros: `Price in ${currency}`,
  conversionRateBasisPoints: "Clicks that convert, in per cent",
  currency: "Currency",
  pacing: "How a day's budget is spent",
  dailyBudgetMicros: "Most in a UTC day",
  totalBudgetMicros: "Most ever",
  dailyClickCap: "Most billed clicks in a UTC day",
  totalClickCap: "Most billed clicks ever",
  premium: "May take the premium place",
  geoCoverage: "Places",
  languages: "Languages of the browser",
  devices: "Devices",
  startsAt: "From",
  endsAt: "Until",
  days: "Days",
  hours: "Hours",
  timeZone: "By the clock of",
  onlyPublishers: "Publishers that alone may show it",
  exceptPublishers: "Publishers that may not show it",
});

const conversionHint = (model: string): string => {
  const assumed = Object.entries(assumedConversionBasisPoints);
  const own = assumed.find(([name]) => name === model)?.[1];
  return own === undefined
    ? `Of offers that are paid by conversions alone: ${assumed.map(([name]) => name).join(", ")}.`
    : `The offer is ranked by it. Empty: ${shareText(own)}, which is assumed of ${model} offers.`;
};

/** Every field of an offer but who pays, group by group. */
export function OfferFields({ draft, onDraft, wrong, error }: FieldsParts) {
  const names = offerNames(draft.currency);
  const text = (
    name: TextMember,
    more: {
      hint?: string;
      lines?: number;
      type?: "url";
      inputMode?: "decimal" | "numeric";
      placeholder?: string;
    } = {},
  ) => (
    <TextField
      key={name}
      label={names[name]}
      value={draft[name]}
      onValue={(value) => onDraft({ ...draft, [name]: value })}
      error={said(name, wrong, error)}
      {...more}
    />
  );
  const moment = (name: "startsAt" | "endsAt", says: string) => (
    <LocalTimeField
      label={names[name]}
      hint={`By the clock of ${draft.timeZone || "UTC"}; ${says}.`}
      error={said(name, wrong, error)}
      value={draft[name]}
      onValue={(value) => onDraft({ ...draft, [name]: value })}
    />
  );
  const publishers = (name: "onlyPublishers" | "exceptPublishers", hint: string) => ({
    label: names[name],
    hint,
    error: said(name, wrong, error),
    chosen: draft[name].split(", ").filter((id) => id !== ""),
    onChosen: (ids: string[]) => onDraft({ ...draft, [name]: ids.join(", ") }),
  });
  return (
    <>
      <Card title="What visitors read">
        <div class="fields">
          {text("brand")}
          {text("title")}
          {text("vertical", { hint: "Lower case, such as energy." })}
        </div>
        {text("description", {
          lines: 2,
          hint: "Cut after two lines in a section and left out of small bars: nothing that the law asks for.",
        })}
        <div class="fields">
          {text("ctaText")}
          {text("language", { hint: "Such as en or pt-BR." })}
        </div>
        {text("disclosure", {
          lines: 3,
          hint: "What the law asks for beside the offer: that it is paid for, risk warnings, representative examples; always shown.",
        })}
        {text("terms", { lines: 2 })}
        <TranslationsField
          names={names}
          json={draft.locales}
          onJson={(locales) => onDraft({ ...draft, locales })}
          error={said("locales", wrong, error)}
          refused={error}
        />
      </Card>
      <Card title="Where it leads">
        {text("landingUrl", {
          hint: "May hold {click_id}, {offer_id}, {website}, {country} and others.",
        })}
        {text("imageUrl", { hint: "Without one, its initials are drawn." })}
      </Card>
      <Card title="What is paid, and how much at the most">
        <div class="fields">
          <SelectField
            label={names.payoutModel}
            value={draft.payoutModel}
            choices={payoutModels.map((model) => ({ value: model as string, says: model }))}
            onValue={(payoutModel) => onDraft({ ...draft, payoutModel })}
            error={said("payoutModel", wrong, error)}
          />
          {text("payoutMicros", {
            inputMode: "decimal",
            placeholder: "0.45",
            hint: draft.payoutModel === "CPM" ? "Of 1000 impressions." : "Of one event.",
          })}
          {text("conversionRateBasisPoints", {
            inputMode: "decimal",
            hint: conversionHint(draft.payoutModel),
          })}
          <SelectField
            label={names.pacing}
            value={draft.pacing}
            choices={pacings.map((pacing) => ({
              value: pacing as string,
              says: pacing === "asap" ? "As visitors come" : "Evenly over the UTC day",
            }))}
            onValue={(pacing) => onDraft({ ...draft, pacing })}
            error={said("pacing", wrong, error)}
          />
        </div>
        <div class="fields">
          {text("dailyBudgetMicros", { inputMode: "decimal", placeholder: "no cap" })}
          {text("totalBudgetMicros", { inputMode: "decimal", placeholder: "no cap" })}
          {text("dailyClickCap", {
            inputMode: "numeric",
            placeholder: "no cap",
          })}
          {text("totalClickCap", { inputMode: "numeric", placeholder: "no cap" })}
        </div>
        <CheckField
          label={names.premium}
          checked={draft.premium}
          onValue={(premium) => onDraft({ ...draft, premium })}
        />
      </Card>
      <Card title="For whom">
        {text("geoCoverage", {
          hint: "Countries and regions such as DE, US-NJ; or * alone for anywhere.",
        })}
        <div class="fields">
          {text("languages", { hint: "Such as de, pt-BR, zh-Hant. Empty: all." })}
          {text("devices", { hint: "phone, tablet, desktop. Empty: all." })}
        </div>
      </Card>
      <Card title="On whose websites">
        <OfferPublishers
          lists={[
            publishers("onlyPublishers", "By their names. Empty: all publishers."),
            publishers("exceptPublishers", "In place of the other list. No publisher can lift either."),
          ]}
        />
      </Card>
      <Card title="When">
        <div class="fields">
          {moment("startsAt", "without a time from the beginning of that day")}
          {moment(
            "endsAt",
            "without a time until the end of that day; links handed out before are billed for 24 hours, of a paused offer they are not",
          )}
        </div>
        <div class="fields">
          {text("days", { placeholder: "mon, tue", hint: "Empty: all." })}
          {text("hours", { placeholder: "9-17", hint: "A night is 22-24, 0-6." })}
          {text("timeZone", { placeholder: "Europe/Berlin" })}
        </div>
      </Card>
    </>
  );
}
