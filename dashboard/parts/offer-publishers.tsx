import type { PublisherRow } from "@offers/contract/dash/operator";
import { type NamedPublisher, publisherProposals, readPublisher } from "../publisher-names.ts";
import { useAnswer } from "../use-answer.ts";
import { Chips } from "./chips.tsx";

type ListParts = {
  label: string;
  hint: string;
  error: string | undefined;
  /** Ids of publishers. */
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
};

/** Lists of publishers, chosen by their names. */
export function OfferPublishers({ lists }: { lists: readonly ListParts[] }) {
  const { value } = useAnswer<{ items: PublisherRow[] }>("operator/publishers");
  const publishers: readonly NamedPublisher[] = value?.items ?? [];
  const nameOf = (id: string) => publishers.find(({ publisherId }) => publisherId === id)?.name ?? id;
  return (
    <>
      {lists.map(({ chosen, onChosen, ...field }) => (
        <Chips
          key={field.label}
          {...field}
          chips={chosen}
          onChips={onChosen}
          nameOf={nameOf}
          read={(text) => readPublisher(text, publishers)}
          proposals={publisherProposals(publishers)}
        />
      ))}
    </>
  );
}
