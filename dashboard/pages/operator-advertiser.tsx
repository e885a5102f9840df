import type { AdvertiserPage, LedgerLine, LedgerPage } from "@offers/contract/dash/operator";
import { useEffect, useRef, useState } from "preact/hooks";
import { useRoute } from "preact-iso/router";
import { useAddress } from "../address.ts";
import { ask, Refused, signInAgain } from "../api.ts";
import { lastsFor } from "../balance-words.ts";
import { formatCount, formatDay, formatLongDay, formatMoment, formatMoney } from "../format.ts";
import { exactMoneyText, moneyText } from "../money.ts";
import { Card } from "../parts/card.tsx";
import { Chart } from "../parts/chart.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { Figures } from "../parts/figures.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { OfferLink } from "../parts/offer-link.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Switch } from "../parts/tabs.tsx";
import { dayOf } from "../ranges.ts";
import { useAnswer } from "../use-answer.ts";
import { Adjustment, Deposit } from "./operator-payments.tsx";
import { Statement } from "./operator-statement.tsx";

/** One advertiser: its balance, what was spent by day, and the lines that add up to both. */
export function OperatorAdvertiser() {
  const { to } = useAddress();
  const { advertiser = "" } = useRoute().params;
  const path = `operator/advertisers/${advertiser}`;
  const { value, error, again } = useAnswer<AdvertiserPage>(path);
  const [paying, setPaying] = useState<"deposit" | "adjustment" | null>(null);
  const [turn, setTurn] = useState(0);
  const Payment = paying === "deposit" ? Deposit : Adjustment;
  const offersLink = to("/operator/offers", { advertiser });
  const readAnew = () => {
    setTurn((turns) => turns + 1);
    again();
  };
  return (
    <>
      <PageHeader
        title={value?.name ?? "Advertiser"}
        above={{ title: "Advertisers", link: to("/operator/advertisers") }}
        says={
          <>
            <code>{advertiser}</code> · {value?.currency && `in ${value.currency} and `}in days of UTC
          </>
        }
        actions={
          value && (
            <>
              <a class="button" href={to("/operator/offers/new", { advertiser })}>
                <Icon name="plus" />
                New offer
              </a>
              <button type="button" class="button" onClick={() => setPaying("adjustment")}>
                Adjust
              </button>
              <button type="button" class="button main" onClick={() => setPaying("deposit")}>
                <Icon name="coins" />
                Deposit
              </button>
            </>
          )
        }
      />
      {error && <Failure error={error} again={again} />}
      {value && (
        <>
          <Card isFlush>
            <Figures
              label="Money"
              figures={[
                {
                  name: "Left",
                  value: moneyText(value.balanceMicros, value.currency),
                  says: lastsFor(value, dayOf(Date.now())),
                },
                { name: "Spent today", value: moneyText(value.spentTodayMicros, value.currency) },
                { name: "Spent", value: moneyText(value.spentMicros, value.currency) },
                { name: "Deposited", value: moneyText(value.depositedMicros, value.currency) },
                {
                  name: "Offers",
                  value: formatCount(value.offers),
                  says: `${formatCount(value.activeOffers)} active`,
                  link: offersLink,
                },
              ]}
            />
          </Card>
          <Spend account={value} />
          <Statement key={`${path} ${turn}`} path={path} createdAt={value.createdAt} />
          <Ledger path={path} turn={turn} currency={value.currency} />
        </>
      )}
      {!value && !error && <Skeleton height={400} lines={8} />}
      {paying && value && (
        <Payment
          account={value}
          onClose={() => setPaying(null)}
          onPaid={() => {
            setPaying(null);
            readAnew();
          }}
          onRefused={readAnew}
        />
      )}
    </>
  );
}

