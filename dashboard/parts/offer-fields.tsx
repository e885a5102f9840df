import { pacings, payoutModels } from "@offers/contract/words";
import type { Refused } from "../api.ts";
import type { OfferDraft, TextMember } from "../offer-draft.ts";
import { Card } from "./card.tsx";
import { CheckField, SelectField, TextField } from "./field.tsx";
import { said, type Wrong } from "./wrong-fields.tsx";

type FieldsParts = {
  draft: OfferDraft;
  onDraft: (draft: OfferDraft) => void;
  wrong: Wrong;
  error: Refused | undefined;
};

/** Every field of an offer but who pays, group by group. */
export function OfferFields({ draft, onDraft, wrong, error }: FieldsParts) {
  const text = (
    name: TextMember,
    label: string,
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
      label={label}
      value={draft[name]}
      onValue={(value) => onDraft({ ...draft, [name]: value })}
      error={said(name, wrong, error)}
      {...more}
    />
  );
  return (
    <>
      <Card title="What visitors read">
        <div class="fields">
          {text("brand", "Brand")}
          {text("title", "Title")}
          {text("vertical", "Vertical", { hint: "Lower case, such as energy." })}
        </div>
        {text("description", "Description", { lines: 2 })}
        <div class="fields">
          {text("ctaText", "Words on the button")}
          {text("disclosure", "That it is paid for")}
          {text("language", "Language of these texts", { hint: "Such as en or pt-BR." })}
        </div>
        {text("terms", "Small print", { lines: 2 })}
        {text("locales", "The same texts in other languages", {
          lines: 5,
          hint: 'JSON, by language: {"de": {"title": "Windstrom zum festen Preis"}}',
        })}
      </Card>
      <Card title="Where it leads">
        {text("landingUrl", "Landing address", {
          hint: "May hold {click_id}, {offer_id}, {website}, {country} and others.",
        })}
        {text("imageUrl", "Address of the brand's mark", { hint: "Without one, its initials are drawn." })}
      </Card>
      <Card title="What is paid, and how much at the most">
        <div class="fields">
          <SelectField
            label="Paid for by"
            value={draft.payoutModel}
            choices={payoutModels.map((model) => ({ value: model as string, says: model }))}
            onValue={(payoutModel) => onDraft({ ...draft, payoutModel })}
            error={said("payoutModel", wrong, error)}
          />
          {text("payoutMicros", `Price in ${draft.currency}`, {
            inputMode: "decimal",
            placeholder: "0.45",
            hint: draft.payoutModel === "CPM" ? "Of 1000 impressions." : "Of one event.",
          })}
          <SelectField
            label="How a day's budget is spent"
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
          {text("dailyBudgetMicros", "Most in a UTC day", { inputMode: "decimal", placeholder: "no cap" })}
          {text("totalBudgetMicros", "Most ever", { inputMode: "decimal", placeholder: "no cap" })}
          {text("dailyClickCap", "Most billed clicks in a UTC day", {
            inputMode: "numeric",
            placeholder: "no cap",
          })}
          {text("totalClickCap", "Most billed clicks ever", { inputMode: "numeric", placeholder: "no cap" })}
        </div>
        <CheckField
          label="May take the premium place"
          checked={draft.premium}
          onValue={(premium) => onDraft({ ...draft, premium })}
        />
      </Card>
      <Card title="For whom">
        {text("geoCoverage", "Places", {
          hint: "Countries and regions such as DE, US-NJ; or * alone for anywhere.",
        })}
        <div class="fields">
          {text("languages", "Languages of the browser", { hint: "Such as de, pt-BR, zh-Hant. Empty: all." })}
          {text("devices", "Devices", { hint: "phone, tablet, desktop. Empty: all." })}
        </div>
      </Card>
      <Card title="When">
        <div class="fields">
          {text("startsAt", "From", { placeholder: "2026-12-01", hint: "A date, or 2026-12-01T09:00." })}
          {text("endsAt", "Until", { placeholder: "2026-12-24", hint: "A date is meant to its end." })}
          {text("days", "Days", { placeholder: "mon, tue", hint: "Empty: all." })}
          {text("hours", "Hours", { placeholder: "9-17", hint: "A night is 22-24, 0-6." })}
          {text("timeZone", "By the clock of", { placeholder: "Europe/Berlin" })}
        </div>
      </Card>
    </>
  );
}
