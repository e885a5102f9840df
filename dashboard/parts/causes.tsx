import type { HealthAnswer, HealthCause } from "@offers/contract/dash/tag-health";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change, Refused } from "../api.ts";
import { useMay, useSignedIn } from "../signed-in.ts";
import { tagText } from "../tag-text.ts";
import { CopyButton } from "./copy-button.tsx";
import { StateMark } from "./state.tsx";

type About = { path: string; websiteKey: string; publicKey: string };

/** What is the matter with a tag, what to mend first above, each with its button. */
export function Causes({
  causes,
  about,
  onHealth,
}: {
  causes: readonly HealthCause[];
  about: About;
  onHealth: (health: HealthAnswer) => void;
}) {
  return (
    <ul class="causes">
      {causes.map((cause) => (
        <li key={cause.code}>
          <StateMark
            tone={cause.isFatal ? "bad" : "warn"}
            says={cause.isFatal ? "To be mended" : "Worth a look"}
          />
          <div>
            <strong>{cause.says}</strong>
            <p class="quiet">{cause.fix}</p>
          </div>
          <Mend cause={cause} about={about} onHealth={onHealth} />
        </li>
      ))}
    </ul>
  );
}

function Mend({
  cause: { button },
  about,
  onHealth,
}: {
  cause: HealthCause;
  about: About;
  onHealth: (health: HealthAnswer) => void;
}) {
  const { to } = useAddress();
  const { me } = useSignedIn();
  const mayEdit = useMay("editor");
  if (button === null) return null;
  switch (button.kind) {
    case "register_origin":
      return mayEdit ? (
        <Doing
          says="Register it"
          does={() =>
            change<HealthAnswer>("post", `${about.path}/health/register-origin`, { origin: button.origin })
          }
          onHealth={onHealth}
          isMain
        />
      ) : null;
    case "check_page":
      return mayEdit ? <CheckPage path={about.path} onHealth={onHealth} /> : null;
    case "copy_tag":
      return (
        <CopyButton says="Copy the tag" text={tagText({ baseUrl: me.service.baseUrl, ...about })} isMain />
      );
    case "copy_line":
      return <CopyButton says="Copy the line" text={button.line} isMain />;
    case "open":
      return (
        <a class="button" href={to(`/websites/${about.websiteKey}/${button.page}`)}>
          {pageWords[button.page]}
        </a>
      );
    default:
      return button satisfies never;
  }
}

const pageWords = {
  allowlist: "Choose offers",
  places: "Choose places",
  settings: "Open settings",
  look: "Open look and words",
} as const;

/** Has the service look at the website's page. */
export function CheckPage({ path, onHealth }: { path: string; onHealth: (health: HealthAnswer) => void }) {
  return (
    <Doing
      says="Check my page"
      does={() =>
        change<HealthAnswer>("post", `${path}/health/check-page`, {}, undefined, { savesNothing: true })
      }
      onHealth={onHealth}
    />
  );
}

function Doing({
  says,
  does,
  onHealth,
  isMain = false,
}: {
  says: string;
  does: () => Promise<HealthAnswer>;
  onHealth: (health: HealthAnswer) => void;
  isMain?: boolean;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const run = async () => {
    setBusy(true);
    setError("");
    try {
      onHealth(await does());
    } catch (thrown) {
      setError(thrown instanceof Refused ? thrown.message : String(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      <button
        type="button"
        class={isMain ? "button main" : "button"}
        disabled={isBusy}
        onClick={() => void run()}
      >
        {says}
      </button>
      {error && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
