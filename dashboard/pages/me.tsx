import type { OwnSession } from "@offers/contract/dash/accounts";
import { longestNames, passwordLength, type Theme, themes } from "@offers/contract/words";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change, Refused } from "../api.ts";
import { formatAgo, formatTime } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { Failure } from "../parts/failure.tsx";
import { errorOf, SelectField, TextField } from "../parts/field.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { useSignedIn } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";

const themeWords: Readonly<Record<Theme, string>> = {
  auto: "As the system",
  light: "Light",
  dark: "Dark",
};

/** One's own account. */
export function Me() {
  const { me } = useSignedIn();
  return (
    <>
      <PageHeader title="Me" says={me.user.email} />
      <div class="columns">
        <Settings />
        {me.user.hasPassword ? <Password /> : <NoPassword />}
      </div>
      <Sessions />
    </>
  );
}

/** What became of sending something. */
type Outcome = "saved" | Refused | null;

/** Sends something, says what became of it, and whether that is still to come. */
function useSending(): [Outcome, (work: () => Promise<unknown>) => Promise<boolean>, boolean] {
  const [outcome, setOutcome] = useState<Outcome>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (work: () => Promise<unknown>) => {
    setOutcome(null);
    setBusy(true);
    try {
      await work();
      setOutcome("saved");
      return true;
    } catch (thrown) {
      if (thrown instanceof Refused) setOutcome(thrown);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return [outcome, send, isBusy];
}

function Settings() {
  const { me, refreshMe } = useSignedIn();
  const [name, setName] = useState(me.user.name);
  const [outcome, send] = useSending();
  const save = (body: { name?: string; theme?: Theme }) =>
    send(() => change("patch", "me", body).then(refreshMe));
  const refused = outcome instanceof Refused ? outcome : null;
  return (
    <Card title="Name and look">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save({ name });
        }}
      >
        <TextField
          label="Name"
          hint="Your team and the list of activities show it."
          value={name}
          onValue={setName}
          maxLength={longestNames.person}
          autocomplete="name"
          error={errorOf(refused, "name")}
        />
        <SelectField
          label="Colours"
          value={me.user.theme}
          choices={themes.map((value) => ({ value, says: themeWords[value] }))}
          onValue={(theme) => void save({ theme })}
        />
        <div class="row">
          <button type="submit" class="button main">
            Save
          </button>
          <Said outcome={outcome} />
        </div>
      </form>
    </Card>
  );
}

function Password() {
  const { me } = useSignedIn();
  const [old, setOld] = useState("");
  const [fresh, setFresh] = useState("");
  const [outcome, send, isBusy] = useSending();
  const refused = outcome instanceof Refused ? outcome : null;
  const save = async () => {
    const body = { password: old, newPassword: fresh };
    if (!(await send(() => change("post", "me/password", body)))) return;
    setOld("");
    setFresh("");
  };
  return (
    <Card title="Password">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <input type="text" name="username" autocomplete="username" value={me.user.email} readOnly hidden />
        <TextField
          label="Password now"
          type="password"
          value={old}
          onValue={setOld}
          autocomplete="current-password"
          error={errorOf(refused, "password") && "This is not your password."}
        />
        <TextField
          label="New password"
          hint={`At least ${passwordLength.least} characters; a sentence is welcome. All other sessions end, and so do invitations and links of yours that nobody has followed yet.`}
          type="password"
          value={fresh}
          onValue={setFresh}
          autocomplete="new-password"
          error={errorOf(refused, "newPassword")}
        />
        <div class="row">
          {/* While it is held, Enter sends nothing either. */}
          <button type="submit" class="button main" disabled={isBusy || old === "" || fresh === ""}>
            Change the password
          </button>
          <Said outcome={outcome} />
        </div>
      </form>
    </Card>
  );
}

function NoPassword() {
  const { to } = useAddress();
  const { me } = useSignedIn();
  return (
    <Card title="Password">
      <p>You have none: a link has let you in.</p>
      <p>
        {me.user.isOperator ? (
          <>
            To choose one, make yourself a link under <a href={to("/operator/users")}>Users</a> and open it.
          </>
        ) : (
          "To choose one, ask the operator of this service for a link."
        )}{" "}
        All sessions end then, and one begins with the new password; invitations and links of yours that
        nobody has followed yet end as well.
      </p>
    </Card>
  );
}

function Sessions() {
  const { value, error, again, refresh } = useAnswer<{ items: OwnSession[] }>("me/sessions");
  const [outcome, send] = useSending();
  const now = Date.now();
  const end = async (path: string) => {
    await send(() => change("delete", path));
    // Refused or not: it may have ended before. Where one's own has, what is typed beside it stays.
    refresh();
  };
  const columns: Column<OwnSession>[] = [
    {
      key: "agent",
      title: "Browser",
      cell: ({ agent, isThis }) => (
        <>
          <strong>{agent || "Unknown"}</strong> {isThis && <Badge tone="accent">This one</Badge>}
        </>
      ),
    },
    { key: "since", title: "Since", cell: ({ createdAt }) => formatTime(createdAt) },
    { key: "seen", title: "Last seen", cell: ({ seenAt }) => formatAgo(seenAt, now) },
    {
      key: "acts",
      title: "What can be done",
      hidesTitle: true,
      cell: ({ sessionId, agent, isThis }) =>
        !isThis && (
          <button type="button" class="button" onClick={() => void end(`me/sessions/${sessionId}`)}>
            End<span class="heard"> the session of {agent}</span>
          </button>
        ),
    },
  ];
  return (
    <Card
      title="Where you are signed in"
      isFlush
      action={
        value &&
        value.items.length > 1 && (
          <button type="button" class="button" onClick={() => void end("me/sessions")}>
            End all others
          </button>
        )
      }
    >
      {outcome instanceof Refused && <Notice tone="bad">{outcome.message}</Notice>}
      {error && <Failure error={error} again={again} />}
      {!value && !error && <Skeleton lines={3} />}
      {value && (
        <DataTable
          caption="Sessions"
          columns={columns}
          rows={value.items}
          rowKey={({ sessionId }) => String(sessionId)}
        />
      )}
    </Card>
  );
}

function Said({ outcome }: { outcome: Outcome }) {
  return (
    <span role="status" class={outcome instanceof Refused ? "wrong" : "quiet"}>
      {outcome === "saved" && "Saved."}
      {outcome instanceof Refused && outcome.errors.length === 0 && outcome.message}
    </span>
  );
}
