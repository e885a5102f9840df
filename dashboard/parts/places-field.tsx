import { placeName, placeProposals, readPlaces } from "../countries.ts";
import { Chips } from "./chips.tsx";

/** Countries and regions as chips, those of one country beside each other. */
export function PlacesField({
  label,
  hint,
  error,
  places,
  onPlaces,
}: {
  label: string;
  hint?: string;
  error?: string | undefined;
  places: readonly string[];
  onPlaces: (places: string[]) => void;
}) {
  return (
    <Chips
      label={label}
      {...(hint !== undefined && { hint })}
      error={error}
      chips={places}
      onChips={(chips) => onPlaces(chips.toSorted())}
      nameOf={placeName}
      read={readPlaces}
      proposals={placeProposals()}
    />
  );
}
