import type { DashWebsite } from "@offers/contract/dash/websites";
import { mostRadius } from "@offers/contract/look";
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
import { Chips } from "../parts/chips.tsx";
import { CheckField, errorOf, SelectField, TextField } from "../parts/field.tsx";
import { OverlayPreview } from "../parts/overlay-preview.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { WebsiteFrame } from "../parts/website-frame.tsx";
import { useMay } from "../signed-in.ts";
import { triggerWords } from "../trigger-words.ts";
import { useDraft } from "../use-draft.ts";

type Settings = DashWebsite["settings"];

/** What this page calls each of them. */
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
  radius: "Corners in pixels",
  font: "Font",
  logo: "Logo",
  trigger: "Opens",
  frequency: "How often",
  placement: "Where",
  pages: "On which pages",
  "pages.include": "Only on these pages",
  "pages.exclude": "Never on these pages",
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
function wordsOf(name: string, version: Draft): string | undefined {
  const chosen = String(Object(version)[name]);
  if (name === "pages") return pagesText(version.pages);
  if (name === "language") return languageChoices(chosen).find(({ value }) => value === chosen)?.says;
  return Object(choiceWords)[name]?.[chosen];
}

const pagesText = ({ include, exclude }: Settings["pages"]): string => {
  const shown = include.length > 0 ? `Only on ${include.join(", ")}` : "On every page";
  return exclude.length > 0 ? `${shown}, never on ${exclude.join(", ")}` : shown;
};

/** The settings as they are typed: corners that are no number are not to become "the widget's own". */
type Draft = Omit<Settings, "radius"> & { radius: string };

const draftOf = ({ settings }: DashWebsite): Draft => ({
  ...settings,
  radius: settings.radius === null ? "" : String(settings.radius),
});

/** What is no number is sent as it is: the service says what it has to be. */
const settingsOf = ({ radius, ...rest }: Draft): object => {
  const typed = Number(radius);
  return { ...rest, radius: radius.trim() === "" ? null : Number.isFinite(typed) ? typed : radius };
};

/** What each card is drawn from, and what it changes. */
type Part = {
  value: Draft;
  set: (changed: Partial<Draft>) => void;
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
  const draft = useDraft(website, draftOf, async (before, after, version) => {
    const settings = patchOf(settingsOf(before), settingsOf(after));
    const saved = await change<DashWebsite>("patch", path, { settings }, version);
    again();
    return saved.version;
  });
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
        <TextField
          label={names.radius}
          inputMode="numeric"
          hint={`0 to ${mostRadius}. Empty: 18.`}
          value={value.radius}
          onValue={(radius) => set({ radius })}
          error={wrong("radius")}
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

/** When it opens, where, and on which pages. */
function Opening({ value, set, wrong }: Part) {
  const pages = (list: "include" | "exclude", hint: string) => (
    <Chips
      label={names[`pages.${list}`]}
      hint={hint}
      chips={value.pages[list]}
      onChips={(chips) => set({ pages: { ...value.pages, [list]: chips } })}
      mayHoldComma
      // A list that is pasted has commas at the ends of its paths, and a path such as /news,123 one within.
      read={(text) => ({ chips: text.split(/,*(?:\s+|$)/).filter(Boolean) })}
      error={wrong(`pages.${list}`)}
    />
  );
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
      {pages(
        "include",
        "Paths such as /about or /news/*, where * is any run of characters; Enter adds one. Empty: every page.",
      )}
      {pages("exclude", "Enter adds one. What stands in both lists has no overlay.")}
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
