/** A publisher as a list of them is chosen from. */
export type NamedPublisher = { publisherId: string; name: string };

/** The publishers to choose from, or why there are none: the list is still to come, or could not be read. */
export type PublisherList = readonly NamedPublisher[] | "unread" | "failed";

/** What has the form of an id. Whether a publisher has it, the service says when it is saved. */
const idForm = /^publisher_[\w-]+$/;

/**
 * The id of the publisher that a text means, its name in any case or its id; or a sentence about why it means none. An id
 * needs no list: one that is still to come says nothing against it.
 */
export function readPublisher(text: string, list: PublisherList): { chips: string[] } | { wrong: string } {
  const publishers = typeof list === "string" ? [] : list;
  if (publishers.some(({ publisherId }) => publisherId === text)) return { chips: [text] };
  const [found, ...others] = publishers.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (others.length > 0) return { wrong: "Several publishers have this name: choose one by its id." };
  if (found) return { chips: [found.publisherId] };
  return idForm.test(text) ? { chips: [text] } : { wrong: notFound(text, list) };
}

const notFound = (text: string, list: PublisherList): string => {
  if (list === "unread") return "The list of publishers is still to come: press Enter again, or write an id.";
  if (list === "failed") return "The list of publishers could not be read: write an id in place of the name.";
  return `There is no publisher ${JSON.stringify(text)}.`;
};

/** What may be chosen: a name, or the id where several have it. */
export function publisherProposals(publishers: readonly NamedPublisher[]): { value: string; says: string }[] {
  return publishers.map(({ publisherId, name }) =>
    "chips" in readPublisher(name, publishers)
      ? { value: name, says: publisherId }
      : { value: publisherId, says: name },
  );
}
