import type { DashWebsite } from "@offers/contract/dash/websites";
import { useAddress } from "../address.ts";
import { change, type Report } from "../api.ts";
import { placeName } from "../countries.ts";
import { formatShare } from "../format.ts";
import { mergePlaces, patchOf } from "../merge-patch.ts";
import { Card } from "../parts/card.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { errorOf, SelectField } from "../parts/field.tsx";
import { Notice } from "../parts/notice.tsx";
import { PlacesField } from "../parts/places-field.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { WebsiteFrame } from "../parts/website-frame.tsx";
import { previewPlaces } from "../preview-places.ts";
import { dayOf, readRange } from "../ranges.ts";
import { ruleSentence } from "../rule-words.ts";
import { useMay, usePublisher } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";
import { useDraft } from "../use-draft.ts";

type GeoRule = DashWebsite["geoRule"];

const names = { geoRule: "The rule", "geoRule.entries": "Places" };

/** Whose visitors see offers in place of the page. */
export function WebsitePlaces() {
  return (
    <WebsiteFrame tab="/places">
      {(website, path, { again }) => <Places website={website} path={path} again={again} />}
    </WebsiteFrame>
  );
}

function Places({ website, path, again }: { website: DashWebsite; path: string; again: () => void }) {
  const { to } = useAddress();
  const mayEdit = useMay("editor");
  const draft = useDraft(
    website,
    ({ geoRule }) => ({ geoRule }),
    async (before, after, version) => {
      const saved = await change<DashWebsite>("patch", path, patchOf(before, after), version);
      again();
      return saved.version;
    },
    mergePlaces,
  );
  const { geoRule } = draft.value;
  const [country, region] = previewPlaces(website.geoRule)[0]?.split("-") ?? [];
  const set = (changed: Partial<GeoRule>) => draft.set({ geoRule: { ...geoRule, ...changed } });
  return (
    <>
      <Notice
        action={
          <a class="button" href={to(`/websites/${website.websiteKey}/simulate`, { country, region })}>
            Simulate a place
          </a>
        }
      >
        <strong>{ruleSentence(geoRule)}</strong>
      </Notice>
      <Card title={names.geoRule}>
        <fieldset class="steps" disabled={!mayEdit}>
          <legend class="heard">{names.geoRule}</legend>
          <SelectField
            label="Offers are shown to visitors"
            value={geoRule.mode}
            choices={[
              { value: "blocklist", says: "From the places named here" },
              { value: "allowlist", says: "From everywhere but the places named here" },
            ]}
            onValue={(mode) => set({ mode })}
          />
          <PlacesField
            label={names["geoRule.entries"]}
            hint="A country, or a region such as US-NJ, which is more exact than its country."
            error={errorOf(draft.error, "geoRule.entries")}
            places={geoRule.entries}
            onPlaces={(entries) => set({ entries })}
          />
          <SelectField
            label="Whoever cannot be placed"
            value={geoRule.unknownLocation}
            choices={[
              { value: "allow", says: "Sees the page" },
              { value: "block", says: "Sees offers" },
            ]}
            onValue={(unknownLocation) => set({ unknownLocation })}
          />
        </fieldset>
      </Card>
      <Decided website={website} />
      <SaveBar
        draft={draft}
        names={names}
        words={(_, version) => ruleSentence(version.geoRule)}
        again={again}
      />
    </>
  );
}

/** What share of the blocked visits of thirty days each entry decides, by the rule of now. */
function Decided({ website: { websiteKey, geoRule } }: { website: DashWebsite }) {
  const { publisherId } = usePublisher();
  const { from, to } = readRange("30d", dayOf(Date.now()));
  const { value: report } = useAnswer<Report>("report", {
    publisher: publisherId,
    websiteKey,
    from,
    to,
    groupBy: ["country", "region"],
  });
  if (!report || report.totals.blocked === 0 || geoRule.mode !== "blocklist") return null;
  const blocked = new Map<string, number>();
  for (const { country = "ZZ", region, blocked: visits } of report.items) {
    const entry = region && geoRule.entries.includes(region) ? region : country;
    blocked.set(entry, (blocked.get(entry) ?? 0) + visits);
  }
  const rows = [...blocked].filter(([, visits]) => visits > 0).sort(([, one], [, other]) => other - one);
  return (
    <Card title="Last 30 days" says="of all blocked visits" isFlush>
      <DataTable
        caption="Blocked visits by place"
        rows={rows}
        rowKey={([place]) => place}
        columns={[
          { key: "place", title: "Place", cell: ([place]) => placeName(place) },
          {
            key: "share",
            title: "Share",
            isFigure: true,
            cell: ([, visits]) => formatShare(visits, report.totals.blocked, 1),
          },
        ]}
      />
    </Card>
  );
}
