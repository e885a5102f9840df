import type { DashWebsite } from "@offers/contract/dash/websites";
import {
  fonts,
  frequencies,
  overlayPlacements,
  themes,
  triggers,
  widgetLanguages,
} from "@offers/contract/words";
import { change } from "../api.ts";
import { patchOf } from "../merge-patch.ts";
import { Card } from "../parts/card.tsx";
import { CheckField, errorOf, SelectField, TextField } from "../parts/field.tsx";
import { OverlayPreview } from "../parts/overlay-preview.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { WebsiteFrame } from "../parts/website-frame.tsx";
import { useMay } from "../signed-in.ts";
import { triggerWords } from "../trigger-words.ts";
import { useDraft } from "../use-draft.ts";

type Settings = DashWebsite["settings"];

/** What this page calls each of them; the corners and the pages are chosen in the tag. */
const names = {
  title: "Title",
  message: "Message",
  language: "Language",
  supportContact: "A way to reach you",
  "supportContact.email": "E-mail",
  "supportContact.url": "Page",
  "supportContact.label": "What the link is called",
  fallbackUrl: "Address where an offer is no more",
  fallbackLabel: "What that link is called",
  theme: "Colours",
  accent: "Accent",
  radius: "Corners",
  font: "Font",
  logo: "Logo",
  trigger: "Opens",
  frequency: "How often",
  placement: "Where",
  pages: "On which pages",
  dismissible: "The visitor can close it",
};

const choiceWords = {
  theme: { auto: "As the visitor's system", light: "Light", dark: "Dark" },
  font: { own: "The system's", inherit: "The page's" },
  trigger: triggerWords,
  frequency: { page: "On every page", closed: "Until it is closed, that day", day: "Once a day" },
  placement: { center: "Over the page", bottom: "A bar at the bottom" },
} satisfies { [Name in keyof Settings]?: Record<Settings[Name] & string, string> };

/** How what was chosen is called; undefined: it is text of its own. */
function wordsOf(name: string, version: Settings): string | undefined {
  const chosen = String(Object(version)[name]);
  if (name === "language") return languageChoices(chosen).find(({ value }) => value === chosen)?.says;
  return Object(choiceWords)[name]?.[chosen];
}

/** What each card is drawn from, and what it changes. */
type Part = {
  value: Settings;
  set: (changed: Partial<Settings>) => void;
  /** What is wrong with the member of that name. */
  wrong: (name: string) => ReturnType<typeof errorOf>;
};

/** How the overlay looks and what it says. */
export function WebsiteLook() {
  return (
    <WebsiteFrame tab="/look">
      {(website, path, { again }) => <Look website={website} path={path} again={again} />}
    </WebsiteFrame>
  );
}

function Look({ website, path, again }: { website: DashWebsite; path: string; again: () => void }) {
  const mayEdit = useMay("editor");
  const draft = useDraft(
    website,
    ({ settings }) => settings,
    async (before, after, version) => {
      const saved = await change<DashWebsite>("patch", path, { settings: patchOf(before, after) }, version);
      again();
      return saved.version;
    },
  );
  const part: Part = {
    value: draft.value,
    set: (changed) => draft.set(changed),
    wrong: (name) => errorOf(draft.error, `settings.${name}`),
  };
  return (
    <>
      <div class="sides">
        <div>
          <fieldset disabled={!mayEdit} class="steps">
            <legend class="heard">Look and words</legend>
            <Words {...part} />
            <WayToReach {...part} />
            <Appearance {...part} />
            <Opening {...part} />
          </fieldset>
        </div>
        <div>
          <Card title="As it is saved">
            <OverlayPreview path={path} website={website} drawn={website.version} isWide />
          </Card>
        </div>
      </div>
      <SaveBar draft={draft} names={names} words={wordsOf} again={again} />
    </>
  );
}

/** What the overlay says. */
function Words({ value, set, wrong }: Part) {
  return (
    <Card title="Words">
      <TextField
        label={names.title}
        hint="Empty: the overlay's own words, in its reader's language."
        value={value.title}
        onValue={(title) => set({ title })}
        maxLength={120}
        error={wrong("title")}
      />
      <TextField
        label={names.message}
        value={value.message}
        onValue={(message) => set({ message })}
        lines={3}
        maxLength={600}
        error={wrong("message")}
      />
      <SelectField
        label={names.language}
        value={value.language}
        choices={languageChoices(value.language)}
        onValue={(language) => set({ language })}
      />
    </Card>
  );
}

