import { spelledTag } from "@offers/contract/language-tag";
import { type OfferText, offerTexts } from "@offers/contract/words";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Refused } from "../api.ts";
import type { FieldNames } from "../field-names.ts";
import {
  languageName,
  readTranslations,
  translationsJson,
  withoutLanguage,
  withText,
} from "../translations.ts";
import { errorOf, TextField } from "./field.tsx";

/** How many lines a text may need. */
const linesOf: Partial<Record<OfferText, number>> = { description: 2, terms: 2 };

/**
 * An offer's texts in other languages, language by language. The JSON that is saved can be written as well, and is all that is
 * shown of what has no field.
 */
export function TranslationsField({
  names,
  json,
  onJson,
  error,
  refused,
}: {
  /** What the offer's own texts are called, and this field. */
  names: FieldNames & Record<OfferText | "locales", string>;
  json: string;
  onJson: (json: string) => void;
  /** What is wrong with any of it. */
  error: string | undefined;
  refused: Refused | undefined;
}) {
  const [isJson, setJson] = useState(false);
  const [added, setAdded] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (added !== null) list.current?.querySelector<HTMLElement>("[data-added] input")?.focus();
  }, [added]);
  const all = readTranslations(json);
  const isShownAsJson = isJson || all === null;
  const errorAt = (tag: string, name: OfferText) => errorOf(refused, `locales.${tag}.${name}`);
  const isToldBelow =
    all !== null && Object.keys(all).some((tag) => offerTexts.some((name) => errorAt(tag, name)));
  return (
    <fieldset class="translations">
      <legend>{names.locales}</legend>
      {isShownAsJson ? (
        <TextField
          label="By language, as JSON"
          lines={5}
          value={json}
          onValue={onJson}
          error={error}
          hint='Such as {"de": {"title": "Windstrom zum festen Preis"}}'
        />
      ) : (
        <>
          <AddLanguage
            known={Object.keys(all)}
            onAdd={(tag) => {
              onJson(translationsJson({ ...all, [tag]: all[tag] ?? {} }));
              setAdded(tag);
            }}
          />
          {error && !isToldBelow && (
            <p class="wrong" role="alert">
              {error}
            </p>
          )}
          <div class="list-of-languages" ref={list}>
            {Object.entries(all).map(([tag, texts]) => {
              const isWrong = offerTexts.some((name) => errorAt(tag, name));
              return (
                <details
                  key={tag}
                  open={isWrong || tag === added || undefined}
                  data-added={tag === added || undefined}
                >
                  <summary>
                    <strong>{languageName(tag)}</strong> <bdi lang={tag}>{texts.title}</bdi>
                  </summary>
                  <div class="inside">
                    {offerTexts.map((name) => (
                      <TextField
                        key={name}
                        label={names[name]}
                        {...(linesOf[name] !== undefined && { lines: linesOf[name] })}
                        lang={tag}
                        dir="auto"
                        value={texts[name] ?? ""}
                        onValue={(text) => onJson(translationsJson(withText(all, tag, name, text)))}
                        error={errorAt(tag, name)}
                      />
                    ))}
                    <div>
                      <button
                        type="button"
                        class="button"
                        onClick={() => {
                          onJson(translationsJson(withoutLanguage(all, tag)));
                          setAdded(null);
                        }}
                      >
                        Remove<span class="heard"> {languageName(tag)}</span>
                      </button>
                    </div>
                  </div>
                </details>
              );
            })}
          </div>
          <p class="quiet">
            A text that is left empty is that of a wider language, as de is of de-AT, or else the one above.
          </p>
        </>
      )}
      <button
        type="button"
        class="button"
        aria-pressed={isShownAsJson}
        disabled={all === null}
        onClick={() => setJson(!isJson)}
      >
        As JSON
      </button>
    </fieldset>
  );
}

function AddLanguage({ known, onAdd }: { known: readonly string[]; onAdd: (tag: string) => void }) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string | undefined>();
  const add = () => {
    if (typed.trim() === "") return;
    const tag = spelledTag(typed.trim());
    if (tag === null) return setWrong("This must be a language tag such as de or pt-BR.");
    if (known.map(spelledTag).includes(tag)) return setWrong(`${languageName(tag)} is below already.`);
    setTyped("");
    onAdd(tag);
  };
  return (
    // Enter adds the language, and does not send the form around it.
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is pressed in the field within.
    <div
      class="add-language"
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        add();
      }}
    >
      <TextField
        label="Add a language"
        placeholder="de"
        hint="By its tag, such as de or pt-BR."
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onValue={(text) => {
          setTyped(text);
          setWrong(undefined);
        }}
        error={wrong}
      />
      <button type="button" class="button" onClick={add}>
        Add
      </button>
    </div>
  );
}
