import type { DashWebsite } from "@offers/contract/dash/websites";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change, Refused } from "../api.ts";
import { patchOf } from "../merge-patch.ts";
import { Card } from "../parts/card.tsx";
import { Chips } from "../parts/chips.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { CheckField, errorOf, TextField } from "../parts/field.tsx";
import { Notice } from "../parts/notice.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { WebsiteFrame } from "../parts/website-frame.tsx";
import { useMay, useSignedIn } from "../signed-in.ts";
import { useDraft } from "../use-draft.ts";

/** What a website is called, where it is, and its end. */
export function WebsiteSettings() {
  return (
    <WebsiteFrame tab="/settings">
      {(website, path, { again }) => <Settings website={website} path={path} again={again} />}
    </WebsiteFrame>
  );
}

function Settings({ website, path, again }: { website: DashWebsite; path: string; again: () => void }) {
  const mayEdit = useMay("editor");
  const mayDelete = useMay("owner");
  const { me, websites } = useSignedIn();
  const { name, vertical, ownBrand, origins, development, shareBasisPoints } = website;
  const draft = useDraft(
    { name, vertical, ownBrand, origins: [...origins], development, shareBasisPoints },
    website.version,
    async (before, after, version) => {
      await change("patch", path, patchOf(before, after), version);
      again();
      websites.again();
    },
  );
  const { value, set, error } = draft;
  return (
    <>
      <fieldset disabled={!mayEdit} class="steps">
        <legend class="heard">Settings</legend>
        <Card title="The website">
          <TextField
            label="Name"
            value={value.name}
            onValue={(text) => set({ name: text })}
            maxLength={120}
            error={errorOf(error, "name")}
          />
          <TextField
            label="Vertical"
            hint="Blocked visits are reported under it, such as news or sport."
            value={value.vertical}
            onValue={(text) => set({ vertical: text })}
            maxLength={40}
            error={errorOf(error, "vertical")}
          />
          <TextField
            label="Own brand"
            hint="Offers of this brand are never shown here."
            value={value.ownBrand}
            onValue={(text) => set({ ownBrand: text })}
            maxLength={80}
            error={errorOf(error, "ownBrand")}
          />
        </Card>
        <Card title="Addresses">
          <Chips
            label="Origins"
            hint="Scheme, host and port, such as https://www.example.com; https://*.example.com stands for all sub-domains. A bare public suffix is refused."
            chips={value.origins}
            onChips={(chips) => set({ origins: chips })}
            read={(text) => ({ chips: text.split(/[\s,]+/).map((one) => one.replace(/\/+$/, "")) })}
            error={errorOf(error, "origins")}
          />
        </Card>
        <Card title="Development">
          <CheckField
            label="This is a development website"
            hint="Locations can be simulated in its pages, all its traffic is test traffic, and nothing on it is ever billed or earned. Take the mark off before visitors come."
            checked={value.development}
            onValue={(checked) => set({ development: checked })}
          />
        </Card>
        {me.user.isOperator && (
          <Card title="Share">
            <TextField
              label="Hundredths of a per cent of each price"
              hint="What the publisher earns here. Empty: the publisher's own share."
              inputMode="numeric"
              value={value.shareBasisPoints === null ? "" : String(value.shareBasisPoints)}
              onValue={(text) => set({ shareBasisPoints: text.trim() === "" ? null : Number(text) })}
              error={errorOf(error, "shareBasisPoints")}
            />
          </Card>
        )}
      </fieldset>
      {mayEdit && <Ends website={website} path={path} mayDelete={mayDelete} again={again} />}
      <SaveBar draft={draft} again={again} />
    </>
  );
}

function Ends({
  website: { name, paused, version },
  path,
  mayDelete,
  again,
}: {
  website: DashWebsite;
  path: string;
  mayDelete: boolean;
  again: () => void;
}) {
  const { to, go } = useAddress();
  const { websites } = useSignedIn();
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<Refused | undefined>();
  const run = async (work: () => Promise<unknown>) => {
    setError(undefined);
    try {
      await work();
      websites.again();
    } catch (thrown) {
      setError(thrown instanceof Refused ? thrown : new Refused(0, "unknown", String(thrown)));
    }
  };
  const remove = () =>
    run(async () => {
      await change("delete", path, { name });
      go(to("/websites"));
    });
  const pause = () =>
    run(async () => {
      await change("post", `${path}/${paused ? "resume" : "pause"}`, undefined, version);
      again();
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
        <button type="button" class="button" onClick={() => void pause()}>
          {paused ? "Resume it" : "Pause it"}
        </button>
        {mayDelete && (
          <button type="button" class="button danger" onClick={() => setAsking(true)}>
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
          onClose={() => setAsking(false)}
        >
          Its pages show no offers from now on. This cannot be taken back.
        </Confirm>
      )}
    </Card>
  );
}
