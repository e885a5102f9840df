import type { AdvertiserRow, OfferList, OfferRow } from "@offers/contract/dash/operator";
import { payoutModels } from "@offers/contract/words";
import { useAddress } from "../address.ts";
import { change, queryText } from "../api.ts";
import { formatCount } from "../format.ts";
import { exactMoneyText, moneyText } from "../money.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { SmallSelect, TextField } from "../parts/field.tsx";
import { Heard } from "../parts/heard.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { OfferLink } from "../parts/offer-link.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { useAnswer } from "../use-answer.ts";
import { useSearch } from "../use-search.ts";

/** All offers of all advertisers, with what each has left today. */
export function OperatorOffers() {
  const { query, to } = useAddress();
  const { q, status, advertiser, model } = query;
  const page = Number(query.page) || 1;
  const asked = { q, status, advertiser, model, page };
  const { value, error, isLoading, again } = useAnswer<OfferList>("operator/offers", asked);
  // Of another choice it says nothing of this one.
  const isEmpty = value?.items.length === 0 && !isLoading;
  const isFiltered = [q, status, advertiser, model].some((word) => word);
  const file = `/dash/api/operator/offer-file?${queryText({ format: "csv", advertiser })}`;
  const create = (
    <a class="button main" href={to("/operator/offers/new", { advertiser })}>
      <Icon name="plus" />
      New offer
    </a>
  );
  return (
    <>
      <PageHeader
        title="Offers"
        says="What is shown to blocked visitors, and what is paid for it."
        actions={
          <>
            <a class="button" href={file} download>
              <Icon name="download" />
              Export
            </a>
            <a class="button" href={to("/operator/offer-file")}>
              Import
            </a>
            {create}
          </>
        }
      />
      <Filters />
      <Heard says={value && !isLoading ? toldText(value) : ""} />
      {error && <Failure error={error} again={again} />}
      {value && value.items.length > 0 && <Rows list={value} isBusy={isLoading} again={again} />}
      {isEmpty && (isFiltered || page > 1) && (
        <EmptyState
          icon="search"
          title="No offer fits"
          action={
            <a class="button" href={to("/operator/offers")}>
              Show all offers
            </a>
          }
        >
          Take a filter away, or look for a part of the brand, the title or the id.
        </EmptyState>
      )}
      {isEmpty && !isFiltered && page === 1 && (
        <EmptyState icon="tag" title="No offer yet" action={create}>
          Blocked visitors see offers. Make the first one for an advertiser, or import a file of them.
        </EmptyState>
      )}
      {!value?.items.length && !isEmpty && !error && <Skeleton height={480} lines={9} />}
    </>
  );
}

function Filters() {
  const { query, having, go } = useAddress();
  const { value } = useAnswer<{ items: AdvertiserRow[] }>("operator/advertisers");
  const [text, setText] = useSearch("q");
  const choose = (name: string) => (chosen: string) => go(having({ [name]: chosen, page: null }));
  const all = (says: string) => ({ value: "", says });
  return (
    <div class="filters">
      <TextField
        label="Search"
        type="search"
        value={text}
        onValue={setText}
        placeholder="Brand, title or id"
      />
      <SmallSelect
        label="State"
        value={query.status ?? ""}
        choices={[
          all("Active and paused"),
          { value: "active", says: "Active" },
          { value: "paused", says: "Paused" },
        ]}
        onValue={choose("status")}
      />
      <SmallSelect
        label="Advertiser"
        value={query.advertiser ?? ""}
        choices={[
          all("All advertisers"),
          ...(value?.items ?? []).map(({ advertiserId, name }) => ({ value: advertiserId, says: name })),
        ]}
        onValue={choose("advertiser")}
      />
      <SmallSelect
        label="Paid for by"
        value={query.model ?? ""}
        choices={[all("All models"), ...payoutModels.map((model) => ({ value: model, says: model }))]}
        onValue={choose("model")}
      />
    </div>
  );
}

function Rows({ list, isBusy, again }: { list: OfferList; isBusy: boolean; again: () => void }) {
  const { having } = useAddress();
  const { run, isBusy: isChanging, error } = useChanging();
  const toggle = (row: OfferRow) =>
    run(async () => {
      const status = row.status === "active" ? "paused" : "active";
      try {
        await change("put", `operator/offers/${row.offerId}/status`, { status }, row.version);
      } finally {
        again();
      }
    });
  const last = Math.max(1, Math.ceil(list.total / list.pageSize));
  return (
    <Card isFlush isBusy={isBusy}>
      {error && <Notice tone="bad">{error.message}</Notice>}
      <DataTable
        caption="Offers"
        rows={list.items}
        rowKey={({ offerId }) => offerId}
        columns={[
          {
            key: "offer",
            title: "Offer",
            cell: (row) => (
              <>
                <OfferLink {...row} />{" "}
                {row.status === "paused" && (
                  <Badge tone="warn" icon="pause">
                    Paused
                  </Badge>
                )}
              </>
            ),
          },
          { key: "advertiser", title: "Advertiser", cell: (row) => row.advertiserName },
          { key: "where", title: "Where", cell: ({ geoCoverage }) => placesText(geoCoverage) },
          {
            key: "price",
            title: "Price",
            isFigure: true,
            cell: (row) => `${row.payoutModel} ${exactMoneyText(row.payoutMicros, row.currency)}`,
          },
          { key: "today", title: "Spent today", isFigure: true, cell: (row) => <Today row={row} /> },
          {
            key: "spent",
            title: "Spent",
            isFigure: true,
            cell: (row) => moneyText(row.spentMicros, row.currency),
          },
          {
            key: "state",
            title: "State",
            cell: (row) => (
              <button type="button" class="button" disabled={isChanging} onClick={() => void toggle(row)}>
                {row.status === "active" ? "Pause" : "Resume"}
                <span class="heard">
                  {" "}
                  {row.brand}: {row.title}
                </span>
              </button>
            ),
          },
        ]}
      />
      <footer>
        <span class="quiet">{partText(list)}</span>
        {list.page > 1 && (
          <a href={having({ page: list.page === 2 ? null : list.page - 1 })}>Previous page</a>
        )}
        {list.page < last && <a href={having({ page: list.page + 1 })}>Next page</a>}
      </footer>
    </Card>
  );
}

const partText = ({ page, pageSize, items, total }: OfferList): string => {
  const first = (page - 1) * pageSize + 1;
  return `${formatCount(first)}–${formatCount(first + items.length - 1)} of ${formatCount(total)}`;
};

const toldText = (list: OfferList): string =>
  list.items.length === 0 ? "No offer fits" : `${partText(list)} ${list.total === 1 ? "offer" : "offers"}`;

const placesText = (places: readonly string[]): string => {
  if (places.includes("*")) return "Anywhere";
  return places.length > 4
    ? `${places.slice(0, 3).join(", ")} and ${places.length - 3} more`
    : places.join(", ");
};

/** What was spent today beside the day's caps. */
function Today({ row }: { row: OfferRow }) {
  const { spentTodayMicros, dailyBudgetMicros, dailyClickCap, clicksToday, currency } = row;
  return (
    <>
      {moneyText(spentTodayMicros, currency)}
      {dailyBudgetMicros !== null && <div class="quiet">of {moneyText(dailyBudgetMicros, currency)}</div>}
      {dailyClickCap !== null && (
        <div class="quiet">
          {formatCount(clicksToday)} of {formatCount(dailyClickCap)} clicks
        </div>
      )}
    </>
  );
}
