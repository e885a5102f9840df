import type { MadeLink, Team as TeamAnswer } from "@offers/contract/dash/accounts";
import { type Role, roles } from "@offers/contract/words";
import { useEffect, useState } from "preact/hooks";
import { change, Refused } from "../api.ts";
import { formatSeen, formatTime } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { Failure } from "../parts/failure.tsx";
import { errorOf, SelectField, SmallSelect, TextField } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { useMay, usePublisher, useSignedIn } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";
import { useShownOnce } from "../use-shown-once.ts";

type Member = TeamAnswer["members"][number];
type Invitation = TeamAnswer["invitations"][number];
type Invited = MadeLink & { email: string };

const roleWords: Readonly<Record<Role, string>> = {
  viewer: "Viewer: reads everything",
  editor: "Editor: changes websites too",
  owner: "Owner: keeps keys and the team too",
};

/** Who works for the publisher. */
export function Team() {
  const { publisherId, name } = usePublisher();
  const mayChange = useMay("owner");
  const { refreshMe } = useSignedIn();
  const path = `publishers/${publisherId}/team`;
  const { value, error, again, refresh } = useAnswer<TeamAnswer>(path);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isInviting, setInviting] = useState(false);
  const [invited, setInvited] = useShownOnce<Invited>();
  const [removing, setRemoving] = useState<Member | null>(null);

  const doing = async (work: () => Promise<unknown>) => {
    setRefused(null);
    try {
      await work();
    } catch (thrown) {
      if (thrown instanceof Refused) setRefused(thrown);
    }
    // Refused or not: it may have been done before, or be about oneself. Where the session has ended, what stands here stays.
    refresh();
    refreshMe();
  };
  return (
    <>
      <PageHeader
        title="Team"
        says={`Who works for ${name}.`}
        actions={
          mayChange && (
            <button type="button" class="button main" onClick={() => setInviting(true)}>
              <Icon name="plus" />
              Invite somebody
            </button>
          )
        }
      />
      {invited && <InvitedCard invited={invited} onDone={() => setInvited(null)} />}
      {refused && <Notice tone="bad">{refused.message}</Notice>}
      {error && <Failure error={error} again={again} />}
      {!value && !error && <Skeleton height={220} lines={4} />}
      {value && (
        <Card title="People" isFlush>
          <People
            members={value.members}
            {...(mayChange && {
              onRole: (member, role) =>
                doing(() => change("patch", `${path}/members/${member.userId}`, { role })),
              onRemove: setRemoving,
            })}
          />
        </Card>
      )}
      {value && value.invitations.length > 0 && (
        <Card title="Invited" isFlush>
          <Invitations
            invitations={value.invitations}
            {...(mayChange && {
              onWithdraw: ({ invitationId }) =>
                doing(() => change("delete", `${path}/invitations/${invitationId}`)),
            })}
          />
        </Card>
      )}
      {isInviting && (
        <InviteDialog
          path={path}
          onInvited={(link) => {
            setInviting(false);
            setInvited(link);
            refresh();
          }}
          onClose={() => setInviting(false)}
        />
      )}
      {removing && (
        <Confirm
          title={`Remove ${removing.name}`}
          does="Remove from the team"
          onConfirm={() =>
            doing(() => change("delete", `${path}/members/${removing.userId}`)).then(() => setRemoving(null))
          }
          onClose={() => setRemoving(null)}
        >
          <p>
            {removing.email} sees nothing of {name} from the next call on. Keys that they made go on working.
          </p>
        </Confirm>
      )}
    </>
  );
}

function People({
  members,
  onRole,
  onRemove,
}: {
  members: readonly Member[];
  onRole?: (member: Member, role: Role) => void;
  onRemove?: (member: Member) => void;
}) {
  const { me } = useSignedIn();
  const now = Date.now();
  const owners = members.filter(({ role, isDisabled }) => role === "owner" && !isDisabled);
  const isLast = (member: Member) => member.role === "owner" && owners.every((owner) => owner === member);
  const columns: Column<Member>[] = [
    {
      key: "name",
      title: "Name",
      cell: ({ name, email, isDisabled }) => (
        <>
          <strong>{name}</strong> {email === me.user.email && <Badge tone="accent">You</Badge>}
          {isDisabled && <Badge tone="bad">Disabled</Badge>}
          <div class="quiet">{email}</div>
        </>
      ),
    },
    {
      key: "role",
      title: "Role",
      cell: (member) =>
        onRole && !isLast(member) ? <RoleChoice member={member} onRole={onRole} /> : roleWords[member.role],
    },
    {
      key: "seen",
      title: "Last seen",
      cell: ({ lastSeenAt }) => formatSeen(lastSeenAt, now),
    },
  ];
  if (onRemove) {
    columns.push({
      key: "acts",
      title: "What can be done",
      hidesTitle: true,
      cell: (member) =>
        isLast(member) ? (
          <span class="quiet">The last owner stays</span>
        ) : (
          <button type="button" class="button" onClick={() => onRemove(member)}>
            Remove<span class="heard"> {member.name}</span>
          </button>
        ),
    });
  }
  return (
    <DataTable caption="People" columns={columns} rows={members} rowKey={({ userId }) => String(userId)} />
  );
}

