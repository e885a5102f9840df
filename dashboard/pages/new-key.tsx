import type { DashKey, MadeKey } from "@offers/contract/dash/keys";
import { longestNames, scopes } from "@offers/contract/words";
import { useState } from "preact/hooks";
import { change, Refused } from "../api.ts";
import { CheckField, Choices, errorOf, SelectField, TextField } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Notice } from "../parts/notice.tsx";
import { scopeWords } from "../reason-words.ts";
import { useSignedIn } from "../signed-in.ts";

const lives = [
  { value: "", says: "When it is revoked" },
  { value: "30", says: "After 30 days" },
  { value: "90", says: "After 90 days" },
  { value: "365", says: "After a year" },
] as const;

type Parts = {
  path: string;
  onMade: (key: MadeKey, scopes: DashKey["scopes"]) => void;
  onClose: () => void;
};

/** Asks what a key is for, and makes it. */
export function NewKeyDialog({ path, onMade, onClose }: Parts) {
  const { websites } = useSignedIn();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<DashKey["scopes"]>(scopes);
  const [website, setWebsite] = useState("");
  const [days, setDays] = useState<(typeof lives)[number]["value"]>("");
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isBusy, setBusy] = useState(false);
  const make = async () => {
    if (isBusy) return;
    setBusy(true);
    // What is refused once more is heard once more.
    setRefused(null);
    try {
      const body = { name, scopes: chosen, websiteKey: website || null, days: days ? Number(days) : null };
      onMade(await change<MadeKey>("post", path, body), chosen);
    } catch (thrown) {
      if (thrown instanceof Refused) setRefused(thrown);
    } finally {
      setBusy(false);
    }
  };
  const choices = websites.value?.items.map(({ websiteKey, name: says }) => ({ value: websiteKey, says }));
  return (
    <FormDialog
      title="Create a key"
      does="Create the key"
      isHeld={isBusy}
      onSend={() => void make()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="What will use it, such as the nightly report."
        value={name}
        onValue={setName}
        maxLength={longestNames.key}
        autocomplete="off"
        error={errorOf(refused, "name")}
      />
      <Choices legend="It may" error={errorOf(refused, "scopes") && "Choose at least one."}>
        {scopes.map((scope) => (
          <CheckField
            key={scope}
            label={scopeWords[scope].says}
            hint={<code>{scope}</code>}
            checked={chosen.includes(scope)}
            onValue={(isOn) =>
              setChosen(scopes.filter((one) => (one === scope ? isOn : chosen.includes(one))))
            }
          />
        ))}
      </Choices>
      <SelectField
        label="Website"
        value={website}
        choices={[{ value: "", says: "All websites" }, ...(choices ?? [])]}
        onValue={setWebsite}
        error={errorOf(refused, "websiteKey")}
      />
      <SelectField label="It ends" value={days} choices={lives} onValue={setDays} />
      {refused && refused.errors.length === 0 && <Notice tone="bad">{refused.message}</Notice>}
    </FormDialog>
  );
}
