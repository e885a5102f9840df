import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Field } from "./field.tsx";
import { Icon } from "./icon.tsx";

type Parts = {
  label: string;
  hint?: string;
  error?: string | undefined;
  chips: readonly string[];
  onChips: (chips: string[]) => void;
  /** What a chip is called, where it is not its own name. */
  nameOf?: (chip: string) => string;
  /** The chips that a text means, or a sentence about what is wrong with it. */
  read: (text: string) => { chips: string[] } | { wrong: string };
  /** Proposals while somebody types. */
  proposals?: readonly { value: string; says: string }[];
  /** A chip may have a comma in it, so that Enter alone adds one. */
  mayHoldComma?: boolean;
};

/** A list of short words: Enter or a comma adds one, Backspace in the empty line takes the last one away. */
export function Chips({
  label,
  hint,
  error,
  chips,
  onChips,
  nameOf = (chip) => chip,
  read,
  proposals,
  mayHoldComma = false,
}: Parts) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string | undefined>();
  const [said, setSaid] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  // A form does not go without what somebody meant to add.
  useLayoutEffect(() => input.current?.setCustomValidity(wrong ?? ""), [wrong]);

  const add = () => {
    if (text.trim() === "") return;
    const meant = read(text.trim());
    if ("wrong" in meant) return setWrong(meant.wrong);
    onChips([...new Set([...chips, ...meant.chips])]);
    setSaid(`Added ${meant.chips.map(nameOf).join(", ")}`);
    setText("");
    setWrong(undefined);
  };
  const remove = (chip: string) => {
    onChips(chips.filter((other) => other !== chip));
    setSaid(`Removed ${nameOf(chip)}`);
    input.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const last = chips.at(-1);
    if (event.key === "Enter" || (event.key === "," && !mayHoldComma)) {
      event.preventDefault();
      add();
    } else if (event.key === "Backspace" && text === "" && last !== undefined) remove(last);
  };

  return (
    <Field label={label} hint={hint} error={wrong ?? error}>
      {(ids) => (
        <div class="chips">
          {/* It keeps its room while it is empty: a chip that is made as a button is pressed would move the button away. */}
          <ul>
            {chips.map((chip) => (
              <li key={chip} class="chip">
                {nameOf(chip)}
                <button type="button" aria-label={`Remove ${nameOf(chip)}`} onClick={() => remove(chip)}>
                  <Icon name="cross" />
                </button>
              </li>
            ))}
          </ul>
          <input
            {...ids}
            ref={input}
            value={text}
            list={proposals ? list : undefined}
            autocomplete="off"
            onInput={(event) => {
              setText(event.currentTarget.value);
              setWrong(undefined);
            }}
            onKeyDown={press}
            onBlur={add}
          />
          {proposals && (
            <datalist id={list}>
              {proposals.map(({ value, says }) => (
                <option key={value} value={value}>
                  {says}
                </option>
              ))}
            </datalist>
          )}
          <span role="status" class="heard">
            {said}
          </span>
        </div>
      )}
    </Field>
  );
}
