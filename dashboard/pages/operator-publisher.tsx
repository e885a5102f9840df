import type { MadeLink, Team } from "@offers/contract/dash/accounts";
import type { PublisherPage, PublisherRow } from "@offers/contract/dash/operator";
import { type Role, roles } from "@offers/contract/words";
import { useState } from "preact/hooks";
import { useRoute } from "preact-iso/router";
import { base, useAddress } from "../address.ts";
import { change, queryText, Refused } from "../api.ts";
import { formatSeen } from "../format.ts";
import { patchOf } from "../merge-patch.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { CheckField, errorOf, SelectField, TextField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { MadeLinkDialog } from "../parts/made-link.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { Badge } from "../parts/state.tsx";
import { shareText, typedPercent } from "../share.ts";
import { roleNames } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";
import { useDraft } from "../use-draft.ts";
import { useShownOnce } from "../use-shown-once.ts";

type Page = PublisherPage & {
  team: {
    userId: number;
    email: string;
    name: string;
    role: Role;
    lastSeenAt: number | null;
    disabledAt: number | null;
  }[];
  invitations: Team["invitations"];
};

/** One publisher: what it is called and earns, its websites, and who works for it. */
export function OperatorPublisher() {
  const { to } = useAddress();
  const { publisher = "" } = useRoute().params;
  const path = `operator/publishers/${publisher}`;
  const { value, error, again } = useAnswer<Page>(path);
  return (
    <>
      <PageHeader
        title={value?.name ?? "Publisher"}
        above={{ title: "Publishers", link: to("/operator/publishers") }}
        says={<code>{publisher}</code>}
        actions={
          value && (
            <a class="button" href={`${base}/?${queryText({ p: value.publisherId })}`}>
              <Icon name="eye" />
              Look as its team does
            </a>
          )
        }
      />
      {error && <Failure error={error} again={again} />}
      {value && (
        <>
          <Settings page={value} path={path} again={again} />
          <Sites sites={value.sites} />
          <People page={value} path={path} again={again} />
        </>
      )}
      {!value && !error && <Skeleton height={400} lines={8} />}
    </>
  );
}

function Settings({ page, path, again }: { page: Page; path: string; again: () => void }) {
  const draft = useDraft<PublisherRow, SettingsDraft>(page, draftOf, async (before, after, version) => {
    const patch = patchOf(settingsOf(before), settingsOf(after));
    const saved = await change<PublisherRow>("patch", path, patch, version);
    again();
    return saved.version;
  });
  const { value, set, error } = draft;
  const tellsAll = !value.showSpend && typedPercent(value.share) === 10_000;
  return (
    <Card title="Settings">
      <div class="fields">
        <TextField
          label={names.name}
          value={value.name}
          onValue={(name) => set({ name })}
          error={errorOf(error, "name")}
        />
        <TextField
          label={names.share}
          inputMode="decimal"
          value={value.share}
          onValue={(share) => set({ share })}
          hint={`What it earns of what is billed from now on; now ${shareText(page.shareBasisPoints)}. A website may have another.`}
          error={errorOf(error, "shareBasisPoints")}
        />
      </div>
      <CheckField
        label={names.showSpend}
        checked={value.showSpend}
        onValue={(showSpend) => set({ showSpend })}
        hint={tellsAll ? "It earns all of each price, so its earnings tell that all the same." : undefined}
      />
      <SaveBar draft={draft} names={names} again={again} />
    </Card>
  );
}

const names = {
  name: "Name",
  share: "Share in per cent",
  shareBasisPoints: "Share in per cent",
  showSpend: "Its reports tell what advertisers pay",
};

type SettingsDraft = { name: string; share: string; showSpend: boolean };

const draftOf = ({ name, shareBasisPoints, showSpend }: PublisherRow): SettingsDraft => ({
  name,
  share: String(shareBasisPoints / 100),
  showSpend,
});

