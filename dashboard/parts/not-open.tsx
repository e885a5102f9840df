import { base } from "../address.ts";
import { usePublisher } from "../signed-in.ts";
import { EmptyState } from "./empty-state.tsx";
import { PageHeader } from "./page-header.tsx";

/** In place of a page whose address names a publisher of whose team somebody is none: their own would be taken for it. */
export function NotOpen() {
  const { name, publicKey } = usePublisher();
  return (
    <>
      <PageHeader title="Not open to you" />
      <EmptyState
        icon="people"
        title="This page is of another publisher"
        action={
          <a class="button main" href={`${base}/?p=${publicKey}`}>
            To {name}
          </a>
        }
      >
        You do not belong to the team of the publisher that the address names. An owner of it can invite you.
      </EmptyState>
    </>
  );
}
