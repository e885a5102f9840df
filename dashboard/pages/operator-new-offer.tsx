import type { AdvertiserRow } from "@offers/contract/dash/operator";
import { useEffect, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change } from "../api.ts";
import { isSame } from "../merge-patch.ts";
import { newDraft, type OfferDraft, offerOfDraft } from "../offer-draft.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { OfferFields, offerNames } from "../parts/offer-fields.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { said, type Wrong, Wrongs } from "../parts/wrong-fields.tsx";
import { useAnswer } from "../use-answer.ts";
import { useUnsavedGuard } from "../use-unsaved-guard.ts";

/** The form of an offer that is not there yet. */
export function NewOffer() {
  const { query, to, go } = useAddress();
  const advertisers = useAnswer<{ items: AdvertiserRow[] }>("operator/advertisers");
  const chosen = advertisers.value?.items.find(({ advertiserId }) => advertiserId === query.advertiser);
  const first = chosen ?? advertisers.value?.items[0];
  const [draft, setDraft] = useState<OfferDraft>(newDraft);
  const [wrong, setWrong] = useState<Wrong>({});
  const { run, isBusy, error } = useChanging();
  const names = offerNames(draft.currency);
  const payer = advertisers.value?.items.find((one) => one.advertiserId === draft.advertiserId);
  // Who pays, and in what, the page fills in by itself.
  const { advertiserId, currency } = draft;
  useUnsavedGuard(!isSame(draft, { ...newDraft, advertiserId, currency }));
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
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Card title="Who pays">
          <div class="fields">
            <SelectField
              label={names.advertiserId}
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
              label={names.currency}
              value={draft.currency}
              onValue={(currency) => setDraft({ ...draft, currency: currency.toUpperCase() })}
              maxLength={3}
              readOnly={Boolean(payer?.currency)}
              hint={
                payer?.currency
                  ? "In which the advertiser pays."
                  : "ISO 4217. One for all offers of an advertiser."
              }
              error={said("currency", wrong, error)}
            />
          </div>
        </Card>
        <OfferFields draft={draft} onDraft={setDraft} wrong={wrong} error={error} />
        <Wrongs wrong={wrong} error={error} names={names} />
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
