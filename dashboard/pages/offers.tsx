import type { DashOffer, DashOffers } from "@offers/contract/dash/looking";
import { payoutModels } from "@offers/contract/words";
import { useEffect, useRef, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { formatCount, formatPlace } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { SmallSelect } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { StateMark } from "../parts/state.tsx";
import { keptAwayWords } from "../reason-words.ts";
import { useMay, usePublisher, useSignedIn } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";
import { useSearch } from "../use-search.ts";

const modelWords = {
  CPC: "per click",
  CPM: "per thousand views",
  CPA: "per sale",
  CPL: "per lead",
  REVSHARE: "share of the revenue",
} as const;

/** The catalogue that the publisher's websites may show somewhere; no payout and no budget stands here. */
export function Offers() {
  const { query, having, to } = useAddress();
  const { publisherId } = usePublisher();
  const [asked, setAsked] = useState<DashOffer | null>(null);
  const page = Math.max(1, Math.trunc(Number(query.page)) || 1);
  const filters = {
    search: query.search,
    vertical: query.vertical,
    payoutModel: query.model,
    country: /^[a-z]{2}$/i.test(query.country ?? "") ? query.country : undefined,
  };
  const isFiltered = Object.values(filters).some(Boolean);
  const { value, error, isLoading, again } = useAnswer<DashOffers>(`publishers/${publisherId}/offers`, {
    ...filters,
    page,
  });
  return (
    <>
      <PageHeader
        title="Offers"
        says={
          <span role="status">
            {value
              ? `${formatCount(value.total)} ${value.total === 1 ? "offer" : "offers"}${told(value.total, isFiltered)}.`
              : "What some website of yours may show."}
          </span>
        }
        actions={<Filters verticals={value?.verticals ?? []} />}
      />
      {error && <Failure error={error} again={again} />}
      {!error && !value?.items.length && (!value || isLoading) && <Skeleton height={480} lines={9} />}
      {value?.total === 0 && !isLoading && !isFiltered && <NonePermitted />}
      {value?.total === 0 && !isLoading && isFiltered && (
        <EmptyState
          icon="tag"
          title="No offer fits"
          action={
            <a class="button" href={to("/offers")}>
              Show all offers
            </a>
          }
        >
          Look for something else, or take a filter away.
        </EmptyState>
      )}
      {value && value.total > 0 && value.items.length === 0 && !isLoading && (
        <EmptyState
          icon="tag"
          title="No more offers"
          action={
            <a class="button" href={having({ page: null })}>
              Show the first page
            </a>
          }
        >
          The list ends before this page.
        </EmptyState>
      )}
      {value && value.items.length > 0 && (
        <Card isFlush isBusy={isLoading}>
          <OfferTable offers={value.items} onAsk={setAsked} />
          <Pages
            page={value.page}
            last={Math.max(1, Math.ceil(value.total / value.pageSize))}
            link={(other) => having({ page: other === 1 ? null : other })}
          />
        </Card>
      )}
      {asked && <WhyNot offer={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function NonePermitted() {
  const { to } = useAddress();
  const { websites } = useSignedIn();
  const mayEdit = useMay("editor");
  const all = websites.value?.items;
  const [first, ...others] = all ?? [];
  const [does, link] =
    first === undefined
      ? ["Set up a website", to("/start")]
      : others.length === 0
        ? ["Choose its offers", to(`/websites/${first.websiteKey}/allowlist`)]
        : ["Choose a website", to("/websites")];
  return (
    <EmptyState
      icon="tag"
      title="No offer may be shown"
      action={
        mayEdit &&
        all && (
          <a class="button main" href={link}>
            {does}
          </a>
        )
      }
    >
      {all?.length === 0
        ? "Offers are permitted website by website, and you have none yet."
        : "No website of yours permits an offer yet: choose which ones each may show."}
    </EmptyState>
  );
}

const told = (total: number, isFiltered: boolean): string => {
  if (isFiltered) return total === 1 ? " fits" : " fit";
  return " that some website of yours may show";
};

function Filters({ verticals }: { verticals: readonly string[] }) {
  const { query, having, go } = useAddress();
  return (
    <>
      <Search />
      <SmallSelect
        label="Vertical"
        value={query.vertical ?? ""}
        choices={[
          { value: "", says: "All verticals" },
          ...verticals.map((value) => ({ value, says: value })),
        ]}
        onValue={(vertical) => go(having({ vertical, page: null }))}
      />
      <SmallSelect
        label="Paid"
        value={query.model ?? ""}
        choices={[
          { value: "", says: "All models" },
          ...payoutModels.map((value) => ({ value, says: value })),
        ]}
        onValue={(model) => go(having({ model, page: null }))}
      />
    </>
  );
}

/** Looks for what is typed once somebody pauses; the key `/` puts the cursor here. */
function Search() {
  const [text, setText] = useSearch("search");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  return (
    <span class="search">
      <label for="search" class="heard">
        Search offers
      </label>
      <Icon name="search" />
      <input
        id="search"
        ref={input}
        type="search"
        value={text}
        placeholder="Search offers ( / )"
        autocomplete="off"
        maxLength={80}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </span>
  );
}

function OfferTable({ offers, onAsk }: { offers: readonly DashOffer[]; onAsk: (offer: DashOffer) => void }) {
  const columns: Column<DashOffer>[] = [
    {
      key: "offer",
      title: "Offer",
      cell: ({ title, brand, vertical }) => (
        <>
          <strong>{title}</strong>
          <br />
          <small class="quiet">
            {brand} · {vertical}
          </small>
        </>
      ),
    },
    { key: "covers", title: "Covers", cell: ({ geoCoverage }) => coverageText(geoCoverage) },
    {
      key: "model",
      title: "Paid",
      cell: ({ payoutModel }) => <span title={payoutModel}>{modelWords[payoutModel]}</span>,
    },
    {
      key: "websites",
      title: "Websites",
      cell: (offer) => {
        const may = offer.websites.filter(({ keptAwayBy }) => keptAwayBy === null).length;
        return (
          <button type="button" class="button" onClick={() => onAsk(offer)}>
            {may === offer.websites.length ? "All" : `${may} of ${offer.websites.length}`}
            <span class="heard"> websites may show {offer.title}</span>
          </button>
        );
      },
    },
  ];
  return <DataTable caption="Offers" columns={columns} rows={offers} rowKey={({ offerId }) => offerId} />;
}

/** Why each website may show an offer or never does, and the simulation that tells the rest. */
function WhyNot({ offer, onClose }: { offer: DashOffer; onClose: () => void }) {
  const { to } = useAddress();
  const { websites } = useSignedIn();
  const names = new Map(websites.value?.items.map(({ websiteKey, name }) => [websiteKey, name]));
  const [entry = "*"] = offer.geoCoverage;
  const [country, region] = entry === "*" ? ["", undefined] : entry.split("-");
  return (
    <Dialog title={offer.title} onClose={onClose}>
      <p>
        {offer.brand}, {coverageText(offer.geoCoverage)}. Where a website may show it, the place, the budget
        and other offers decide: simulate a visit to see by which rule.
      </p>
      <ul class="list">
        {offer.websites.map(({ websiteKey, keptAwayBy }) => (
          <li key={websiteKey}>
            <StateMark
              tone={keptAwayBy === null ? "good" : "plain"}
              icon={keptAwayBy === null ? "check" : "cross"}
              says={keptAwayBy === null ? "May be shown" : "Is never shown"}
            />
            <span>
              <strong>{names.get(websiteKey) ?? websiteKey}</strong>
              <br />
              <span class="quiet">{keptAwayBy === null ? "May show it." : keptAwayWords[keptAwayBy]}</span>
            </span>
            <a
              class="button push"
              href={to(`/websites/${websiteKey}/simulate`, {
                country,
                region,
                surface: "section",
                offers: "all",
              })}
            >
              Simulate
              <span class="heard"> a visit of {names.get(websiteKey) ?? websiteKey}</span>
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Pages({ page, last, link }: { page: number; last: number; link: (page: number) => string }) {
  if (last <= 1) return null;
  return (
    <footer>
      <nav class="row" aria-label="Pages of offers">
        {page > 1 && (
          <a class="button" href={link(page - 1)} rel="prev">
            <Icon name="left" />
            Before
          </a>
        )}
        <span class="quiet">
          Page {formatCount(page)} of {formatCount(last)}
        </span>
        {page < last && (
          <a class="button" href={link(page + 1)} rel="next">
            Next
            <Icon name="right" />
          </a>
        )}
      </nav>
    </footer>
  );
}

/** Where an offer applies, in words: the first few places, and how many more. */
const coverageText = (coverage: readonly string[]): string => {
  if (coverage.includes("*")) return "Everywhere";
  const names = [...Map.groupBy(coverage, (entry) => entry.slice(0, 2))].map(([country, entries]) => {
    const regions = entries.filter((entry) => entry.includes("-")).map((entry) => entry.slice(3));
    return regions.length === 0 ? formatPlace(country) : `${formatPlace(country)} (${regions.join(", ")})`;
  });
  const [shown, more] = [names.slice(0, 4), names.length - 4];
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
};
