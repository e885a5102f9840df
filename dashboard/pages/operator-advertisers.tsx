import type { AdvertiserRow } from "@offers/contract/dash/operator";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change } from "../api.ts";
import { formatCount } from "../format.ts";
import { moneyText } from "../money.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { errorOf, TextField } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { useAnswer } from "../use-answer.ts";

/** Everybody who pays for offers, with what is left of their money. */
export function OperatorAdvertisers() {
  const { to, go } = useAddress();
  const [isAdding, setAdding] = useState(false);
  const { value, error, again } = useAnswer<{ items: AdvertiserRow[] }>("operator/advertisers");
  const add = (
    <button type="button" class="button main" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      Add an advertiser
    </button>
  );
  return (
    <>
      <PageHeader
        title="Advertisers"
        says="Who pays for offers, each out of one balance."
        actions={value && value.items.length > 0 && add}
      />
      {error && <Failure error={error} again={again} />}
      {value?.items.length === 0 && (
        <EmptyState icon="coins" title="Nobody pays for offers yet" action={add}>
          An advertiser has a balance, out of which all of its offers are paid. Add one, pay its first deposit
          in, and make its first offer.
        </EmptyState>
      )}
      {value && value.items.length > 0 && (
        <Card isFlush>
          <DataTable
            caption="Advertisers"
            rows={value.items}
            rowKey={({ advertiserId }) => advertiserId}
            columns={[
              {
                key: "name",
                title: "Name",
                cell: (row) => (
                  <>
                    <a href={to(`/operator/advertisers/${row.advertiserId}`)}>{row.name}</a>{" "}
                    <Balance row={row} />
                  </>
                ),
              },
              {
                key: "left",
                title: "Left",
                isFigure: true,
                cell: (row) => moneyText(row.balanceMicros, row.currency),
              },
              {
                key: "today",
                title: "Spent today",
                isFigure: true,
                cell: (row) => moneyText(row.spentTodayMicros, row.currency),
              },
              {
                key: "spent",
                title: "Spent",
                isFigure: true,
                cell: (row) => moneyText(row.spentMicros, row.currency),
              },
              {
                key: "deposited",
                title: "Deposited",
                isFigure: true,
                cell: (row) => moneyText(row.depositedMicros, row.currency),
              },
              {
                key: "offers",
                title: "Offers",
                means: "Those that are active, of all that there are.",
                isFigure: true,
                cell: ({ activeOffers, offers }) => `${formatCount(activeOffers)} of ${formatCount(offers)}`,
              },
            ]}
          />
        </Card>
      )}
      {!value && !error && <Skeleton height={300} lines={6} />}
      {isAdding && (
        <NewAdvertiser
          onClose={() => setAdding(false)}
          onMade={(advertiserId) => go(to(`/operator/advertisers/${advertiserId}`))}
        />
      )}
    </>
  );
}

function NewAdvertiser({ onClose, onMade }: { onClose: () => void; onMade: (advertiserId: string) => void }) {
  const [name, setName] = useState("");
  const [currency, setCurrency] = useState("EUR");
  const { run, isBusy, error } = useChanging();
  const make = async () => {
    const made = await change<{ advertiserId: string }>("post", "operator/advertisers", { name, currency });
    onMade(made.advertiserId);
  };
  return (
    <FormDialog
      title="Add an advertiser"
      does="Add"
      isHeld={isBusy}
      onSend={() => void run(make)}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onValue={setName} required error={errorOf(error, "name")} />
      <TextField
        label="Currency"
        value={currency}
        onValue={(typed) => setCurrency(typed.toUpperCase())}
        maxLength={3}
        required
        hint="ISO 4217, for its balance and all its offers. It stays."
        error={errorOf(error, "currency")}
      />
      <p class="quiet">Its first deposit comes next, on its own page.</p>
      {error && error.errors.length === 0 && <Notice tone="bad">{error.message}</Notice>}
    </FormDialog>
  );
}

/** What somebody should do about a balance; nothing where it lasts for another day like this one. */
function Balance({ row: { balanceMicros, spentTodayMicros, activeOffers } }: { row: AdvertiserRow }) {
  if (activeOffers === 0) return null;
  if (balanceMicros <= 0) return <Badge tone="bad">No balance left</Badge>;
  if (balanceMicros < spentTodayMicros) return <Badge tone="warn">Less than a day left</Badge>;
  return null;
}
