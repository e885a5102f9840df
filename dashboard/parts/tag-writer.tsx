import { triggers } from "@offers/contract/words";
import { useState } from "preact/hooks";
import { consentCalls } from "../consent-text.ts";
import { useSignedIn } from "../signed-in.ts";
import { pastePlace, plainTag, policyLines, type TagForm, type TagWish, tagText } from "../tag-text.ts";
import { triggerWords } from "../trigger-words.ts";
import { CodeBlock } from "./code-block.tsx";
import { SelectField, TextField } from "./field.tsx";

const forms: readonly [TagForm, string][] = [
  ["html", "HTML"],
  ["wordpress", "WordPress"],
  ["manager", "Tag manager"],
  ["next", "Next.js"],
];

/** Writes the tag as a page, a content system or a tag manager wants it, with what it is to do. */
export function TagWriter({ publicKey, websiteKey }: { publicKey: string; websiteKey: string }) {
  const { me } = useSignedIn();
  const [wish, setWish] = useState<TagWish>(plainTag);
  const keys = { baseUrl: me.service.baseUrl, publicKey, websiteKey };
  const change = (changed: Partial<TagWish>) => setWish({ ...wish, ...changed });
  return (
    <>
      <fieldset class="switch">
        <legend class="heard">Written for</legend>
        {forms.map(([form, says]) => (
          <button type="button" key={form} aria-pressed={wish.form === form} onClick={() => change({ form })}>
            {says}
          </button>
        ))}
      </fieldset>
      <CodeBlock
        code={tagText(keys, wish)}
        label="The text to paste"
        says={`Neither key is a secret. ${pastePlace(wish)}`}
      />
      <div class="fields">
        <SelectField
          label="Shown as"
          value={wish.mode}
          choices={[
            { value: "overlay", says: "Overlay" },
            { value: "section", says: "Section within the page" },
            { value: "none", says: "After a declined application" },
          ]}
          onValue={(mode) => change({ mode })}
        />
        {wish.mode === "overlay" && (
          <SelectField
            label="Opens"
            value={wish.trigger}
            choices={[
              { value: "", says: "As the website is set" },
              ...triggers.map((trigger) => ({ value: trigger, says: triggerWords[trigger] })),
            ]}
            onValue={(trigger) => change({ trigger })}
          />
        )}
        <SelectField
          label="Consent"
          value={wish.consent}
          choices={[
            { value: "none", says: "Wait for nothing" },
            { value: "tcf", says: "Wait for the page's TCF banner" },
            { value: "gpp", says: "Wait for the page's GPP banner" },
            { value: "manual", says: "Wait for a call of the page" },
          ]}
          onValue={(consent) => change({ consent })}
        />
      </div>
      {wish.consent === "manual" &&
        consentCalls(wish.form, wish.mode).map((call) => <CodeBlock key={call.label} {...call} />)}
      <details>
        <summary>Your page has a Content-Security-Policy</summary>
        <div class="inside">
          {wish.form === "wordpress" ? (
            <p class="quiet">
              Where the policy names a nonce, the tag gets it as every script of WordPress does, by the filter
              wp_script_attributes, and script-src needs nothing more.
            </p>
          ) : (
            <TextField
              label="Nonce"
              hint={
                wish.form === "manager"
                  ? "Where the policy names one: the tag manager's variable that has what your server writes into each answer, such as {{nonce}}. Leave it empty else."
                  : "Where the policy names one: what your server writes into each answer. Leave it empty else."
              }
              value={wish.nonce}
              onValue={(nonce) => change({ nonce })}
              spellcheck={false}
              autocomplete="off"
            />
          )}
          <CodeBlock code={policyLines(keys, wish)} label="What the policy needs" />
        </div>
      </details>
    </>
  );
}
