import { useAddress } from "../address.ts";
import { EmptyState } from "./empty-state.tsx";
import { PageHeader } from "./page-header.tsx";

/** An address that leads nowhere, or to what this person may not see: which of both is not told. */
export function NoSuchPage() {
  const { to } = useAddress();
  return (
    <>
      <PageHeader title="Nothing is here" />
      <EmptyState
        icon="search"
        title="This address leads nowhere"
        action={
          <a class="button main" href={to("/")}>
            To the overview
          </a>
        }
      >
        It may be mistyped, or belong to what you have no access to.
      </EmptyState>
    </>
  );
}
