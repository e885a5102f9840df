import type { PublisherRow } from "@offers/contract/dash/operator";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change } from "../api.ts";
import { formatCount } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { NameDialog } from "../parts/name-dialog.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { shareText } from "../share.ts";
import { useAnswer } from "../use-answer.ts";

/** Everybody who publishes websites. */
export function OperatorPublishers() {
  const { to, go } = useAddress();
  const [isAdding, setAdding] = useState(false);
  const { value, error, again } = useAnswer<{ items: PublisherRow[] }>("operator/publishers");
  const add = (
    <button type="button" class="button main" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      Add a publisher
    </button>
  );
  return (
    <>
      <PageHeader
        title="Publishers"
        says="Whose websites show offers."
        actions={value && value.items.length > 0 && add}
      />
      {error && <Failure error={error} again={again} />}
      {value?.items.length === 0 && (
        <EmptyState icon="building" title="No publisher yet" action={add}>
          Add one, and invite its owner by a link: they set up their websites themselves.
        </EmptyState>
      )}
      {value && value.items.length > 0 && (
        <Card isFlush>
          <DataTable
            caption="Publishers"
            rows={value.items}
            rowKey={({ publisherId }) => publisherId}
            columns={[
              {
                key: "name",
                title: "Name",
                cell: (row) => <a href={to(`/operator/publishers/${row.publisherId}`)}>{row.name}</a>,
              },
              { key: "key", title: "Public key", cell: (row) => <code>{row.publicKey}</code> },
              {
                key: "websites",
                title: "Websites",
                isFigure: true,
                cell: (row) => formatCount(row.websites),
              },
              {
                key: "people",
                title: "People",
                isFigure: true,
                cell: (row) => (row.members === 0 ? "nobody yet" : formatCount(row.members)),
              },
              {
                key: "share",
                title: "Share",
                means: "What it earns of each price that is billed.",
                isFigure: true,
                cell: (row) => shareText(row.shareBasisPoints),
              },
              { key: "spend", title: "Sees spend", cell: (row) => (row.showSpend ? "yes" : "no") },
            ]}
          />
        </Card>
      )}
      {!value && !error && <Skeleton height={300} lines={6} />}
      {isAdding && (
        <NameDialog
          title="Add a publisher"
          says="It earns all of each price until you say otherwise on its page."
          onClose={() => setAdding(false)}
          make={async (name) => {
            const made = await change<{ publisherId: string }>("post", "operator/publishers", { name });
            go(to(`/operator/publishers/${made.publisherId}`));
          }}
        />
      )}
    </>
  );
}
