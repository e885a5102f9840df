import type { Attention, WebsiteRow } from "@offers/contract/dash/tag-health";
import type { ReportDimension } from "@offers/contract/reports";
import { useAddress } from "../address.ts";
import type { Report } from "../api.ts";
import { isEmpty, moneyOf } from "../overview-figures.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { SmallSelect } from "../parts/field.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { RangePicker, useRange } from "../parts/range-picker.tsx";
import { Switch } from "../parts/tabs.tsx";
import { type Days, lengthOf, periodBefore } from "../ranges.ts";
import { useMay, usePublisher, useSignedIn, useWebsiteNames } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";
import { websiteChoices } from "../website-choices.ts";
import { AttentionCard, NotCounted, Places, Verticals, WebsitesCard } from "./overview-lists.tsx";
import { Trend } from "./overview-trend.tsx";

/** Up to here each website has its own small line, which takes a row for each day and website. */
const most = { sparkWebsites: 20, sparkDays: 92 };

/** What happened: five figures over days, and where from. */
export function Overview() {
  const { query } = useAddress();
  const { websites, isLookingAs } = useSignedIn();
  const { publisherId } = usePublisher();
  const range = useRange();
  const traffic = query.traffic === "test" ? "test" : "live";
  const websiteKey = query.websiteKey;
  const isCompared = query.compare !== "off";
  const names = useWebsiteNames();
  const hasSparks = names.size <= most.sparkWebsites && lengthOf(range) <= most.sparkDays;

  const asked = { publisher: publisherId, traffic, websiteKey };
  const useReport = (days: Days, groupBy: readonly ReportDimension[], isWanted = true) =>
    useAnswer<Report>(
      isWanted ? "report" : null,
      { ...asked, from: days.from, to: days.to, groupBy },
      { everySeconds: 60 },
    );
  const byDay = useReport(range, ["date"]);
  const before = useReport(periodBefore(range), ["date"], isCompared);
  const byWebsite = useReport(
    range,
    hasSparks ? ["date", "websiteKey"] : ["websiteKey"],
    !websites.isLoading || names.size > 0,
  );
  const byCountry = useReport(range, ["country"]);
  const byVertical = useReport(range, ["vertical"]);
  const attention = useAnswer<{ items: Attention[] }>(
    `publishers/${publisherId}/attention`,
    {},
    { everySeconds: 60 },
  );

  const money = moneyOf(byDay.value?.totalsByCurrency ?? [], query.currency, isLookingAs);
  const isNothing = byDay.value !== undefined && !byDay.isLoading && isEmpty(byDay.value.totals);
  const website = websiteKey && (names.get(websiteKey) ?? websiteKey);
  const says = `${traffic === "test" ? "Test" : "Live"} traffic of ${website || "all websites"}, in days of UTC.`;

  return (
    <>
      <PageHeader title="Overview" says={says} actions={<Choices />} />
      {byDay.error && <Failure error={byDay.error} again={byDay.again} />}
      {isNothing ? (
        <Nothing websites={websites.value?.items} isWhole={!websiteKey && traffic === "live"} />
      ) : (
        !(byDay.error && !byDay.value) && (
          <Trend
            answer={byDay}
            before={isCompared && !before.isLoading ? before.value : undefined}
            money={money}
            asked={asked}
          />
        )
      )}
      <div class="columns uneven">
        {!websiteKey && <WebsitesCard answer={byWebsite} money={money} hasSparks={hasSparks} />}
        <AttentionCard answer={attention} websiteKey={websiteKey} />
      </div>
      {!isNothing && (
        <div class="columns">
          <Places answer={byCountry} />
          <Verticals answer={byVertical} />
          <NotCounted answer={websiteKey ? byCountry : byWebsite} isByWebsite={!websiteKey} />
        </div>
      )}
    </>
  );
}

function Choices() {
  const { query, having, go } = useAddress();
  const { websites } = useSignedIn();
  const range = useRange();
  const choices = websiteChoices(websites.value, query.websiteKey);
  const isTest = query.traffic === "test";
  const isCompared = query.compare !== "off";
  return (
    <>
      {(choices.length > 2 || query.websiteKey) && (
        <SmallSelect
          label="Website"
          value={query.websiteKey ?? ""}
          choices={choices}
          onValue={(websiteKey) => go(having({ websiteKey }))}
        />
      )}
      <RangePicker range={range} />
      <Switch
        label="Compare with"
        tabs={[
          { key: "on", says: "Period before", link: having({ compare: null }), isChosen: isCompared },
          { key: "off", says: "Off", link: having({ compare: "off" }), isChosen: !isCompared },
        ]}
      />
      <Switch
        label="Traffic"
        tabs={[
          { key: "live", says: "Live", link: having({ traffic: null }), isChosen: !isTest },
          { key: "test", says: "Test", link: having({ traffic: "test" }), isChosen: isTest },
        ]}
      />
    </>
  );
}

/** `isWhole`: nothing narrows the traffic but the days. */
function Nothing({ websites, isWhole }: { websites: readonly WebsiteRow[] | undefined; isWhole: boolean }) {
  const { having } = useAddress();
  if (isWhole && !websites?.some(({ health }) => health === "live"))
    return <NothingYet websites={websites} />;
  return (
    <EmptyState
      icon="calendar"
      title="No traffic in these days"
      action={
        <a
          class="button main"
          href={having(isWhole ? { range: "90d" } : { websiteKey: null, traffic: null })}
        >
          {isWhole ? "Show the last 90 days" : "Show the live traffic of all websites"}
        </a>
      }
    >
      {isWhole
        ? "A website's tag is live, and earlier days may have more to tell."
        : "Others may have more to tell."}
    </EmptyState>
  );
}

/** What is to be done before the first visitor can show; undefined: it is not known yet which websites there are. */
function NothingYet({ websites }: { websites: readonly WebsiteRow[] | undefined }) {
  const { to } = useAddress();
  const mayEdit = useMay("editor");
  const website = websites?.find(({ health }) => health === "waiting") ?? websites?.[0];
  const step = !website
    ? { does: "Set up a website", says: "Register a website and paste its tag", link: to("/start") }
    : website.health === "waiting"
      ? {
          does: `Paste the tag of ${website.name}`,
          says: "Paste it into your pages",
          link: to("/start", { website: website.websiteKey }),
        }
      : {
          does: `Look at ${website.name}`,
          says: "Mend what keeps its tag from working",
          link: to(`/websites/${website.websiteKey}`),
        };
  const mayGo = mayEdit && websites !== undefined;
  return (
    <EmptyState
      icon="pulse"
      title="No traffic yet"
      action={
        mayGo && (
          <a class="button main" href={step.link}>
            {step.does}
          </a>
        )
      }
    >
      {mayGo ? step.says : "Once a page carries a website's tag"}: the first visitor shows here within a
      minute.
    </EmptyState>
  );
}
