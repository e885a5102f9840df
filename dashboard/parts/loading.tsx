/** Something is on its way. It shows after a moment only, so that what is quick does not flash. */
export function Spinner({ says }: { says: string }) {
  return (
    <p class="spinner" role="status">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" />
        <path d="M8 2a6 6 0 0 1 6 6" />
      </svg>
      {says}
    </p>
  );
}

/** Keeps the room of what is on its way: as many lines as it will have, or a block of `height` pixels. */
export function Skeleton({ lines, height }: { lines?: number; height?: number }) {
  return (
    <div class="skeleton" role="status" style={height ? { minHeight: `${height}px` } : undefined}>
      <span class="heard">Loading</span>
      {Array.from({ length: lines ?? 0 }, (_, index) => (
        <span key={index} class="line" />
      ))}
    </div>
  );
}
