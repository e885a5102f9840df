import type { MadePartner, PartnerRow } from "@offers/contract/dash/operator";
import { type Scope, scopes } from "@offers/contract/words";
import { useState } from "preact/hooks";
import { change } from "../api.ts";
import { formatCount, formatTime } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { CheckField, Choices, errorOf, SelectField, TextField } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { useAnswer } from "../use-answer.ts";
import { useShownOnce } from "../use-shown-once.ts";

const scopeWords: Record<Scope, string> = {
  "decision:read": "Ask who is to see offers",
  "offers:read": "Read the offers that are permitted",
  "events:write": "Report events",
  "reports:read": "Read reports",
};

/** Applications of others, which publishers may connect with their account. */
export function OperatorPartners() {
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useShownOnce<MadePartner>();
  const [ending, setEnding] = useState<PartnerRow | null>(null);
  const { value, error, again } = useAnswer<{ items: PartnerRow[] }>("operator/partners");
  const changing = useChanging();
  const add = (
    <button type="button" class="button main" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      Register an application
    </button>
  );
  return (
    <>
      <PageHeader
        title="Partners"
        says="Applications that publishers may let into their account, by OAuth 2.0."
        actions={value && value.items.length > 0 && add}
      />
      {error && <Failure error={error} again={again} />}
      {value?.items.length === 0 && (
        <EmptyState icon="plug" title="No partner yet" action={add}>
          A partner asks you for an id. Register its application with the exact addresses that people are sent
          back to; each publisher then allows it, or not.
        </EmptyState>
      )}
      {value && value.items.length > 0 && (
        <Card isFlush>
          <DataTable
            caption="Partners"
            rows={value.items}
            rowKey={({ clientId }) => clientId}
            columns={[
              {
                key: "name",
                title: "Application",
                cell: (one) => (
                  <>
                    {one.name} {one.revokedAt !== null && <Badge tone="bad">Ended</Badge>}
                    <div>
                      <code>{one.clientId}</code>
                    </div>
                  </>
                ),
              },
              {
                key: "kind",
                title: "Kind",
                cell: (one) => `${one.isPublic ? "public" : "with a secret"}, ${one.applicationType}`,
              },
              {
                key: "addresses",
                title: "Sends back to",
                cell: (one) =>
                  one.redirectUris.map((address) => (
                    <div key={address}>
                      <code>{address}</code>
                    </div>
                  )),
              },
              {
                key: "scopes",
                title: "May",
                cell: (one) => one.scopes.map((scope) => <div key={scope}>{scope}</div>),
              },
              {
                key: "grants",
                title: "Connected",
                isFigure: true,
                cell: (one) => formatCount(one.liveGrants),
              },
              {
                key: "end",
                title: "Change",
                cell: (one) =>
                  one.revokedAt === null ? (
                    <button type="button" class="button" onClick={() => setEnding(one)}>
                      End<span class="heard"> {one.name}</span>
                    </button>
                  ) : (
                    <span class="quiet">{formatTime(one.revokedAt)}</span>
                  ),
              },
            ]}
          />
        </Card>
      )}
      {!value && !error && <Skeleton height={300} lines={6} />}
      {isAdding && (
        <AddPartner
          onClose={() => setAdding(false)}
          onMade={(issued) => {
            setAdding(false);
            setMade(issued);
            again();
          }}
        />
      )}
      {made && <Issued made={made} onClose={() => setMade(null)} />}
      {ending && (
        <Confirm
          title={`End ${ending.name}?`}
          does="End it"
          typed={ending.name}
          error={changing.error}
          onClose={() => {
            changing.forget();
            setEnding(null);
          }}
          onConfirm={async () => {
            const isDone = await changing.run(() => change("delete", `operator/partners/${ending.clientId}`));
            if (!isDone) return;
            setEnding(null);
            again();
          }}
        >
          <p>
            Its{" "}
            {ending.liveGrants === 1
              ? "one connection ends"
              : `${formatCount(ending.liveGrants)} connections end`}{" "}
            within seconds, and nobody can connect it again. This cannot be taken back.
          </p>
        </Confirm>
      )}
    </>
  );
}

function AddPartner({ onClose, onMade }: { onClose: () => void; onMade: (made: MadePartner) => void }) {
  const [name, setName] = useState("");
  const [addresses, setAddresses] = useState("");
  const [kind, setKind] = useState<"confidential" | "public">("confidential");
  const [applicationType, setType] = useState<"web" | "native">("web");
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes);
  const { run, isBusy, error } = useChanging();
  const send = () =>
    run(async () => {
      const redirectUris = addresses.split(/\s+/).filter((address) => address !== "");
      const body = { name, redirectUris, applicationType, isPublic: kind === "public", scopes: chosen };
      onMade(await change<MadePartner>("post", "operator/partners", body));
    });
  const isTold = ["name", "redirectUris", "scopes"].some((field) => errorOf(error, field));
  return (
    <FormDialog
      title="Register an application"
      does="Register"
      isHeld={isBusy}
      isTyped={name !== "" || addresses !== ""}
      onSend={() => void send()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        error={errorOf(error, "name")}
        hint="People read it when they are asked."
      />
      <TextField
        label="Addresses that people are sent back to"
        lines={3}
        spellcheck={false}
        value={addresses}
        onValue={setAddresses}
        error={errorOf(error, "redirectUris")}
        hint="One on each line, exactly as the application sends them."
      />
      <div class="fields">
        <SelectField
          label="It can keep a secret"
          value={kind}
          choices={[
            { value: "confidential", says: "Yes: it runs on a server" },
            { value: "public", says: "No: its users can read it" },
          ]}
          onValue={setKind}
        />
        <SelectField
          label="It runs"
          value={applicationType}
          choices={[
            { value: "web", says: "On the web" },
            { value: "native", says: "On people's machines" },
          ]}
          onValue={setType}
        />
      </div>
      <Choices legend="It may ask for" error={errorOf(error, "scopes") && "Choose at least one."}>
        {scopes.map((scope) => (
          <CheckField
            key={scope}
            label={scopeWords[scope]}
            checked={chosen.includes(scope)}
            onValue={(isOn) =>
              setChosen(scopes.filter((one) => (one === scope ? isOn : chosen.includes(one))))
            }
          />
        ))}
      </Choices>
      {error && !isTold && <Notice tone="bad">{error.message}</Notice>}
    </FormDialog>
  );
}

function Issued({ made: { clientId, clientSecret }, onClose }: { made: MadePartner; onClose: () => void }) {
  return (
    <Dialog
      title="The application is registered"
      onClose={onClose}
      onSend={onClose}
      actions={
        <button type="submit" class="button main">
          {clientSecret === null ? "Done" : "I saved it"}
        </button>
      }
    >
      <CodeBlock code={clientId} label="Its id" copyWord="Copy the id" />
      {clientSecret !== null && (
        <>
          <p>
            Its secret is shown now and never again. Give it to the partner by a way that nobody else reads.
          </p>
          <CodeBlock code={clientSecret} label="Its secret" copyWord="Copy the secret" />
        </>
      )}
    </Dialog>
  );
}
