import type { HealthAnswer } from "@offers/contract/dash/tag-health";
import type { DashWebsite } from "@offers/contract/dash/websites";
import { useEffect } from "preact/hooks";
import { formatAgo, formatPlace, unknownPlace } from "../format.ts";
import { useMay } from "../signed-in.ts";
import { useHealth } from "../use-health.ts";
import { Causes } from "./causes.tsx";
import { CheckAnyPage } from "./check-any-page.tsx";
import { Failure } from "./failure.tsx";
import { Icon } from "./icon.tsx";
import { Spinner } from "./loading.tsx";

/** Waits for a page that loads the tag, says what keeps it away, and turns green by itself. */
export function WaitForPage({
  website,
  path,
  onHealth,
}: {
  website: DashWebsite;
  path: string;
  onHealth: (health: HealthAnswer | undefined) => void;
}) {
  const mayEdit = useMay("editor");
  const { value: health, error, again } = useHealth(path);
  useEffect(() => onHealth(health), [health]);
  const failure = error && <Failure error={error} again={again} />;
  if (!health) return failure ?? <Spinner says="Looking" />;
  const about = { path, websiteKey: website.websiteKey, publicKey: website.publicKey };
  if (health.state === "live") return <Live health={health} />;
  const causes = health.causes.filter(({ isFatal, code }) => isFatal || code === "wrong_website");
  return (
    <>
      {failure}
      {causes.length > 0 ? (
        <div role="alert">
          <Causes causes={causes} about={about} onHealth={again} />
        </div>
      ) : (
        <Spinner says="Waiting for your first page" />
      )}
      <div class="row">
        <span class="quiet">
          Nothing happens? Is the page published, and not held back by a consent banner or a policy?
        </span>
        {mayEdit && <CheckAnyPage path={path} onHealth={again} />}
      </div>
    </>
  );
}

function Live({ health: { lastPage, at, you } }: { health: HealthAnswer }) {
  const place = formatPlace(you.country, you.region === "" ? null : `${you.country}-${you.region}`);
  return (
    <div class="live">
      <span class="round good">
        <Icon name="check" />
      </span>
      <div>
        <div role="status">
          <h2>The tag is live</h2>
        </div>
        {lastPage && (
          <p class="quiet">
            <code>{lastPage.page}</code> on {lastPage.host}, {formatAgo(lastPage.at, at)}, script{" "}
            {lastPage.scriptVersion || "of unknown version"}.
          </p>
        )}
        <p class="quiet">The service sees you in {place === unknownPlace ? "an unknown place" : place}.</p>
      </div>
    </div>
  );
}
