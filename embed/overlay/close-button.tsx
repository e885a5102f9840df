/** The button in the corner that closes an overlay. */
export function CloseButton({ label, onClose }: { label: string; onClose(): void }) {
  return (
    <button type="button" class="close" aria-label={label} onClick={onClose}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="m4 4 12 12M16 4 4 16" />
      </svg>
    </button>
  );
}
