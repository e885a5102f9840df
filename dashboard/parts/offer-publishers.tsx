import type { PublisherRow } from "@offers/contract/dash/operator";
import { type PublisherList, publisherProposals, readPublisher } from "../publisher-names.ts";
import { useAnswer } from "../use-answer.ts";
import { Chips } from "./chips.tsx";
import { Failure } from "./failure.tsx";

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
  const { value, error, again } = useAnswer<{ items: PublisherRow[] }>("operator/publishers");
  const publishers = value?.items ?? [];
  const list: PublisherList = value?.items ?? (error ? "failed" : "unread");
  const nameOf = (id: string) => publishers.find(({ publisherId }) => publisherId === id)?.name ?? id;
  return (
    <>
      <div class="fields">
        {lists.map(({ chosen, onChosen, ...field }) => (
          <Chips
            key={field.label}
            {...field}
            chips={chosen}
            onChips={onChosen}
            nameOf={nameOf}
            read={(text) => readPublisher(text, list)}
            proposals={publisherProposals(publishers)}
          />
        ))}
      </div>
      {error && !value && <Failure error={error} again={again} />}
    </>
  );
}