function Spend({ account: { days, currency } }: { account: AdvertiserPage }) {
  const [isTable, setTable] = useState(false);
  const today = dayOf(Date.now());
  if (days.length === 0 || currency === null) return null;
  if (days.every(({ spentMicros, billedClicks }) => spentMicros === 0 && billedClicks === 0)) {
    return (
      <Card title="Spent by day">
        <p class="quiet">Nothing was spent in the last 30 days.</p>
      </Card>
    );
  }
  return (
    <Card
      title="Spent by day"
      says={days.length < 30 ? "since the first click or view that was billed" : "the last 30 days"}
      action={
        <button type="button" class="button" onClick={() => setTable(!isTable)} aria-pressed={isTable}>
          {isTable ? "As a line" : "As a table"}
        </button>
      }
    >
      {isTable ? (
        <DataTable
          caption="Spent by day"
          rows={days.toReversed()}
          rowKey={({ date }) => date}
          columns={[
            { key: "date", title: "Day", cell: ({ date }) => formatLongDay(date) },
            {
              key: "clicks",
              title: "Billed clicks",
              isFigure: true,
              cell: (row) => formatCount(row.billedClicks),
            },
            {
              key: "spent",
              title: "Spent",
              isFigure: true,
              cell: (row) => exactMoneyText(row.spentMicros, currency),
            },
          ]}
        />
      ) : (
        <Chart
          title="Spent by day"
          description={`From ${formatDay(days[0]?.date ?? "")} to ${formatDay(days.at(-1)?.date ?? "")}.`}
          isWhole={false}
          formatValue={(value) => formatMoney(Math.round(value * 1_000_000), currency)}
          points={days.map(({ date, spentMicros }) => ({
            label: formatDay(date),
            isSoFar: date >= today,
            value: spentMicros / 1_000_000,
            says: [formatLongDay(date), exactMoneyText(spentMicros, currency)],
          }))}
        />
      )}
    </Card>
  );
}

const kinds = {
  deposit: "Deposit",
  adjustment: "Adjustment",
  click: "Click",
  impression: "Impression",
} as const;

function Ledger({ path, turn, currency }: { path: string; turn: number; currency: string | null }) {
  const { query, having } = useAddress();
  /** Without what was billed: deposits and adjustments. */
  const kind = query.kind === "deposit" ? "deposit" : undefined;
  const [read, setRead] = useState<{ of: string; page: LedgerPage } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const latest = useRef<AbortController | null>(null);
  // Lines that were read for the other tab, or another advertiser, do not stand under this one.
  const of = `${path} ${kind ?? "all"}`;
  const page = read?.of === of ? read.page : null;
  const readLines = async (before?: number) => {
    // What was asked for before this is not waited for any more.
    latest.current?.abort();
    const stop = new AbortController();
    latest.current = stop;
    setReading(true);
    setError(null);
    try {
      const next = await ask<LedgerPage>(`${path}/ledger`, { before, kind }, stop.signal);
      if (stop.signal.aborted) return;
      const items = before && page ? [...page.items, ...next.items] : next.items;
      setRead({ of, page: { ...next, items } });
    } catch (thrown) {
      if (stop.signal.aborted) return;
      if (thrown instanceof Refused && thrown.status === 401) return signInAgain();
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setReading(false);
  };
  useEffect(() => {
    void readLines();
  }, [path, kind, turn]);
  const before = page?.before ?? null;
  return (
    <Card
      title="Ledger"
      isFlush
      action={
        <Switch
          label="Lines"
          tabs={[
            { key: "all", says: "All lines", link: having({ kind: null }), isChosen: !kind },
            {
              key: "deposit",
              says: "Paid in",
              link: having({ kind: "deposit" }),
              isChosen: Boolean(kind),
            },
          ]}
        />
      }
    >
      {error && <Notice tone="bad">{error}</Notice>}
      {!page && !error && <Skeleton lines={3} />}
      {page && page.items.length > 0 && (
        <DataTable<LedgerLine>
          caption="Lines of the ledger, the newest first"
          rows={page.items}
          rowKey={({ id }) => String(id)}
          columns={[
            { key: "what", title: "What", cell: (line) => kinds[line.kind] },
            { key: "at", title: "When", cell: (line) => formatMoment(line.at) },
            {
              key: "offer",
              title: "Offer",
              cell: (line) =>
                line.offerId && (
                  <OfferLink offerId={line.offerId} title={line.title ?? null} brand={line.brand} />
                ),
            },
            {
              key: "website",
              title: "Website",
              cell: (line) => line.websiteKey && <code>{line.websiteKey}</code>,
            },
            {
              key: "note",
              title: "Note",
              cell: (line) => line.note,
            },
            {
              key: "amount",
              title: "Amount",
              isFigure: true,
              cell: (line) => exactMoneyText(line.micros, line.currency ?? currency),
            },
            { key: "line", title: "Line", isFigure: true, cell: (line) => String(line.id) },
          ]}
        />
      )}
      {page && page.items.length === 0 && before === null && (
        <EmptyState icon="list" title={kind ? "Nothing was paid in yet" : "No line yet"}>
          Every deposit, every adjustment and everything that is billed stands here, to the last micro-unit.
          Begin with a deposit.
        </EmptyState>
      )}
      {before !== null && (
        <footer>
          <button type="button" class="button" disabled={isReading} onClick={() => void readLines(before)}>
            Older lines
          </button>
          {page?.items.length === 0 && (
            <span class="quiet">None among the newest lines of all advertisers.</span>
          )}
        </footer>
      )}
    </Card>
  );
}
