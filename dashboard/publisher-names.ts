/** A publisher as a list of them is chosen from. */
export type NamedPublisher = { publisherId: string; name: string };

/** The id of the publisher that a text means, its name in any case or its id; or a sentence about why it means none. */
export function readPublisher(
  text: string,
  publishers: readonly NamedPublisher[],
): { chips: string[] } | { wrong: string } {
  if (publishers.some(({ publisherId }) => publisherId === text)) return { chips: [text] };
  const [found, ...others] = publishers.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (found === undefined) return { wrong: `There is no publisher ${JSON.stringify(text)}.` };
  return others.length === 0
    ? { chips: [found.publisherId] }
    : { wrong: "Several publishers have this name: choose one by its id." };
}

/** What may be chosen: a name, or the id where several have it. */
export function publisherProposals(publishers: readonly NamedPublisher[]): { value: string; says: string }[] {
  return publishers.map(({ publisherId, name }) =>
    "chips" in readPublisher(name, publishers)
      ? { value: name, says: publisherId }
      : { value: publisherId, says: name },
  );
}
