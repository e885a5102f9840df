import type { DashWebsite } from "@offers/contract/dash/websites";
import type { ComponentChildren } from "preact";
import { useAddress } from "../address.ts";
import type { Answer } from "../use-answer.ts";
import { useWebsite } from "../use-website.ts";
import { Failure } from "./failure.tsx";
import { Icon } from "./icon.tsx";
import { Skeleton } from "./loading.tsx";
import { NoSuchPage } from "./no-such-page.tsx";
import { PageHeader } from "./page-header.tsx";
import { Badge } from "./state.tsx";
import { Tabs } from "./tabs.tsx";

const tabs = [
  ["", "Health"],
  ["/tag", "Tag"],
  ["/places", "Places"],
  ["/allowlist", "Offers allowed"],
  ["/look", "Look and words"],
  ["/secrets", "Secrets"],
  ["/settings", "Settings"],
] as const;

type WebsiteTab = (typeof tabs)[number][0];

/** Head and tabs of a website's pages, around what one of them shows of it. */
export function WebsiteFrame({
  tab,
  children,
}: {
  tab: WebsiteTab;
  children: (website: DashWebsite, path: string, answer: Answer<DashWebsite>) => ComponentChildren;
}) {
  const { key, path, website } = useWebsite();
  const { to } = useAddress();
  const { value, error, again } = website;
  if (error?.status === 404) return <NoSuchPage />;
  const own = `/websites/${key}`;
  return (
    <>
      <PageHeader
        title={value?.name ?? "Website"}
        part={tabs.find(([end]) => end === tab)?.[1]}
        says={
          <>
            <code>{key}</code>
            {value && ` · ${value.vertical}`} {value?.paused && <Badge tone="warn">Paused</Badge>}{" "}
            {value?.development && <Badge icon="flask">Development</Badge>}
          </>
        }
        above={{ title: "Websites", link: to("/websites") }}
        actions={
          <>
            <a class="button" href={to(`/websites/${key}/simulate`)}>
              <Icon name="search" />
              Simulate a visitor
            </a>
            <a class="button" href={to("/reports", { websiteKey: key })}>
              <Icon name="bars" />
              Report
            </a>
          </>
        }
      />
      <Tabs
        label="Pages of this website"
        tabs={tabs.map(([end, says]) => ({
          key: end,
          says,
          link: to(own + end),
          isChosen: end === tab,
        }))}
      />
      {error && <Failure error={error} again={again} />}
      {value ? children(value, path, website) : !error && <Skeleton height={320} lines={6} />}
    </>
  );
}
