import type { AdvertiserRow, OfferPage } from "@offers/contract/dash/operator";
import { pacings, payoutModels } from "@offers/contract/words";
import { useEffect, useState } from "preact/hooks";
import { useRoute } from "preact-iso/router";
import { useAddress } from "../address.ts";
import { Conflict, change, type Refused } from "../api.ts";
import { formatCount, formatTime } from "../format.ts";
import { patchOf } from "../merge-patch.ts";
import { exactMoneyText, moneyText } from "../money.ts";
import { draftOf, newDraft, type OfferDraft, offerOfDraft, type TextMember } from "../offer-draft.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { CheckField, errorOf, SelectField, TextField } from "../parts/field.tsx";
import { Figures } from "../parts/figures.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { UnsavedBar } from "../parts/unsaved-bar.tsx";
import { useAnswer } from "../use-answer.ts";

/** One offer: what it has spent, and every field of it. */
export function OperatorOffer() {
  const { offer: id = "" } = useRoute().params;
  return id === "new" ? <NewOffer /> : <SavedOffer key={id} id={id} />;
}

function NewOffer() {
  const { query, to, go } = useAddress();
  const advertisers = useAnswer<{ items: AdvertiserRow[] }>("operator/advertisers");
  const chosen = advertisers.value?.items.find(({ advertiserId }) => advertiserId === query.advertiser);
  const first = chosen ?? advertisers.value?.items[0];
  const [draft, setDraft] = useState<OfferDraft>(newDraft);
  const [wrong, setWrong] = useState<Wrong>({});
  const { run, isBusy, error } = useChanging();
  useEffect(() => {
    if (!first || draft.advertiserId) return;
    setDraft({ ...draft, advertiserId: first.advertiserId, currency: first.currency ?? draft.currency });
  }, [first]);
  const send = () => {
    const read = offerOfDraft(draft);
    setWrong(read.ok ? {} : read.wrong);
    if (!read.ok) return;
    void run(async () => {
      const made = await change<{ offerId: string }>("post", "operator/offers", withoutBlanks(read.offer));
      go(to(`/operator/offers/${made.offerId}`));
    });
  };
  const header = (
    <PageHeader
      title="New offer"
      above={{ title: "Offers", link: to("/operator/offers") }}
      says="It is handed out as soon as it is saved."
    />
  );
  if (advertisers.error) return <Failure error={advertisers.error} again={advertisers.again} />;
  if (advertisers.value?.items.length === 0) {
    return (
      <>
        {header}
        <EmptyState
          icon="coins"
          title="An offer needs somebody who pays"
          action={
            <a class="button main" href={to("/operator/advertisers")}>
              Add an advertiser
            </a>
          }
        >
          All offers of an advertiser are paid out of its one balance.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      {header}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Card title="Who pays">
          <div class="fields">
            <SelectField
              label="Advertiser"
              value={draft.advertiserId}
              choices={(advertisers.value?.items ?? []).map((one) => ({
                value: one.advertiserId,
                says: one.name,
              }))}
              onValue={(advertiserId) => {
                const currency = advertisers.value?.items.find(
                  (one) => one.advertiserId === advertiserId,
                )?.currency;
                setDraft({ ...draft, advertiserId, currency: currency ?? draft.currency });
              }}
              error={said("advertiserId", wrong, error)}
            />
            <TextField
              label="Currency"
              value={draft.currency}
              onValue={(currency) => setDraft({ ...draft, currency: currency.toUpperCase() })}
              maxLength={3}
              hint="ISO 4217. One for all offers of an advertiser."
              error={said("currency", wrong, error)}
            />
          </div>
        </Card>
        <OfferFields draft={draft} onDraft={setDraft} wrong={wrong} error={error} />
        <Wrongs wrong={wrong} error={error} />
        <div class="row">
          <button type="submit" class="button main" disabled={isBusy}>
            Save the offer
          </button>
          <a class="button" href={to("/operator/offers")}>
            Cancel
          </a>
        </div>
      </form>
    </>
  );
}

/** What an empty field of a new offer leaves to the service's own defaults. */
const withoutBlanks = (offer: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(offer).filter(([, value]) => value !== "" && value !== null));

function SavedOffer({ id }: { id: string }) {
  const { to } = useAddress();
  const path = `operator/offers/${id}`;
  const { value, error: unread, again } = useAnswer<OfferPage>(path);
  const [draft, setDraft] = useState<OfferDraft | null>(null);
  const [base, setBase] = useState<OfferPage | null>(null);
  const [wrong, setWrong] = useState<Wrong>({});
  const { run, isBusy, error, forget } = useChanging();
  const take = (page: OfferPage) => {
    setBase(page);
    setDraft(draftOf(page.offer));
    setWrong({});
    forget();
  };
  useEffect(() => {
    // What somebody types stays, also where the page is read again.
    if (value && (!base || value.version !== base.version) && !isChangedFrom(base, draft)) take(value);
  }, [value]);
  const page = base ?? value;
  const save = () => {
    if (!draft || !base) return;
    const read = offerOfDraft(draft);
    setWrong(read.ok ? {} : read.wrong);
    if (!read.ok) return;
    const patch = patchOf(base.offer, read.offer);
    void run(() => change("patch", path, patch, base.version)).then((isSaved) => {
      if (!isSaved) return;
      setBase(null);
      again();
    });
  };
  const toggle = () =>
    run(async () => {
      const status = page?.status === "active" ? "paused" : "active";
      await change("put", `${path}/status`, { status }, page?.version);
      setBase(null);
      again();
    });
  return (
    <>
      <PageHeader
        title={page ? page.brand : "Offer"}
        above={{ title: "Offers", link: to("/operator/offers") }}
        says={
          <>
            {page && <>{page.title} · </>}
            <code>{id}</code>
          </>
        }
        actions={
          page && (
            <>
              {page.status === "active" ? (
                <Badge tone="good">Active</Badge>
              ) : (
                <Badge tone="warn" icon="pause">
                  Paused
                </Badge>
              )}
              <button type="button" class="button" disabled={isBusy} onClick={() => void toggle()}>
                <Icon name={page.status === "active" ? "pause" : "right"} />
                {page.status === "active" ? "Pause" : "Resume"}
              </button>
            </>
          )
        }
      />
      {unread && <Failure error={unread} again={again} />}
      {page && <Spent page={page} />}
      {error instanceof Conflict && draft && (
        <Theirs
          conflict={error}
          draft={draft}
          onTake={() => {
            forget();
            setBase(null);
            again();
          }}
        />
      )}
      {draft && <OfferFields draft={draft} onDraft={setDraft} wrong={wrong} error={error} />}
      {!draft && !unread && <Skeleton height={500} lines={10} />}
      <Wrongs wrong={wrong} error={error instanceof Conflict ? undefined : error} />
      <UnsavedBar
        isChanged={isChangedFrom(base, draft)}
        isSaving={isBusy}
        error={error}
        onSave={save}
        onDiscard={() => base && take(base)}
      />
    </>
  );
}

const isChangedFrom = (base: OfferPage | null, draft: OfferDraft | null): boolean =>
  base !== null && draft !== null && JSON.stringify(draftOf(base.offer)) !== JSON.stringify(draft);

/** Somebody else saved first: both versions beside each other, where they differ. */
function Theirs({ conflict, draft, onTake }: { conflict: Conflict; draft: OfferDraft; onTake: () => void }) {
  const { changedBy, changedAt, theirs } = conflict;
  const other = isMembers(theirs) ? draftOf(theirs) : draft;
  const names = (Object.keys(draft) as (keyof OfferDraft)[]).filter(
    (name) => String(draft[name]) !== String(other[name]),
  );
  return (
    <Notice
      tone="warn"
      action={
        <button type="button" class="button" onClick={onTake}>
          Take theirs
        </button>
      }
    >
      <p>
        {changedBy ?? "Somebody"} changed this offer{changedAt !== null && ` at ${formatTime(changedAt)}`}{" "}
        while you had it open. Nothing of yours is saved.
      </p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <strong>{name}</strong>: theirs <code>{String(other[name]) || "empty"}</code>, yours{" "}
            <code>{String(draft[name]) || "empty"}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function Spent({ page }: { page: OfferPage }) {
  const of = (spent: number, cap: number | null) =>
    cap === null
      ? "no cap"
      : `of ${moneyText(cap, page.currency)}, ${moneyText(Math.max(0, cap - spent), page.currency)} left`;
  const clicks = (spent: number, cap: number | null) =>
    cap === null ? "no cap" : `of ${formatCount(cap)}, ${formatCount(Math.max(0, cap - spent))} left`;
  return (
    <Card isFlush>
      <Figures
        label="Spent"
        figures={[
          {
            name: "Spent today",
            value: moneyText(page.spentTodayMicros, page.currency),
            says: of(page.spentTodayMicros, page.dailyBudgetMicros),
          },
          {
            name: "Clicks today",
            value: formatCount(page.clicksToday),
            says: clicks(page.clicksToday, page.dailyClickCap),
          },
          {
            name: "Spent ever",
            value: moneyText(page.spentMicros, page.currency),
            says: of(page.spentMicros, page.totalBudgetMicros),
          },
          {
            name: "Billed clicks",
            value: formatCount(page.billedClicks),
            says: clicks(page.billedClicks, page.totalClickCap),
          },
          {
            name: "Price",
            value: exactMoneyText(page.payoutMicros, page.currency),
            says: `${page.payoutModel} · ${page.advertiserName}`,
          },
        ]}
      />
    </Card>
  );
}

type Wrong = Partial<Record<TextMember, string>>;

/** What is wrong with a field, by this page or by the service. */
const said = (name: string, wrong: Wrong, error: Refused | undefined): string | undefined => {
  const sentence = wrong[name as TextMember] ?? errorOf(error, name);
  return sentence && `This ${sentence}.`;
};

function Wrongs({ wrong, error }: { wrong: Wrong; error: Refused | undefined }) {
  const names = [...Object.keys(wrong), ...(error?.errors.map(({ parameter }) => parameter) ?? [])];
  if (names.length === 0 && !error) return null;
  return (
    <Notice tone="bad">
      {names.length > 0 ? `Not saved. Look at ${names.join(", ")}.` : error?.message}
    </Notice>
  );
}

type FieldsParts = {
  draft: OfferDraft;
  onDraft: (draft: OfferDraft) => void;
  wrong: Wrong;
  error: Refused | undefined;
};

function OfferFields({ draft, onDraft, wrong, error }: FieldsParts) {
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
          {text("languages", "Languages of the browser", { hint: "Such as de, pt-BR. Empty: all." })}
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
