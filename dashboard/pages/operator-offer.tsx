import type { OfferPage } from "@offers/contract/dash/operator";
import { useRoute } from "preact-iso/router";
import { useAddress } from "../address.ts";
import { change } from "../api.ts";
import { formatCount } from "../format.ts";
import { patchOf } from "../merge-patch.ts";
import { exactMoneyText, moneyText } from "../money.ts";
import { draftOf, mergeOffers, readOffer } from "../offer-draft.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { Failure } from "../parts/failure.tsx";
import { Figures } from "../parts/figures.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { OfferFields, offerNames } from "../parts/offer-fields.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { Badge } from "../parts/state.tsx";
import { translationsSentence } from "../translations.ts";
import { useAnswer } from "../use-answer.ts";
import { useDraft } from "../use-draft.ts";
import { NewOffer } from "./operator-new-offer.tsx";

/** One offer: what it has spent, and every field of it. */
export function OperatorOffer() {
  const { offer: id = "" } = useRoute().params;
  return id === "new" ? <NewOffer /> : <SavedOffer id={id} />;
}

function SavedOffer({ id }: { id: string }) {
  const { to } = useAddress();
  const path = `operator/offers/${id}`;
  const { value: page, error: unread, again, refresh } = useAnswer<OfferPage>(path);
  const { run, isBusy, error: notToggled } = useChanging();
  const row: Record<string, unknown> & { version: number } = { ...page?.offer, version: page?.version ?? 0 };
  const draft = useDraft(
    row,
    draftOf,
    async (before, after, version) => {
      const patch = patchOf(readOffer(before), readOffer(after));
      const saved = await change<OfferPage>("patch", path, patch, version);
      again();
      return saved.version;
    },
    mergeOffers,
  );
  const toggle = ({ status }: OfferPage) =>
    run(async () => {
      const { version } = draft;
      try {
        const asked = { status: status === "active" ? "paused" : "active" };
        const moved = await change<OfferPage>("put", `${path}/status`, asked, version);
        draft.moveOn(version, moved.version);
      } finally {
        // Where the session has ended, what is typed beside it stays.
        refresh();
      }
    });
  return (
    <>
      <PageHeader
        title={page ? `${page.brand}: ${page.title}` : "Offer"}
        above={{ title: "Offers", link: to("/operator/offers") }}
        says={
          <>
            <code>{id}</code> · in days of UTC
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
              <button type="button" class="button" disabled={isBusy} onClick={() => void toggle(page)}>
                <Icon name={page.status === "active" ? "pause" : "right"} />
                {page.status === "active" ? "Pause" : "Resume"}
              </button>
            </>
          )
        }
      />
      {unread && <Failure error={unread} again={again} />}
      {notToggled && <Notice tone="bad">{notToggled.message}</Notice>}
      {page ? (
        <>
          <Spent page={page} />
          <p class="quiet">
            With other texts, another picture or another address its click rate goes on from what was
            recorded. A new offer begins anew.
          </p>
          <OfferFields draft={draft.value} onDraft={draft.set} wrong={{}} error={draft.error} />
          <SaveBar
            draft={draft}
            names={offerNames(draft.value.currency)}
            words={(name, { locales }) => (name === "locales" ? translationsSentence(locales) : undefined)}
            again={again}
          />
        </>
      ) : (
        !unread && <Skeleton height={500} lines={10} />
      )}
    </>
  );
}

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