/** How a visitor reaches the publisher: from the overlay, and where an offer is no more. */
function WayToReach({ value, set, wrong }: Part) {
  const contact = value.supportContact ?? {};
  const setContact = (name: "email" | "url" | "label", text: string) => {
    const { [name]: _, ...rest } = contact;
    const changed = text === "" ? rest : { ...contact, [name]: text };
    set({ supportContact: Object.keys(changed).length === 0 ? null : changed });
  };
  return (
    <Card title={names.supportContact}>
      <TextField
        label={names["supportContact.email"]}
        type="email"
        autocomplete="off"
        value={contact.email ?? ""}
        onValue={(text) => setContact("email", text)}
        error={wrong("supportContact.email")}
      />
      <TextField
        label={names["supportContact.url"]}
        type="url"
        autocomplete="off"
        value={contact.url ?? ""}
        onValue={(text) => setContact("url", text)}
        error={wrong("supportContact.url")}
      />
      <TextField
        label={names["supportContact.label"]}
        value={contact.label ?? ""}
        onValue={(text) => setContact("label", text)}
        maxLength={80}
        error={wrong("supportContact.label")}
      />
      <TextField
        label={names.fallbackUrl}
        type="url"
        hint="Where a click on a paused offer leads. Empty: a small page of the service."
        value={value.fallbackUrl ?? ""}
        onValue={(text) => set({ fallbackUrl: text === "" ? null : text })}
        error={wrong("fallbackUrl")}
      />
      <TextField
        label={names.fallbackLabel}
        value={value.fallbackLabel}
        onValue={(fallbackLabel) => set({ fallbackLabel })}
        maxLength={60}
        error={wrong("fallbackLabel")}
      />
    </Card>
  );
}

/** Its colours, font and logo. */
function Appearance({ value, set, wrong }: Part) {
  return (
    <Card title="Look">
      <div class="fields">
        <SelectField
          label={names.theme}
          value={value.theme}
          choices={named(themes, choiceWords.theme)}
          onValue={(theme) => set({ theme })}
        />
        <TextField
          label={names.accent}
          placeholder="#0a6b4f"
          value={value.accent ?? ""}
          onValue={(text) => set({ accent: text === "" ? null : text })}
          error={wrong("accent")}
        />
        <SelectField
          label={names.font}
          value={value.font}
          choices={named(fonts, choiceWords.font)}
          onValue={(font) => set({ font })}
        />
        <TextField
          label={names.logo}
          type="url"
          placeholder="https://"
          value={value.logo ?? ""}
          onValue={(text) => set({ logo: text === "" ? null : text })}
          error={wrong("logo")}
        />
      </div>
    </Card>
  );
}

/** When it opens, and where. */
function Opening({ value, set }: Part) {
  return (
    <Card title="When it opens">
      <div class="fields">
        <SelectField
          label={names.trigger}
          value={value.trigger}
          choices={named(triggers, choiceWords.trigger)}
          onValue={(trigger) => set({ trigger })}
        />
        <SelectField
          label={names.frequency}
          value={value.frequency}
          choices={named(frequencies, choiceWords.frequency)}
          onValue={(frequency) => set({ frequency })}
        />
        <SelectField
          label={names.placement}
          value={value.placement}
          choices={named(overlayPlacements, choiceWords.placement)}
          onValue={(placement) => set({ placement })}
        />
      </div>
      <CheckField
        label={names.dismissible}
        hint="Else nothing behind it scrolls, and the ways out are the page before and your support."
        checked={value.dismissible}
        onValue={(dismissible) => set({ dismissible })}
      />
    </Card>
  );
}

const named = <Value extends string>(
  values: readonly Value[],
  words: Record<Value, string>,
): { value: Value; says: string }[] => values.map((value) => ({ value, says: words[value] }));

const languageChoices = (chosen: string): { value: string; says: string }[] => {
  const names = new Intl.DisplayNames(["en"], { type: "language" });
  const readers = { value: "", says: "Its reader's" };
  const tags: string[] = [...widgetLanguages];
  if (chosen !== "" && !tags.includes(chosen)) tags.push(chosen);
  return [readers, ...tags.map((tag) => ({ value: tag, says: names.of(tag) ?? tag }))];
};
