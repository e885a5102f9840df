import type { DashKey, DashKeys, MadeKey, RolledKey } from "@offers/contract/dash/keys";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change, Refused } from "../api.ts";
import { formatAgo, formatCount, formatTime } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { SelectField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { Switch } from "../parts/tabs.tsx";
import { scopeWords } from "../reason-words.ts";
import { useMay, usePublisher, useSignedIn, useWebsiteNames } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";
import { useShownOnce } from "../use-shown-once.ts";
import { NewKeyDialog } from "./new-key.tsx";

type Open = { kind: "new" } | { kind: "roll" | "revoke"; key: DashKey };

/** A publisher's API keys. A key is held by this page alone, from its making until "I saved it". */
export function Keys() {
  const { query, having } = useAddress();
  const publisher = usePublisher();
  const mayChange = useMay("owner");
  const { value, error, again } = useAnswer<DashKeys>(`publishers/${publisher.publisherId}/keys`);
  const [open, setOpen] = useState<Open | null>(null);
  const [made, setMade] = useShownOnce<MadeKey & { scopes: DashKey["scopes"] }>();

  const path = `publishers/${publisher.publisherId}/keys`;
  const showsEnded = query.show === "ended";
  const [working, ended] = split(value?.items ?? [], Date.now());
  const rows = showsEnded ? ended : working;
  const close = () => setOpen(null);
  const done = (key: MadeKey, scopes: DashKey["scopes"]) => {
    setMade({ ...key, scopes });
    close();
    again();
  };

  return (
    <>
      <PageHeader
        title="Keys"
        says="With a key your servers ask for decisions and offers, report events and read reports."
        actions={
          mayChange && (
            <button type="button" class="button main" onClick={() => setOpen({ kind: "new" })}>
              <Icon name="plus" />
              Create a key
            </button>
          )
        }
      />
      {made && <MadeKeyCard made={made} onSaved={() => setMade(null)} />}
      {error && <Failure error={error} again={again} />}
      {!value && !error && <Skeleton height={220} lines={4} />}
      {value?.items.length === 0 && !made && (
        <EmptyState icon="key" title="No key yet">
          A page needs none: its tag names the website. A key is for your own servers, where it stays secret:
          they ask what a visitor would be shown, report what happened, and fetch the reports.
        </EmptyState>
      )}
      {value && value.items.length > 0 && (
        <Card
          title={showsEnded ? "Ended" : "Working"}
          isFlush
          action={
            ended.length > 0 && (
              <Switch
                label="Which keys"
                tabs={[
                  {
                    key: "working",
                    says: `Working ${working.length}`,
                    link: having({ show: null }),
                    isChosen: !showsEnded,
                  },
                  {
                    key: "ended",
                    says: `Ended ${ended.length}`,
                    link: having({ show: "ended" }),
                    isChosen: showsEnded,
                  },
                ]}
              />
            )
          }
        >
          {rows.length === 0 ? (
            <p class="lonely quiet">{showsEnded ? "No key has ended." : "No key is good any more."}</p>
          ) : (
            <KeyTable
              rows={rows}
              {...(mayChange && !showsEnded && { onAct: (kind, key) => setOpen({ kind, key }) })}
            />
          )}
        </Card>
      )}
      {open?.kind === "new" && <NewKeyDialog path={path} onMade={done} onClose={close} />}
      {open?.kind === "roll" && (
        <RollDialog path={path} old={open.key} onMade={(key) => done(key, open.key.scopes)} onClose={close} />
      )}
      {open?.kind === "revoke" && (
        <RevokeDialog
          path={path}
          old={open.key}
          onDone={() => {
            close();
            again();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function KeyTable({
  rows,
  onAct,
}: {
  rows: readonly DashKey[];
  onAct?: (kind: "roll" | "revoke", key: DashKey) => void;
}) {
  const names = useWebsiteNames();
  const now = Date.now();
  const columns: Column<DashKey>[] = [
    {
      key: "name",
      title: "Key",
      cell: (key) => (
        <>
          <strong>{key.name || "Unnamed"}</strong>
          <br />
          <code class="quiet">
            {key.prefix}_…{key.lastFour}
          </code>
        </>
      ),
    },
    {
      key: "scopes",
      title: "May",
      cell: ({ scopes }) => scopes.map((scope) => <div key={scope}>{scopeWords[scope].says}</div>),
    },
    {
      key: "website",
      title: "Website",
      cell: ({ websiteKey }) => (websiteKey === null ? "All" : (names.get(websiteKey) ?? websiteKey)),
    },
    {
      key: "made",
      title: "Made",
      cell: ({ createdAt, madeBy }) => (
        <>
          {formatTime(createdAt)}
          <div class="quiet">{madeBy ?? "at the command line"}</div>
        </>
      ),
    },
    { key: "used", title: "Last used", cell: (key) => usedText(key, now) },
    {
      key: "refused",
      title: "Refused, 7 days",
      cell: ({ refused }) =>
        refused.length === 0
          ? "None"
          : refused.map(({ code, times }) => (
              <div key={code}>
                {formatCount(times)} <code>{code}</code>
              </div>
            )),
    },
    { key: "ends", title: "Ends", cell: (key) => <Ending of={key} now={now} /> },
  ];
  if (onAct) {
    columns.push({
      key: "acts",
      title: "What can be done",
      hidesTitle: true,
      cell: (key) => (
        <div class="row">
          <button type="button" class="button" onClick={() => onAct("roll", key)}>
            Roll<span class="heard"> {key.name || key.prefix}</span>
          </button>
          <button type="button" class="button" onClick={() => onAct("revoke", key)}>
            Revoke<span class="heard"> {key.name || key.prefix}</span>
          </button>
        </div>
      ),
    });
  }
  return <DataTable caption="API keys" columns={columns} rows={rows} rowKey={({ keyId }) => keyId} />;
}

function Ending({ of: { expiresAt, revokedAt }, now }: { of: DashKey; now: number }) {
  if (revokedAt !== null) return <Badge tone="bad">Revoked {formatAgo(revokedAt, now)}</Badge>;
  if (expiresAt === null) return <>Never</>;
  if (expiresAt <= now) return <Badge tone="plain">Expired {formatAgo(expiresAt, now)}</Badge>;
  return <Badge tone="warn">{formatTime(expiresAt)}</Badge>;
}

function MadeKeyCard({
  made: { key, scopes },
  onSaved,
}: {
  made: MadeKey & { scopes: DashKey["scopes"] };
  onSaved: () => void;
}) {
  const { me } = useSignedIn();
  const scope = scopes.find((one) => one !== "events:write");
  const base = me.service.baseUrl.replace(/\/$/, "");
  const curl = scope && `curl -s '${base}${scopeWords[scope].path}' -H "Authorization: Bearer ${key}"`;
  return (
    <Card title="Your new key">
      <Notice tone="warn">
        Copy it now: it is shown this once, and only its hash is kept. Whoever has it can do what it may.
      </Notice>
      <CodeBlock code={key} label="The new key" copyWord="Copy the key" />
      {curl && <CodeBlock code={curl} label="A call with the key" copyWord="Copy the call" />}
      <div class="row">
        <button type="button" class="button main" onClick={onSaved}>
          I saved it
        </button>
      </div>
    </Card>
  );
}

const overlaps = [
  { value: "0", says: "At once" },
  { value: "1", says: "In an hour" },
  { value: "24", says: "In a day" },
  { value: "168", says: "In a week" },
] as const;

type DialogParts = { path: string; old: DashKey; onClose: () => void };

function RollDialog({ path, old, onMade, onClose }: DialogParts & { onMade: (key: MadeKey) => void }) {
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]["value"]>("24");
  const [error, setError] = useState<Refused | undefined>();
  const roll = async () => {
    try {
      const body = { overlapHours: Number(overlap) };
      onMade(await change<RolledKey>("post", `${path}/${old.keyId}/roll`, body));
    } catch (thrown) {
      if (thrown instanceof Refused) setError(thrown);
    }
  };
  return (
    <Confirm
      title={`Roll ${old.name || old.prefix}`}
      does="Roll the key"
      error={error}
      onConfirm={roll}
      onClose={onClose}
    >
      <p>You get a second key that may do the same. Both work until this one ends.</p>
      <SelectField label="This one ends" value={overlap} choices={overlaps} onValue={setOverlap} />
    </Confirm>
  );
}

function RevokeDialog({ path, old, onDone, onClose }: DialogParts & { onDone: () => void }) {
  const [error, setError] = useState<Refused | undefined>();
  const revoke = async () => {
    try {
      await change("delete", `${path}/${old.keyId}`);
      onDone();
    } catch (thrown) {
      if (thrown instanceof Refused) setError(thrown);
    }
  };
  return (
    <Confirm
      title={`Revoke ${old.name || old.prefix}`}
      does="Revoke the key"
      error={error}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        {old.lastUsedAt === null
          ? "It was never used."
          : `It was last used ${formatAgo(old.lastUsedAt, Date.now())}. Whatever uses it is refused within seconds.`}{" "}
        A revoked key cannot be brought back.
      </p>
    </Confirm>
  );
}

const usedText = ({ lastUsedAt }: DashKey, now: number): string =>
  lastUsedAt === null ? "Never" : formatAgo(lastUsedAt, now);

/** Keys that are good at this moment, and the others. */
const split = (keys: readonly DashKey[], now: number): [DashKey[], DashKey[]] => {
  const isGood = ({ revokedAt, expiresAt }: DashKey) =>
    revokedAt === null && (expiresAt === null || expiresAt > now);
  return [keys.filter(isGood), keys.filter((key) => !isGood(key))];
};
