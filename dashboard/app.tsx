import type { Me } from "@offers/contract/dash/accounts";
import type { PublisherRow } from "@offers/contract/dash/operator";
import type { WebsitesAnswer } from "@offers/contract/dash/tag-health";
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { base, useAddress } from "./address.ts";
import { callFor } from "./api.ts";
import { isOfPublisher, pageLinks, pagesFor } from "./pages.ts";
import { Failure } from "./parts/failure.tsx";
import { Layout } from "./parts/layout.tsx";
import { Spinner } from "./parts/loading.tsx";
import { NoSuchPage } from "./parts/no-such-page.tsx";
import { NotOpen } from "./parts/not-open.tsx";
import { PasswordDialog } from "./parts/password-dialog.tsx";
import { SignedInContext } from "./signed-in.ts";
import { useAnswer } from "./use-answer.ts";

/** The whole dashboard. */
export function App() {
  return (
    <LocationProvider scope={pageLinks}>
      <Dashboard />
    </LocationProvider>
  );
}

function Dashboard() {
  const { path, query, to, go } = useAddress();
  const { value: me, error, again, refresh } = useAnswer<Me>("me");
  const own = me?.publishers.find(({ publicKey, publisherId }) =>
    [publicKey, publisherId].includes(query.p ?? ""),
  );
  // An operator may look at a publisher of whose team they are none: by its id, which no link of a member's carries.
  const others = me?.user.isOperator && !own && query.p?.startsWith("publisher_") ? query.p : null;
  const lookedAt = useAnswer<PublisherRow>(others && `operator/publishers/${encodeURIComponent(others)}`);
  const isLookingAs = others !== null && lookedAt.value !== undefined;
  const publisher =
    isLookingAs && lookedAt.value
      ? { ...lookedAt.value, role: "viewer" as const }
      : (own ?? me?.publishers[0] ?? null);
  // The address names another publisher, for whose figures one's own would be taken.
  const isForeign = Boolean(query.p) && !own && !isLookingAs;
  const websites = useAnswer<WebsitesAnswer>(
    publisher && `publishers/${publisher.publisherId}/websites`,
    {},
    { everySeconds: 60 },
  );
  const open = me ? pagesFor(me, publisher) : [];
  const first = open.find(({ nav }) => nav);

  useLayoutEffect(() => {
    if (me) callFor(me.user.userId);
  }, [me?.user.userId]);

  useEffect(() => {
    if (me) document.documentElement.dataset.theme = me.user.theme;
  }, [me?.user.theme]);

  useEffect(() => {
    // Somebody without a publisher has no overview, and begins with the first page that they have.
    if (path === base && first && !open.some((row) => row.path === "/")) go(to(first.path), true);
  }, [path, first?.path]);

  const isComing = others !== null && !lookedAt.value && lookedAt.error?.status !== 404;
  const unread = me ? lookedAt : { error, again };
  if (!me || isComing)
    return (
      <div class="alone">
        {unread.error ? <Failure error={unread.error} again={unread.again} /> : <Spinner says="Loading" />}
      </div>
    );
  return (
    <SignedInContext.Provider value={{ me, refreshMe: refresh, publisher, isLookingAs, websites }}>
      <Layout open={open}>
        <ErrorBoundary>
          <Router key={publisher?.publisherId} onRouteChange={focusHeading}>
            {open.map((row) => (
              <PageAt
                key={row.path}
                path={base + row.path}
                component={isForeign && isOfPublisher(row) ? NotOpen : row.page}
              />
            ))}
            <Route default component={NoSuchPage} />
          </Router>
        </ErrorBoundary>
      </Layout>
      <PasswordDialog />
    </SignedInContext.Provider>
  );
}

/** A page at the address that its route has matched: at another address it is another one, on which nothing of this one stands. */
function PageAt({ path, component: Page }: { path: string; component: ComponentType }) {
  return <Page key={path} />;
}

/** Whoever hears the page rather than sees it learns from its heading that it is another one. */
const focusHeading = (): void => {
  document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
};
