import { formatAgo } from "../format.ts";
import { isSame } from "../merge-patch.ts";
import type { Draft } from "../use-draft.ts";
import { useUnsavedGuard } from "../use-unsaved-guard.ts";
import { Notice } from "./notice.tsx";
import { UnsavedBar } from "./unsaved-bar.tsx";

/**
 * Saves a draft. Where somebody else was quicker it says who and when, shows both versions of what differs, and lets choose: nothing is
 * lost on either side. What is undone by hand takes nothing by itself: it can be a moment of typing.
 */
export function SaveBar<Value extends object>({
  draft,
  again,
}: {
  draft: Draft<Value>;
  /** Reads anew what is saved. */
  again: () => void;
}) {
  const { conflict, theirs, isChanged, isSaving, error, save, saveAnyway, discard } = draft;
  useUnsavedGuard(isChanged);
  if (conflict === null) {
    return (
      <UnsavedBar
        isChanged={isChanged}
        isSaving={isSaving}
        error={error}
        onSave={() => void save()}
        onDiscard={discard}
      />
    );
  }
  const { changedBy, changedAt } = conflict;
  const when = changedAt === null ? "" : ` ${formatAgo(changedAt, Date.now())}`;
  const differing = Object.entries(draft.value).filter(([name, mine]) => !isSame(mine, Object(theirs)[name]));
  return (
    <Notice tone="bad">
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
            {differing.map(([name, mine]) => (
              <tr key={name}>
                <td class="first">{name}</td>
                <td data-title="Saved now">{textOf(Object(theirs)[name])}</td>
                <td data-title="Yours">{textOf(mine)}</td>
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

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : Array.isArray(value) && value.every((one) => typeof one === "string")
      ? value.join(", ")
      : JSON.stringify(value);