/** A role, and what saves another one: by the keyboard a select is on each of its choices for a moment. */
function RoleChoice({ member, onRole }: { member: Member; onRole: (member: Member, role: Role) => void }) {
  const [role, setRole] = useState(member.role);
  useEffect(() => setRole(member.role), [member.role]);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        onRole(member, role);
        // The button goes, and the focus would go with it.
        event.currentTarget.querySelector("select")?.focus();
      }}
    >
      <SmallSelect
        label={`Role of ${member.name}`}
        value={role}
        choices={roles.map((value) => ({ value, says: roleWords[value] }))}
        onValue={setRole}
      />
      {role !== member.role && (
        <button type="submit" class="button main">
          Save<span class="heard"> the role of {member.name}</span>
        </button>
      )}
    </form>
  );
}

function Invitations({
  invitations,
  onWithdraw,
}: {
  invitations: readonly Invitation[];
  onWithdraw?: (invitation: Invitation) => void;
}) {
  const columns: Column<Invitation>[] = [
    { key: "email", title: "E-mail", cell: ({ email }) => <strong>{email}</strong> },
    { key: "role", title: "Role", cell: ({ role }) => roleWords[role] },
    { key: "by", title: "Invited by", cell: ({ madeBy }) => madeBy },
    { key: "ends", title: "Until", cell: ({ expiresAt }) => formatTime(expiresAt) },
  ];
  if (onWithdraw) {
    columns.push({
      key: "acts",
      title: "What can be done",
      hidesTitle: true,
      cell: (invitation) => (
        <button type="button" class="button" onClick={() => onWithdraw(invitation)}>
          Withdraw<span class="heard"> the invitation of {invitation.email}</span>
        </button>
      ),
    });
  }
  return (
    <DataTable
      caption="Invitations"
      columns={columns}
      rows={invitations}
      rowKey={({ invitationId }) => String(invitationId)}
    />
  );
}

function InvitedCard({
  invited: { link, email, expiresAt },
  onDone,
}: {
  invited: Invited;
  onDone: () => void;
}) {
  return (
    <Card title={`The link for ${email}`}>
      <Notice tone="warn">
        No mail is sent: give them this link. It is shown this once, works once, and ends on{" "}
        {formatTime(expiresAt)}.
      </Notice>
      <CodeBlock code={link} label="The link of the invitation" copyWord="Copy the link" />
      <div class="row">
        <button type="button" class="button main" onClick={onDone}>
          I passed it on
        </button>
      </div>
    </Card>
  );
}

function InviteDialog({
  path,
  onInvited,
  onClose,
}: {
  path: string;
  onInvited: (invited: Invited) => void;
  onClose: () => void;
}) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isBusy, setBusy] = useState(false);
  const invite = async () => {
    if (isBusy) return;
    setBusy(true);
    // What is refused once more is heard once more.
    setRefused(null);
    try {
      const made = await change<MadeLink>("post", `${path}/invitations`, { email, role });
      onInvited({ ...made, email: email.trim() });
    } catch (thrown) {
      if (thrown instanceof Refused) setRefused(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title="Invite somebody"
      does="Make the link"
      isHeld={isBusy}
      onSend={() => void invite()}
      onClose={onClose}
    >
      <TextField
        label="E-mail"
        type="text"
        value={email}
        onValue={setEmail}
        autocomplete="off"
        error={errorOf(refused, "email")}
      />
      <SelectField
        label="Role"
        value={role}
        choices={roles.map((value) => ({ value, says: roleWords[value] }))}
        onValue={setRole}
      />
      {refused && refused.errors.length === 0 && <Notice tone="bad">{refused.message}</Notice>}
    </FormDialog>
  );
}
