import type { OfferPage } from "@offers/contract/dash/operator";
import { useEffect, useState } from "preact/hooks";
import { useRoute } from "preact-iso/router";
import { useAddress } from "../address.ts";
import { Conflict, change } from "../api.ts";
import { formatCount, formatTime } from "../format.ts";
import { patchOf } from "../merge-patch.ts";
import { exactMoneyText, moneyText } from "../money.ts";
import { draftOf, type OfferDraft, offerOfDraft } from "../offer-draft.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { Failure } from "../parts/failure.tsx";
import { Figures } from "../parts/figures.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { OfferFields } from "../parts/offer-fields.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { UnsavedBar } from "../parts/unsaved-bar.tsx";
import { type Wrong, Wrongs } from "../parts/wrong-fields.tsx";
import { useAnswer } from "../use-answer.ts";
import { NewOffer } from "./operator-new-offer.tsx";

/** One offer: what it has spent, and every field of it. */
export function OperatorOffer() {
  const { offer: id = "" } = useRoute().params;
  return id === "new" ? <NewOffer /> : <SavedOffer key={id} id={id} />;
}

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
