import type { HealthAnswer } from "@offers/contract/dash/tag-health";
import type { DashWebsite, MadeWebsite, ReadAddress } from "@offers/contract/dash/websites";
import type { GeoMode } from "@offers/contract/words";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change, Refused } from "../api.ts";
import { fieldSentence } from "../field-sentence.ts";
import { formatList } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { Failure } from "../parts/failure.tsx";
import { errorOf, SelectField, TextField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { PlacesField } from "../parts/places-field.tsx";
import { WaitForPage } from "../parts/wait-for-page.tsx";
import { ruleSentence } from "../rule-words.ts";
import { useMay, usePublisher, useSignedIn } from "../signed-in.ts";
import { tagText } from "../tag-text.ts";
import { useAnswer } from "../use-answer.ts";
import { useUnsavedGuard } from "../use-unsaved-guard.ts";

/** From an address to a tag that works, on one page. */
export function Start() {
  const { query } = useAddress();
  const { publisherId } = usePublisher();
  const mayEdit = useMay("editor");
  return (
    <>
      <PageHeader
        title="Set up a website"
        says="Where it is, where its visitors see offers, one line in its pages, and done."
      />
      <div class="steps">
        {query.website ? (
          <Made path={`publishers/${publisherId}/websites/${encodeURIComponent(query.website)}`} />
        ) : mayEdit ? (
          <Make publisher={publisherId} />
        ) : (
          <Notice>Websites are set up by editors and owners of this publisher.</Notice>
        )}
      </div>
    </>
  );
}

const stepTitles = {
  where: "1. Where is your website?",
  who: "2. Who sees offers in place of the page?",
};

function Make({ publisher }: { publisher: string }) {
  const { having, go } = useAddress();
  const { websites, refreshMe } = useSignedIn();
  const [address, setAddress] = useState("");
  const [mode, setMode] = useState<GeoMode>("blocklist");
  const [places, setPlaces] = useState<string[]>([]);
  const [error, setError] = useState<Refused | undefined>();
  const [isBusy, setBusy] = useState(false);
  const settled = useSettled(address.trim(), 250);
  const { value: read } = useAnswer<ReadAddress>(
    settled === "" ? null : `publishers/${publisher}/address`,
    { address: settled },
    { isWhileTyping: true },
  );
  const wrong = read?.wrong ? fieldSentence(read.wrong) : undefined;
  useUnsavedGuard(address.trim() !== "" || places.length > 0);

  const make = async () => {
    if (isBusy) return;
    setBusy(true);
    // What is refused once more is heard once more.
    setError(undefined);
    try {
      const geoRule = { mode, entries: places, unknownLocation: "allow" };
      const made = await change<MadeWebsite>("post", `publishers/${publisher}/websites`, {
        address,
        geoRule,
      });
      websites.again();
      refreshMe();
      go(having({ website: made.websiteKey }), true);
    } catch (thrown) {
      setError(thrown instanceof Refused ? thrown : new Refused(0, "unknown", String(thrown)));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      class="steps"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <Card title={stepTitles.where}>
        <TextField
          label="Address"
          placeholder="https://www.example.com"
          autocomplete="off"
          spellcheck={false}
          required
          value={address}
          onValue={setAddress}
          // A service of a release before names the origin that it has read in the address.
          error={wrong ?? errorOf(error, "address") ?? errorOf(error, "origins")}
          hint={
            read && !wrong && settled !== "" ? (
              <>
                Pages of {formatList(read.origins)} may use the tag.
                {read.isOnThisMachine && " It is on this machine, so its traffic is test traffic."}
              </>
            ) : (
              "Paste the address of any of its pages."
            )
          }
        />
      </Card>
      <Card title={stepTitles.who}>
        <SelectField
          label="Visitors"
          value={mode}
          choices={[
            { value: "blocklist", says: "From the places I name" },
            { value: "allowlist", says: "From everywhere but the places I name" },
          ]}
          onValue={setMode}
        />
        <PlacesField
          label="Places"
          hint="A country, or a region such as US-NJ. Press Enter after each, or write commas between them."
          error={errorOf(error, "geoRule.entries")}
          places={places}
          onPlaces={setPlaces}
        />
        <p class="quiet">
          Visitors whose place is unknown see the page. All offers are allowed but those of gambling, trading
          and loans, by every vertical that sounds like one of these today; one that comes later is shown
          until you take it out. You can change both at any time.
        </p>
      </Card>
      {error && error.errors.length === 0 && <Notice tone="bad">{error.message}</Notice>}
      <div>
        <button type="submit" class="button main" disabled={isBusy}>
          Make the tag
        </button>
      </div>
    </form>
  );
}

function Made({ path }: { path: string }) {
  const { having, to } = useAddress();
  const mayEdit = useMay("editor");
  const { me } = useSignedIn();
  const { value: website, error, again } = useAnswer<DashWebsite>(path);
  const [health, setHealth] = useState<HealthAnswer | undefined>();
  if (error) return <Failure error={error} again={again} />;
  if (!website) return <Skeleton height={360} lines={6} />;
  const isLive = health?.state === "live";
  return (
    <>
      <Done
        title={stepTitles.where}
        changedAt={mayEdit && to(`/websites/${website.websiteKey}/settings`)}
        change="Change the addresses"
      >
        {website.name}: pages of {formatList(website.origins)} may use the tag.
        {website.development && " It is for development: all its traffic is test traffic."}
      </Done>
      <Done
        title={stepTitles.who}
        changedAt={mayEdit && to(`/websites/${website.websiteKey}/places`)}
        change="Change the places"
      >
        {ruleSentence(website.geoRule)}
      </Done>
      <Card title="3. Paste this into your pages">
        <CodeBlock
          code={tagText({ baseUrl: me.service.baseUrl, ...website })}
          label="Your tag"
          says={
            <>
              Before <code>&lt;/head&gt;</code>.{" "}
              <a href={to(`/websites/${website.websiteKey}/tag`)}>Other ways</a>
            </>
          }
        />
      </Card>
      <Card title="4. Open a page that has it">
        <WaitForPage website={website} path={path} onHealth={setHealth} />
        {isLive && (
          <div class="row">
            <a class="button main" href={to(`/websites/${website.websiteKey}`)}>
              To the website
            </a>
            <a class="button" href={having({ website: null })}>
              Set up another one
            </a>
          </div>
        )}
      </Card>
    </>
  );
}

/** A step that was taken, with what was chosen, and the page on which that is changed. */
function Done({
  title,
  changedAt,
  change,
  children,
}: {
  title: string;
  changedAt: string | false;
  change: string;
  children: ComponentChildren;
}) {
  return (
    <Card title={title}>
      <p>
        <Icon name="check" says="Done" /> {children}
      </p>
      {changedAt && (
        <p>
          <a href={changedAt}>{change}</a>
        </p>
      )}
    </Card>
  );
}

/** A text once it has stood still for a moment. */
function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
