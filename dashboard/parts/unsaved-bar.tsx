import { Icon } from "./icon.tsx";

type Parts = {
  isChanged: boolean;
  isSaving: boolean;
  /** Why the last attempt to save did not work. */
  wrong?: string | undefined;
  onSave: () => void;
  onDiscard: () => void;
};

/** Stands at the page's lower edge while something is not saved. */
export function UnsavedBar({ isChanged, isSaving, wrong, onSave, onDiscard }: Parts) {
  return (
    <div class={isChanged ? "unsaved" : "heard"} role="status">
      {isChanged && (
        <>
          <span class={wrong ? "wrong" : undefined}>
            <Icon name={wrong ? "warning" : "pen"} />
            {wrong ?? "Unsaved changes"}
          </span>
          <button type="button" class="button" onClick={onDiscard} disabled={isSaving}>
            Discard
          </button>
          <button type="button" class="button main" onClick={onSave} disabled={isSaving}>
            {isSaving ? "Saving" : "Save"}
          </button>
        </>
      )}
    </div>
  );
}
