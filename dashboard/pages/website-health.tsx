import type { HealthAnswer } from "@offers/contract/dash/tag-health";
import type { DashWebsite } from "@offers/contract/dash/websites";
import { useAddress } from "../address.ts";
import { formatAgo, formatCount } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { Causes } from "../parts/causes.tsx";
import { CheckAnyPage } from "../parts/check-any-page.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { OverlayPreview } from "../parts/overlay-preview.tsx";
import { Badge } from "../parts/state.tsx";
import { TagWriter } from "../parts/tag-writer.tsx";
import { WebsiteFrame } from "../parts/website-frame.tsx";
import { useMay } from "../signed-in.ts";
import { useHealth } from "../use-health.ts";

/** How a website's tag fares, and what is to be mended. */
export function WebsiteHealth() {
  return <WebsiteFrame tab="">{(website, path) => <Health website={website} path={path} />}</WebsiteFrame>;
}

function Health({ website, path }: { website: DashWebsite; path: string }) {
  const mayEdit = useMay("editor");
  const { value: health, error, again } = useHealth(path);
  const failure = error && <Failure error={error} again={again} />;
  if (!health) return failure ?? <Skeleton height={320} lines={6} />;
  const about = { path, websiteKey: website.websiteKey, publicKey: website.publicKey };
  const { causes } = health;
  return (
    <>
      {failure}
      <Card>
        <div class="live">
          <State health={health} />
          {mayEdit && <CheckAnyPage path={path} onHealth={again} />}
        </div>
        <Hours hours={health.hours} />
      </Card>
      <div class="sides">
        <div>
          <Card
            title="Checks"
            says={causes.length === 0 ? "nothing to mend" : `${causes.length} to look at`}
            isFlush={causes.length > 0}
          >
            {causes.length > 0 ? (
              <Causes causes={causes} about={about} onHealth={again} />
            ) : (
              <p class="quiet">
                Addresses, keys, script, offers and a way to reach you are as they should be.
              </p>
            )}
          </Card>
          <Card title="Your tag">
            <TagWriter publicKey={website.publicKey} websiteKey={website.websiteKey} />
          </Card>
        </div>
        <div>
          <Origins health={health} />
          <Card title="What a visitor sees">
            <OverlayPreview path={path} website={website} />
          </Card>
        </div>
      </div>
    </>
  );
}

function State({ health: { state, lastPage, at } }: { health: HealthAnswer }) {
  const words = {
    live: ["good", "check", "The tag is live"],
    waiting: ["warn", "clock", "Waiting for a first page"],
    broken: ["bad", "warning", "The tag does not work"],
  } as const;
  const [tone, icon, says] = words[state];
  return (
    <>
      <span class={`round ${tone}`}>
        <Icon name={icon} />
      </span>
      <div>
        {/* The age below changes with each answer, and is not to be heard each time. */}
        <div role="status">
          <h2>{says}</h2>
        </div>
        <p class="quiet">
          {lastPage ? (
            <>
              Last page {formatAgo(lastPage.at, at)}: <code>{lastPage.page}</code>
            </>
          ) : (
            "No page has loaded it yet."
          )}
        </p>
      </div>
    </>
  );
}

function Hours({ hours }: { hours: readonly number[] }) {
  const greatest = Math.max(0, ...hours);
  const most = Math.max(1, greatest);
  const all = hours.reduce((sum, one) => sum + one, 0);
  const says = `The tag was loaded ${formatCount(all)} ${all === 1 ? "time" : "times"} in ${hours.length} hours`;
  return (
    <div class="by-hour">
      <p class="ends">
        <span>{says}</span>
        {greatest > 0 && <span>at most {formatCount(greatest)} in an hour</span>}
      </p>
      <svg
        class="hours"
        viewBox={`0 0 ${hours.length * 10} 48`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {hours.map((loads, at) => {
          const height = loads === 0 ? 2 : 4 + (loads / most) * 44;
          return (
            <rect
              key={at}
              class={loads === 0 ? "none" : undefined}
              x={at * 10}
              y={48 - height}
              width={8}
              height={height}
            />
          );
        })}
      </svg>
      <p class="ends">
        <span>{hours.length} hours ago</span>
        <span>now</span>
      </p>
    </div>
  );
}

function Origins({ health }: { health: HealthAnswer }) {
  const { to } = useAddress();
  const rows = [
    ...health.origins.map(({ origin, lastPage }) => ({ origin, at: lastPage?.at ?? null, isRefused: false })),
    ...health.refused.map(({ origin, at }) => ({ origin, at, isRefused: true })),
  ];
  return (
    <Card
      title="Registered addresses"
      isFlush
      action={
        <a class="button" href={to(`/websites/${health.websiteKey}/settings`)}>
          <Icon name="plus" />
          Add
        </a>
      }
    >
      <DataTable
        caption="Addresses"
        rows={rows}
        rowKey={({ origin, isRefused }) => `${origin} ${isRefused}`}
        columns={[
          {
            key: "origin",
            title: "Address",
            cell: ({ origin, isRefused }) => (
              <>
                <code>{origin}</code> {isRefused && <Badge tone="bad">refused</Badge>}
              </>
            ),
          },
          {
            key: "at",
            title: "Last page",
            isFigure: true,
            cell: ({ at }) => (at === null ? "never" : formatAgo(at, health.at)),
          },
        ]}
      />
    </Card>
  );
}
