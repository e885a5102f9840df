import type { DashWebsite } from "@offers/contract/dash/websites";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change, Refused } from "../api.ts";
import { patchOf } from "../merge-patch.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { Chips } from "../parts/chips.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { CheckField, errorOf, TextField } from "../parts/field.tsx";
import { Notice } from "../parts/notice.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { WebsiteFrame } from "../parts/website-frame.tsx";
import { typedShare } from "../share.ts";
import { useMay, useSignedIn } from "../signed-in.ts";
import type { Answer } from "../use-answer.ts";
import { useDraft } from "../use-draft.ts";

const names = {
  name: "Name",
  vertical: "Vertical",
  ownBrand: "Own brand",
  origins: "Origins",
  development: "This is a development website",
  shareBasisPoints: "Share in per cent",
};

/** What a website is called, where it is, and its end. */
export function WebsiteSettings() {
  return (
    <WebsiteFrame tab="/settings">
      {(website, path, answer) => <Settings website={website} path={path} answer={answer} />}
    </WebsiteFrame>
  );
}

function Settings({
  website,
  path,
  answer: { again, refresh },
}: {
  website: DashWebsite;
  path: string;
  answer: Answer<DashWebsite>;
}) {
  const mayEdit = useMay("editor");
  const mayDelete = useMay("owner");
  const { me, websites } = useSignedIn();
  const draft = useDraft(website, draftOf, async (before, after, version) => {
    const patch = patchOf(settingsOf(before), settingsOf(after));
    const saved = await change<DashWebsite>("patch", path, patch, version);
    again();
    websites.again();
    return saved.version;
  });
  const { value, set, error } = draft;
  return (
    <>
      <fieldset disabled={!mayEdit} class="steps">
        <legend class="heard">Settings</legend>
        <Card title="The website">
          <TextField
            label={names.name}
            value={value.name}
            onValue={(text) => set({ name: text })}
            maxLength={120}
            error={errorOf(error, "name")}
          />
          <TextField
            label={names.vertical}
            hint="Blocked visits are reported under it, such as news or sport."
            value={value.vertical}
            onValue={(text) => set({ vertical: text })}
            maxLength={40}
            error={errorOf(error, "vertical")}
          />
          <TextField
            label={names.ownBrand}
            hint="Offers of this brand are never shown here."
            value={value.ownBrand}
            onValue={(text) => set({ ownBrand: text })}
            maxLength={80}
            error={errorOf(error, "ownBrand")}
          />
        </Card>
        <Card title="Addresses">
          <Chips
            label={names.origins}
            hint="Scheme, host and port, such as https://www.example.com; https://*.example.com stands for all sub-domains. A bare public suffix is refused."
            chips={value.origins}
            onChips={(chips) => set({ origins: chips })}
            read={(text) => ({
              chips: text
                .split(/[\s,]+/)
                .map((one) => one.replace(/\/+$/, ""))
                .filter(Boolean),
            })}
            error={errorOf(error, "origins")}
          />
        </Card>
        <Card title="Development">
          <CheckField
            label={names.development}
            hint="Locations can be simulated in its pages, all its traffic is test traffic, and nothing on it is ever billed or earned. Take the mark off before visitors come."
            checked={value.development}
            onValue={(checked) => set({ development: checked })}
          />
        </Card>
        {me.user.isOperator && (
          <Card title="Share">
            <TextField
              label={names.shareBasisPoints}
              hint="What the publisher earns here of each price. Empty: the publisher's own share."
              inputMode="decimal"
              value={value.shareBasisPoints}
              onValue={(text) => set({ shareBasisPoints: text })}
              error={errorOf(error, "shareBasisPoints")}
            />
          </Card>
        )}
      </fieldset>
      {mayEdit && (
        <Ends
          website={website}
          path={path}
          mayDelete={mayDelete}
          refresh={refresh}
          version={draft.version}
          onMoved={draft.moveOn}
        />
      )}
      <SaveBar draft={draft} names={names} again={again} />
    </>
  );
}

/** The fields as they are typed: a share that is none is not to become "no share". */
const draftOf = ({ name, vertical, ownBrand, origins, development, shareBasisPoints }: DashWebsite) => ({
  name,
  vertical,
  ownBrand,
  origins: [...origins],
  development,
  shareBasisPoints: shareBasisPoints === null ? "" : String(shareBasisPoints / 100),
});

const settingsOf = (draft: ReturnType<typeof draftOf>) => {
  const shareBasisPoints = typedShare(draft.shareBasisPoints);
  if (shareBasisPoints !== undefined) return { ...draft, shareBasisPoints };
  const message = "must be 0 to 100, with at most two decimals, or empty";
  throw new Refused(400, "invalid_parameter", `The share ${message}.`, [
    { parameter: "shareBasisPoints", message },
  ]);
};

function Ends({
  website: { name, paused },
  path,
  mayDelete,
  refresh,
  version,
  onMoved,
}: {
  website: DashWebsite;
  path: string;
  mayDelete: boolean;
  /** Reads anew what is saved, and leaves the page where it is. */
  refresh: () => void;
  version: number;
  /** Told from which version to which one the website has come. */
  onMoved: (from: number, to: number) => void;
}) {
  const { to, go } = useAddress();
  const { websites, refreshMe } = useSignedIn();
  const [isAsking, setAsking] = useState(false);
  const { run, isBusy, error, forget } = useChanging();
  const ask = (isAsked: boolean) => {
    forget();
    setAsking(isAsked);
  };
  const remove = async () => {
    await run(async () => {
      await change("delete", path, { name });
      websites.again();
      refreshMe();
      go(to("/websites"));
    });
  };
  const pause = () =>
    run(async () => {
      try {
        const verb = paused ? "resume" : "pause";
        const moved = await change<DashWebsite>("post", `${path}/${verb}`, undefined, version);
        onMoved(version, moved.version);
      } finally {
        // Where the session has ended, what is typed beside it stays.
        refresh();
        websites.refresh();
      }
    });
  return (
    <Card title="Pause or delete">
      <p class="quiet">
        While it is paused every visitor sees its pages, and no offer. Deleting ends it for good: its tag does
        nothing any more, its secrets are revoked, and its key is never given to another. What it earned and
        counted stays in every report.
      </p>
      {error && !isAsking && <Notice tone="bad">{error.message}</Notice>}
      <div class="row">
        <button type="button" class="button" disabled={isBusy} onClick={() => void pause()}>
          {paused ? "Resume it" : "Pause it"}
        </button>
        {mayDelete && (
          <button type="button" class="button danger" onClick={() => ask(true)}>
            Delete it
          </button>
        )}
      </div>
      {isAsking && (
        <Confirm
          title="Delete this website?"
          does="Delete the website"
          typed={name}
          error={error}
          onConfirm={remove}
          onClose={() => ask(false)}
        >
          Its pages show no offers from now on. This cannot be taken back.
        </Confirm>
      )}
    </Card>
  );
}