const settingsOf = ({ name, share, showSpend }: SettingsDraft) => {
  const shareBasisPoints = typedPercent(share);
  if (shareBasisPoints !== undefined) return { name, shareBasisPoints, showSpend };
  const message = "must be 0 to 100, with at most two decimals";
  throw new Refused(400, "invalid_parameter", `The share ${message}.`, [
    { parameter: "shareBasisPoints", message },
  ]);
};

function Sites({ sites }: { sites: Page["sites"] }) {
  return (
    <Card title="Websites" isFlush>
      {sites.length === 0 ? (
        <EmptyState icon="globe" title="No website yet">
          Its team sets websites up by itself once somebody has followed an invitation.
        </EmptyState>
      ) : (
        <DataTable
          caption="Websites"
          rows={sites}
          rowKey={({ websiteKey }) => websiteKey}
          columns={[
            {
              key: "name",
              title: "Name",
              cell: (site) => (
                <>
                  {site.name} {site.paused && <Badge tone="warn">Paused</Badge>}
                  {site.development && <Badge>Development</Badge>}
                </>
              ),
            },
            { key: "key", title: "Key", cell: (site) => <code>{site.websiteKey}</code> },
            { key: "vertical", title: "Vertical", cell: (site) => site.vertical },
            {
              key: "origins",
              title: "Addresses",
              cell: (site) =>
                site.origins.map((origin) => (
                  <div key={origin}>
                    <code>{origin}</code>
                  </div>
                )),
            },
          ]}
        />
      )}
    </Card>
  );
}

function People({ page, path, again }: { page: Page; path: string; again: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("owner");
  const [made, setMade] = useShownOnce<{ email: string; link: MadeLink }>();
  const { run, isBusy, error } = useChanging();
  const invite = () =>
    run(async () => {
      const link = await change<MadeLink>("post", `${path}/invitations`, { email, role });
      setMade({ email, link });
      setEmail("");
      again();
    });
  return (
    <Card title="Team" isFlush>
      {page.team.length > 0 && (
        <DataTable
          caption="Team"
          rows={page.team}
          rowKey={({ userId }) => String(userId)}
          columns={[
            {
              key: "name",
              title: "Name",
              cell: (one) => (
                <>
                  {one.name} {one.disabledAt !== null && <Badge tone="bad">Disabled</Badge>}
                </>
              ),
            },
            { key: "email", title: "E-mail", cell: (one) => one.email },
            { key: "role", title: "Role", cell: (one) => roleNames[one.role] },
            {
              key: "seen",
              title: "Seen",
              cell: ({ lastSeenAt }) => formatSeen(lastSeenAt, Date.now()),
            },
          ]}
        />
      )}
      {page.invitations.length > 0 && (
        <p class="body quiet">
          Invited and not here yet: {page.invitations.map((one) => `${one.email} (${one.role})`).join(", ")}.
        </p>
      )}
      <form
        class="body"
        onSubmit={(event) => {
          event.preventDefault();
          void invite();
        }}
      >
        <div class="fields">
          <TextField
            label="Invite by e-mail"
            type="email"
            value={email}
            onValue={setEmail}
            autocomplete="off"
            error={errorOf(error, "email")}
          />
          <SelectField
            label="As"
            value={role}
            choices={roles.map((one) => ({ value: one, says: roleNames[one] }))}
            onValue={setRole}
          />
        </div>
        <div class="row">
          <button type="submit" class="button" disabled={isBusy || email.trim() === ""}>
            <Icon name="link" />
            Make the link
          </button>
          {page.team.length === 0 && <span class="quiet">Nobody works for it yet: invite its owner.</span>}
        </div>
        {error && !errorOf(error, "email") && <Notice tone="bad">{error.message}</Notice>}
      </form>
      {made && <MadeLinkDialog email={made.email} made={made.link} onClose={() => setMade(null)} />}
    </Card>
  );
}
