import type { DashSecret, DashWebsite, MadeSecret, SecretsAnswer } from "@offers/contract/dash/websites";
import type { SecretCarrier } from "@offers/contract/words";
import { useState } from "preact/hooks";
import { change } from "../api.ts";
import { formatAgo } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { SelectField } from "../parts/field.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { Badge } from "../parts/state.tsx";
import { WebsiteFrame } from "../parts/website-frame.tsx";
import { useMay, useSignedIn } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";
import { useDraft } from "../use-draft.ts";
import { useShownOnce } from "../use-shown-once.ts";

/** The secrets with which a website's own server declines its visitors. */
export function WebsiteSecrets() {
  return <WebsiteFrame tab="/secrets">{(_, path) => <Secrets path={path} />}</WebsiteFrame>;
}

function Secrets({ path }: { path: string }) {
  const { value, error, again } = useAnswer<SecretsAnswer>(`${path}/secrets`);
  if (!value) return error ? <Failure error={error} again={again} /> : <Skeleton height={240} lines={5} />;
  return <List path={path} answer={value} again={again} />;
}

function List({ path, answer, again }: { path: string; answer: SecretsAnswer; again: () => void }) {
  const mayEdit = useMay("editor");
  // It stands nowhere else, and is gone when this page is left.
  const [made, setMade] = useShownOnce<MadeSecret>();
  const [ending, setEnding] = useState<DashSecret | null>(null);
  const { run, error, forget } = useChanging();
  const ask = (secret: DashSecret | null) => {
    forget();
    setEnding(secret);
  };
  const { items } = answer;
  const living = items.filter(({ revokedAt }) => revokedAt === null);

  const create = () =>
    run(async () => {
      setMade(await change<MadeSecret>("post", `${path}/secrets`));
      again();
    });
  const revoke = ({ secretId }: DashSecret) =>
    run(async () => {
      await change("delete", `${path}/secrets/${secretId}`);
      setEnding(null);
      again();
    });
  const button = mayEdit && (
    <button type="button" class="button main" onClick={() => void create()}>
      {living.length === 0 ? "Make a secret" : "Make another, to roll"}
    </button>
  );
  return (
    <>
      {made && <Made secret={made.secret} onSaved={() => setMade(null)} />}
      {error && !ending && <Notice tone="bad">{error.message}</Notice>}
      {items.length === 0 ? (
        <EmptyState icon="key" title="No secret yet" action={button}>
          Only lenders, insurers and others who decline applications need one: your server says that a visitor
          was declined, and they are shown offers in place of a dead end.
        </EmptyState>
      ) : (
        <Card title="Secrets" says={`${living.length} in use`} action={button} isFlush>
          <Table secrets={items} onRevoke={mayEdit ? ask : null} />
        </Card>
      )}
      {living.length > 1 && (
        <Notice>
          {living.length} secrets work beside each other. Once your server uses the new one, revoke the old
          one.
        </Notice>
      )}
      <Carrier path={path} answer={answer} again={again} secret={made?.secret ?? null} />
      {ending && (
        <Confirm
          title="Revoke this secret?"
          does="Revoke it"
          error={error}
          onConfirm={() => void revoke(ending)}
          onClose={() => ask(null)}
        >
          Whatever server still uses its_…{ending.lastFour} is refused from now on. This cannot be taken back.
        </Confirm>
      )}
    </>
  );
}

function Made({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  return (
    <Card title="Your new secret">
      <Notice tone="warn">It is shown this once. Keep it on your server, and never in a page.</Notice>
      <CodeBlock code={secret} label="The secret" />
      <button type="button" class="button" onClick={onSaved}>
        I have saved it
      </button>
    </Card>
  );
}

/** `onRevoke`: null for whoever may not. */
function Table({
  secrets,
  onRevoke,
}: {
  secrets: readonly DashSecret[];
  onRevoke: ((secret: DashSecret) => void) | null;
}) {
  return (
    <DataTable
      caption="Secrets"
      rows={secrets}
      rowKey={({ secretId }) => secretId}
      columns={[
        { key: "four", title: "Secret", cell: ({ lastFour }) => <code>its_…{lastFour}</code> },
        { key: "made", title: "Made", cell: ({ createdAt }) => formatAgo(createdAt, Date.now()) },
        {
          key: "state",
          title: "State",
          cell: ({ revokedAt }) =>
            revokedAt === null ? <Badge tone="good">In use</Badge> : <Badge>Revoked</Badge>,
        },
        {
          key: "end",
          title: "Revoke",
          cell: (secret) =>
            onRevoke !== null &&
            secret.revokedAt === null && (
              <button type="button" class="button" onClick={() => onRevoke(secret)}>
                Revoke
              </button>
            ),
        },
      ]}
    />
  );
}

/** Where the website's server carries its secret, with the call that does. `secret`: one that was just made. */
function Carrier({
  path,
  answer,
  again,
  secret,
}: {
  path: string;
  answer: SecretsAnswer;
  again: () => void;
  secret: string | null;
}) {
  const mayEdit = useMay("editor");
  const draft = useDraft(
    answer,
    ({ secretCarrier }) => ({ secretCarrier }),
    async (_, after, version) => {
      const saved = await change<DashWebsite>("patch", path, after, version);
      again();
      return saved.version;
    },
  );
  return (
    <>
      <Card title="Where your server carries it">
        <fieldset disabled={!mayEdit} class="steps">
          <legend class="heard">Where your server carries it</legend>
          <SelectField
            label={names.secretCarrier}
            hint="With one place chosen, a secret in another place is refused like a wrong one."
            value={draft.value.secretCarrier}
            choices={carriers}
            onValue={(chosen) => draft.set({ secretCarrier: chosen })}
          />
        </fieldset>
        <Curl carrier={draft.value.secretCarrier} secret={secret} />
      </Card>
      <SaveBar
        draft={draft}
        names={names}
        words={(_, version) => carriers.find(({ value }) => value === version.secretCarrier)?.says}
        again={again}
      />
    </>
  );
}

const names = { secretCarrier: "The secret stands in" };

const carriers: { value: SecretCarrier; says: string }[] = [
  { value: "any", says: "Any of the three" },
  { value: "authorization", says: "The header Authorization: Bearer" },
  { value: "x_integration_secret", says: "The header X-Integration-Secret" },
  { value: "body", says: "The body, as secret" },
];

function Curl({ carrier, secret }: { carrier: SecretCarrier; secret: string | null }) {
  const { me } = useSignedIn();
  return (
    <CodeBlock
      code={triggerCurl(me.service.baseUrl, carrier, secret ?? "$SECRET")}
      label="The call of your server"
      says={
        secret === null ? "Put your secret in place of $SECRET." : "With the secret that you have just made."
      }
    />
  );
}

const triggerCurl = (baseUrl: string, carrier: SecretCarrier, secret: string): string => {
  const header = {
    any: ` \\\n  -H "Authorization: Bearer ${secret}"`,
    authorization: ` \\\n  -H "Authorization: Bearer ${secret}"`,
    x_integration_secret: ` \\\n  -H "X-Integration-Secret: ${secret}"`,
    body: "",
  }[carrier];
  const inBody = carrier === "body" ? `,\\"secret\\":\\"${secret}\\"` : "";
  return `curl -sS -X POST ${baseUrl}/v1/widget-decline/trigger \\
  -H "Content-Type: application/json"${header} \\
  -d "{\\"sessionId\\":\\"$SESSION_ID\\",\\"reason\\":\\"underage\\"${inBody}}"`;
};
