import { useLayoutEffect, useRef } from "preact/hooks";
import type { FieldNames } from "../field-names.ts";
import { refusalText } from "../field-names.ts";
import { formatAgo } from "../format.ts";
import { leadTo } from "../lead-to.ts";
import { isMembers, isSame } from "../merge-patch.ts";
import type { Draft } from "../use-draft.ts";
import { useUnsavedGuard } from "../use-unsaved-guard.ts";
import { Notice } from "./notice.tsx";
import { UnsavedBar } from "./unsaved-bar.tsx";

/**
 * Saves a draft. Where somebody else was quicker it says who and when, shows both versions of what differs, and lets choose: nothing is
 * lost on either side. What is undone by hand takes nothing by itself: it can be a moment of typing. What was not saved leads to itself,
 * which may stand far from the button.
 */
export function SaveBar<Value extends object>({
  draft,
  names,
  words,
  again,
}: {
  draft: Draft<Value>;
  /** What the page calls each member. */
  names: FieldNames & Readonly<Record<keyof Value & string, string>>;
  /** How one version of a member is told beside the other; undefined: as it is. */
  words?: (name: string, version: Value, other: Value) => string | undefined;
  /** Reads anew what is saved. */
  again: () => void;
}) {
  const { conflict, theirs, isChanged, isSaving, error, save, saveAnyway, discard } = draft;
  const told = useRef<HTMLDivElement>(null);
  useUnsavedGuard(isChanged);
  useLayoutEffect(() => {
    if (conflict) leadTo(told.current);
    else if (error && error.errors.length > 0)
      leadTo(document.querySelector<HTMLElement>("main [aria-invalid]"));
  }, [error]);
  if (conflict === null) {
    return (
      <UnsavedBar
        isChanged={isChanged}
        isSaving={isSaving}
        wrong={error && refusalText(error, names)}
        onSave={() => void save()}
        onDiscard={discard}
      />
    );
  }
  const { changedBy, changedAt } = conflict;
  const when = changedAt === null ? "" : ` ${formatAgo(changedAt, Date.now())}`;
  const differing = Object.entries(draft.value).filter(([name, mine]) => !isSame(mine, Object(theirs)[name]));
  const say = (name: string, version: Value, other: Value) =>
    words?.(name, version, other) ?? (textOf(Object(version)[name]) || "Empty");
  return (
    <Notice tone="bad" place={told}>
      <p>
        <strong>
          {changedBy ?? "Somebody else"} changed this{when}.
        </strong>{" "}
        {isChanged
          ? "Your changes are not saved yet, and nothing of theirs is lost."
          : "Nothing of yours is left to save."}
      </p>
      {theirs !== undefined && (
        <table class="data">
          <caption class="heard">Both versions</caption>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Saved now</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(([name]) => (
              <tr key={name}>
                <td class="first">{Object(names)[name] ?? name}</td>
                <td data-title="Saved now">{say(name, theirs, draft.value)}</td>
                <td data-title="Yours">{say(name, draft.value, theirs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="row">
        {isChanged && (
          <button type="button" class="button main" disabled={isSaving} onClick={() => void saveAnyway()}>
            Save my changes over it
          </button>
        )}
        <button
          type="button"
          class="button"
          onClick={() => {
            discard();
            again();
          }}
        >
          Take what is saved now
        </button>
      </div>
    </Notice>
  );
}

const textOf = (value: unknown): string => {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const inside = Array.isArray(value) ? value : isMembers(value) ? Object.values(value) : null;
  if (inside === null) return String(value ?? "");
  return inside.map(textOf).filter(Boolean).join(", ");
};
