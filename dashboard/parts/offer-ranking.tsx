import type { RemovalReason } from "@offers/contract/words";
import type { ComponentChildren } from "preact";
import { useAddress } from "../address.ts";
import { formatCount } from "../format.ts";
import { removalWords } from "../reason-words.ts";
import { Card } from "./card.tsx";
import { CopyButton } from "./copy-button.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { Badge } from "./state.tsx";
import { Switch } from "./tabs.tsx";

type Offer = {
  offerId: string;
  brand: string;
  vertical: string;
  title: string;
  rank: number | null;
  removedBy: RemovalReason | null;
};

/** Which rules keep an offer from a place or a website, whoever visits: such an offer was not considered for a visit. */
const isBeforehand: Readonly<Record<RemovalReason, boolean>> = {
  visitor_allowed: true,
  allowlist_empty: true,
  paused: true,
  no_offer_for_location: true,
  not_offered: true,
  not_permitted: true,
  not_running: false,
  not_for_visitor: false,
  budgets_exhausted: false,
  not_its_turn: false,
  no_offer_for_visit: false,
  suppressed: false,
  brand_shown: false,
  less_promising: false,
};

/** A browser is slow to lay out more, and what is copied as JSON has them all. */
const mostRows = 300;

/** Each offer of the catalogue with its place, or the first rule that removed it. */
export function OfferRanking({
  offers,
  outcomeOf,
  says,
  empty,
  json,
}: {
  offers: readonly Offer[];
  /** What became of an offer with a rank, and whether it was, or would be, shown. */
  outcomeOf: (offer: Offer) => { says: string; isShown: boolean };
  /** Below the table. */
  says: ComponentChildren;
  /** In place of a table without rows. */
  empty: string;
  /** What "As JSON" copies. */
  json: unknown;
}) {
  const { query, having } = useAddress();
  const showsAll = query.offers === "all";
  const considered = offers.filter(({ removedBy }) => removedBy === null || !isBeforehand[removedBy]);
  const rows = (showsAll ? offers : considered).toSorted(byRank);
  const columns: Column<Offer>[] = [
    {
      key: "offer",
      title: "Offer",
      cell: ({ title, brand, vertical, rank }) => (
        <span class={rank === null ? "ranked quiet" : "ranked"}>
          <span>{rank ?? "–"}</span>
          <span>
            {title}
            <br />
            <small class="quiet">
              {brand} · {vertical}
            </small>
          </span>
        </span>
      ),
    },
    {
      key: "outcome",
      title: "Outcome",
      cell: (offer) => {
        if (offer.removedBy !== null) return <Badge>{removalWords[offer.removedBy].says}</Badge>;
        const { says: words, isShown } = outcomeOf(offer);
        return <Badge tone={isShown ? "good" : "plain"}>{words}</Badge>;
      },
    },
    {
      key: "why",
      title: "Why",
      cell: ({ removedBy }) =>
        removedBy !== null && (
          <span class="quiet" title={removedBy}>
            {removalWords[removedBy].means}
          </span>
        ),
    },
  ];
  return (
    <Card
      title="How the offers are chosen"
      isFlush
      action={
        <Switch
          label="Which offers"
          tabs={[
            {
              key: "considered",
              says: `Considered ${formatCount(considered.length)}`,
              link: having({ offers: null }),
              isChosen: !showsAll,
            },
            {
              key: "all",
              says: `All ${formatCount(offers.length)}`,
              link: having({ offers: "all" }),
              isChosen: showsAll,
            },
          ]}
        />
      }
    >
      {rows.length === 0 ? (
        <p class="lonely quiet">{empty}</p>
      ) : (
        <DataTable
          caption="Offers"
          columns={columns}
          rows={rows.slice(0, mostRows)}
          rowKey={({ offerId }) => offerId}
        />
      )}
      <footer>
        <span class="quiet">
          {rows.length > mostRows && `The first ${mostRows} of ${formatCount(rows.length)}. `}
          {says}
        </span>
        <span class="push">
          <CopyButton text={JSON.stringify(json, null, 2)} says="As JSON" />
        </span>
      </footer>
    </Card>
  );
}

/** By rank; behind them those that were removed, as the catalogue has them. */
const byRank = (one: Offer, other: Offer): number =>
  (one.rank ?? Number.MAX_SAFE_INTEGER) - (other.rank ?? Number.MAX_SAFE_INTEGER);
