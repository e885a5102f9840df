import { Notice } from "./notice.tsx";
import { PageHeader } from "./page-header.tsx";

/** A page's script is gone, as after an update of the service, or the network is. */
export function PageNotLoaded() {
  return (
    <>
      <PageHeader title="Not loaded" />
      <Notice
        tone="warn"
        action={
          <button type="button" class="button" onClick={() => location.reload()}>
            Load it again
          </button>
        }
      >
        This page could not be loaded. The service may have been updated since you came.
      </Notice>
    </>
  );
}
