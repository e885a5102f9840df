import type { HealthAnswer } from "@offers/contract/dash/tag-health";
import { useState } from "preact/hooks";
import { change } from "../api.ts";
import { CheckPage } from "./causes.tsx";
import { useChanging } from "./changing.tsx";
import { errorOf, TextField } from "./field.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { Notice } from "./notice.tsx";

type Parts = { path: string; onHealth: (health: HealthAnswer) => void };

/** Has the service look at the website's page: the last that loaded the tag or the first of an address, or one that is named. */
export function CheckAnyPage({ path, onHealth }: Parts) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div class="row">
      <CheckPage path={path} onHealth={onHealth} />
      <button type="button" class="button" onClick={() => setAsking(true)}>
        Check another page
      </button>
      {isAsking && (
        <WhichPage
          path={path}
          onHealth={(health) => {
            setAsking(false);
            onHealth(health);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function WhichPage({ path, onHealth, onClose }: Parts & { onClose: () => void }) {
  const [url, setUrl] = useState("");
  const { run, isBusy, error } = useChanging();
  const wrong = errorOf(error, "url");
  const check = () =>
    run(async () => {
      const asked = { url: url.trim() };
      const ways = { savesNothing: true };
      onHealth(await change<HealthAnswer>("post", `${path}/health/check-page`, asked, undefined, ways));
    });
  return (
    <FormDialog
      title="Which page?"
      does="Check it"
      isHeld={isBusy || url.trim() === ""}
      onSend={() => void check()}
      onClose={onClose}
    >
      <TextField
        label="Address of the page"
        hint="One of a registered address of this website."
        placeholder="https://www.example.com/news/today"
        autocomplete="off"
        spellcheck={false}
        value={url}
        onValue={setUrl}
        error={wrong}
      />
      {error && !wrong && <Notice tone="bad">{error.message}</Notice>}
    </FormDialog>
  );
}
