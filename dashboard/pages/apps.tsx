import type { ConnectedApp, ConnectedApps } from "@offers/contract/dash/apps";
import { useState } from "preact/hooks";
import { change, Refused } from "../api.ts";
import { formatAgo, formatTime } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { scopeWords } from "../reason-words.ts";
import { useMay, usePublisher } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";

/** The partners that may act for the publisher. */
export function Apps() {
  const { publisherId, name } = usePublisher();
  const mayChange = useMay("owner");
  const path = `publishers/${publisherId}/apps`;
  const { value, error, again } = useAnswer<ConnectedApps>(path);
  const [ending, setEnding] = useState<ConnectedApp | null>(null);
  const [refused, setRefused] = useState<Refused | undefined>();
  const end = async ({ grantId }: ConnectedApp) => {
    try {
      await change("delete", `${path}/${grantId}`);
      setEnding(null);
      again();
    } catch (thrown) {
      if (thrown instanceof Refused) setRefused(thrown);
    }
  };
  const now = Date.now();
  const columns: Column<ConnectedApp>[] = [
    { key: "partner", title: "Partner", cell: ({ partner }) => <strong>{partner}</strong> },
    {
      key: "may",
      title: "May",
      cell: ({ scopes }) => scopes.map((scope) => <div key={scope}>{scopeWords[scope].says}</div>),
    },
    {
      key: "allowed",
      title: "Allowed",
      cell: ({ at, allowedBy }) => (
        <>
          {formatTime(at)}
          <div class="quiet">{allowedBy ?? "by somebody who is gone"}</div>
        </>
      ),
    },
    {
      key: "used",
      title: "Last used",
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : formatAgo(lastUsedAt, now)),
    },
    { key: "ends", title: "Ends", cell: ({ endsAt }) => formatTime(endsAt) },
  ];
  if (mayChange) {
    columns.push({
      key: "acts",
      title: "What can be done",
      hidesTitle: true,
      cell: (app) => (
        <button
          type="button"
          class="button"
          onClick={() => {
            setRefused(undefined);
            setEnding(app);
          }}
        >
          Disconnect<span class="heard"> {app.partner}</span>
        </button>
      ),
    });
  }
  return (
    <>
      <PageHeader title="Connected apps" says={`Partners that may act for ${name}.`} />
      {error && <Failure error={error} again={again} />}
      {!value && !error && <Skeleton height={220} lines={4} />}
      {value?.items.length === 0 && (
        <EmptyState icon="plug" title="No partner is connected">
          A partner is a program of somebody else, such as a plug-in or a reporting tool, that asks you for
          leave to read offers or reports in your name. It never learns your password, and an owner of the
          publisher can end it here.
        </EmptyState>
      )}
      {value && value.items.length > 0 && (
        <Card isFlush>
          <DataTable
            caption="Connected apps"
            columns={columns}
            rows={value.items}
            rowKey={({ grantId }) => grantId}
          />
        </Card>
      )}
      {ending && (
        <Confirm
          title={`Disconnect ${ending.partner}`}
          does="Disconnect"
          error={refused}
          onConfirm={() => end(ending)}
          onClose={() => setEnding(null)}
        >
          <p>
            {ending.partner} is refused within seconds. It can ask for leave again, and needs your consent
            then.
          </p>
        </Confirm>
      )}
    </>
  );
}
