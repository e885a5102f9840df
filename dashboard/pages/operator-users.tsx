import type { MadeLink } from "@offers/contract/dash/accounts";
import type { UserRow } from "@offers/contract/dash/operator";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change } from "../api.ts";
import { formatSeen } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { Failure } from "../parts/failure.tsx";
import { CheckField, errorOf, TextField } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { MadeLinkDialog } from "../parts/made-link.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { useSignedIn } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";
import { useShownOnce } from "../use-shown-once.ts";

type Made = { email: string; link: MadeLink };
type Changed = { isDisabled?: boolean; isOperator?: boolean };
/** What is asked before it is done. */
type Asked = { user: UserRow; changed: Changed };

/** Everybody who may sign in. */
export function OperatorUsers() {
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useShownOnce<Made>();
  const { value, error, again } = useAnswer<{ items: UserRow[] }>("operator/users");
  return (
    <>
      <PageHeader
        title="Users"
        says="Who signs in, and what they may do."
        actions={
          <button type="button" class="button main" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            Add somebody
          </button>
        }
      />
      {error && <Failure error={error} again={again} />}
      {value && <People items={value.items} again={again} onMade={setMade} />}
      {!value && !error && <Skeleton height={300} lines={6} />}
      {isAdding && (
        <AddUser
          onClose={() => setAdding(false)}
          onMade={(link) => {
            setAdding(false);
            setMade(link);
            again();
          }}
        />
      )}
      {made && <MadeLinkDialog email={made.email} made={made.link} onClose={() => setMade(null)} />}
    </>
  );
}

function People({
  items,
  again,
  onMade,
}: {
  items: UserRow[];
  again: () => void;
  onMade: (made: Made) => void;
}) {
  const { to } = useAddress();
  const { me, refreshMe } = useSignedIn();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { run, isBusy, error, forget } = useChanging();
  const ask = (next: Asked | null) => {
    forget();
    setAsked(next);
  };
  const patch = async (user: UserRow, changed: Changed) => {
    const isDone = await run(() => change("patch", `operator/users/${user.userId}`, changed));
    if (!isDone) return false;
    // These pages are gone for whoever has taken them from themselves.
    if (user.userId === me.user.userId) refreshMe();
    else again();
    return true;
  };
  const makeLink = (user: UserRow) =>
    run(async () => {
      onMade({
        email: user.email,
        link: await change<MadeLink>("post", `operator/users/${user.userId}/links`),
      });
    });
  return (
    <Card isFlush>
      {error && !asked && <Notice tone="bad">{error.message}</Notice>}
      <DataTable
        caption="Users"
        rows={items}
        rowKey={({ userId }) => String(userId)}
        columns={[
          {
            key: "who",
            title: "Who",
            cell: (user) => (
              <>
                {user.name} <State user={user} />
                <div class="quiet">{user.email}</div>
              </>
            ),
          },
          {
            key: "may",
            title: "May",
            cell: (user) => (
              <>
                {user.isOperator && <div>Operates the service</div>}
                {user.memberships.map(({ publisherId, name, role }) => (
                  <div key={publisherId}>
                    {role} of <a href={to(`/operator/publishers/${publisherId}`)}>{name}</a>
                  </div>
                ))}
                {!user.isOperator && user.memberships.length === 0 && (
                  <span class="quiet">Nothing yet: invite them to a publisher</span>
                )}
              </>
            ),
          },
          {
            key: "seen",
            title: "Seen",
            cell: ({ lastSeenAt }) => formatSeen(lastSeenAt, Date.now()),
          },
          {
            key: "do",
            title: "Change",
            cell: (user) => (
              <div class="row">
                <button
                  type="button"
                  class="button"
                  disabled={isBusy || user.isDisabled}
                  onClick={() => void makeLink(user)}
                >
                  {user.hasPassword ? "Link for a new password" : "Link to come in"}
                  <span class="heard"> for {user.email}</span>
                </button>
                <button
                  type="button"
                  class="button"
                  disabled={isBusy}
                  onClick={() => ask({ user, changed: { isOperator: !user.isOperator } })}
                >
                  {user.isOperator ? "No operator any more" : "Make an operator"}
                  <span class="heard">: {user.email}</span>
                </button>
                {user.isDisabled ? (
                  <button
                    type="button"
                    class="button"
                    disabled={isBusy}
                    onClick={() => void patch(user, { isDisabled: false })}
                  >
                    Let in again<span class="heard">: {user.email}</span>
                  </button>
                ) : (
                  user.email !== me.user.email && (
                    <button
                      type="button"
                      class="button"
                      disabled={isBusy}
                      onClick={() => ask({ user, changed: { isDisabled: true } })}
                    >
                      Disable<span class="heard"> {user.email}</span>
                    </button>
                  )
                )}
              </div>
            ),
          },
        ]}
      />
      {asked && (
        <Confirm
          title={wordsOf(asked).title}
          does={wordsOf(asked).does}
          error={error}
          onClose={() => ask(null)}
          onConfirm={async () => {
            if (await patch(asked.user, asked.changed)) setAsked(null);
          }}
        >
          <p>{wordsOf(asked).says}</p>
        </Confirm>
      )}
    </Card>
  );
}

const wordsOf = ({ user: { name, email }, changed }: Asked) => {
  if (changed.isDisabled) {
    return {
      title: `Disable ${name}?`,
      does: "Disable",
      says: `${email} is signed out everywhere at once. What they have done stays, and you can let them in again. API keys and secrets that they have made go on: revoke those that they may have copied.`,
    };
  }
  return changed.isOperator
    ? {
        title: `Make ${name} an operator?`,
        does: "Make an operator",
        says: `${email} sees and changes everything on these pages from then on: publishers, money, and who signs in.`,
      }
    : {
        title: `${name}: no operator any more?`,
        does: "No operator any more",
        says: `These pages are closed to ${email} at once, and links that they have made for others end. Their teams stay.`,
      };
};

function State({ user: { isDisabled, hasPassword } }: { user: UserRow }) {
  if (isDisabled) return <Badge tone="bad">Disabled</Badge>;
  return hasPassword ? null : <Badge tone="warn">No password yet</Badge>;
}

function AddUser({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [isOperator, setOperator] = useState(false);
  const { run, isBusy, error } = useChanging();
  const send = () =>
    run(async () => {
      const body = { email, isOperator, ...(name.trim() && { name }) };
      onMade({ email, link: await change<MadeLink>("post", "operator/users", body) });
    });
  const isTold = errorOf(error, "email") ?? errorOf(error, "name");
  return (
    <FormDialog
      title="Add somebody"
      does="Add, and make the link"
      isHeld={isBusy || email.trim() === ""}
      onSend={() => void send()}
      onClose={onClose}
    >
      <TextField
        label="E-mail"
        type="email"
        value={email}
        onValue={setEmail}
        autocomplete="off"
        error={errorOf(error, "email")}
      />
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        autocomplete="off"
        error={errorOf(error, "name")}
      />
      <CheckField
        label="Operates the service"
        checked={isOperator}
        onValue={setOperator}
        hint="Sees and changes everything on these pages."
      />
      {error && !isTold && <Notice tone="bad">{error.message}</Notice>}
    </FormDialog>
  );
}
