import type { OwnPublisher } from "@offers/contract/dash/accounts";
import { markPath } from "@offers/contract/dash/mark";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { base, useAddress } from "../address.ts";
import type { NavGroup, PageRow } from "../pages.ts";
import { hasSessionEnded, useSignedIn } from "../signed-in.ts";
import { Icon } from "./icon.tsx";
import { Menu } from "./menu.tsx";
import { Notice } from "./notice.tsx";
import { SignInElsewhere } from "./sign-in-elsewhere.tsx";

const groups = [
  ["main", null],
  ["developers", "Developers"],
  ["account", "Account"],
  ["operator", "Operator"],
] as const satisfies readonly (readonly [NavGroup, string | null])[];

/** What stands around every page: the side bar, which is a sheet below a top bar where there is little room. */
export function Layout({ open, children }: { open: readonly PageRow[]; children: ComponentChildren }) {
  const { path } = useAddress();
  const signedIn = useSignedIn();
  const { publisher, isLookingAs } = signedIn;
  const side = useRef<HTMLElement>(null);
  const closeSheet = () => side.current?.matches(":popover-open") && side.current.hidePopover();

  useEffect(() => {
    closeSheet();
  }, [path]);
  useEffect(() => {
    // A sheet that is open while the window grows would cover the page as a side bar.
    const wide = matchMedia("(width >= 60rem)");
    wide.addEventListener("change", closeSheet);
    return () => wide.removeEventListener("change", closeSheet);
  }, []);

  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="top-bar">
        <Brand />
        {publisher && <span class="badge">{publisher.name}</span>}
        <button type="button" class="button" popovertarget="side" aria-label="Menu">
          <Icon name="menu" />
        </button>
      </header>
      <aside id="side" popover="auto" ref={side} aria-label="Side bar">
        <div class="side">
          <Brand />
          <PublisherSwitcher />
          <nav aria-label="Pages">
            {groups.map(([group, title]) => (
              <NavList key={group} title={title} rows={open.filter(({ nav }) => nav?.group === group)} />
            ))}
          </nav>
          <Person hasSettings={open.some((row) => row.path === "/me")} />
        </div>
      </aside>
      <main id="main" tabIndex={-1}>
        {isLookingAs && publisher && !isWithin(path, "/operator") && (
          <LookingAs name={publisher.name} publisherId={publisher.publisherId} />
        )}
        {hasSessionEnded(signedIn) && <SessionEnded />}
        {children}
      </main>
    </>
  );
}

/** Whoever looks at another team's pages is told so on each of them; the operator's own are none of these. */
function LookingAs({ name, publisherId }: { name: string; publisherId: string }) {
  return (
    <Notice
      tone="warn"
      action={
        <a class="button" href={`${base}/operator/publishers/${publisherId}`}>
          Stop looking
        </a>
      }
    >
      You look at <strong>{name}</strong> as its team does; nothing can be changed. Its activity tells that
      you looked.
    </Notice>
  );
}

/** Nobody is sent away from what they have typed; the page asks again when they come back to it, and goes on for no other account. */
function SessionEnded() {
  return (
    <Notice tone="bad" action={<SignInElsewhere>Sign in</SignInElsewhere>}>
      Your session has ended. What stands here stays while you sign in with the same account in another tab.
    </Notice>
  );
}

function Brand() {
  return (
    <p class="brand">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <rect width="24" height="24" rx="6" />
        <path d={markPath} />
      </svg>
      Offers
    </p>
  );
}

function PublisherSwitcher() {
  const { me, publisher } = useSignedIn();
  if (!publisher) return null;
  if (me.publishers.length === 1) {
    return (
      <div class="publisher">
        <PublisherName publisher={publisher} />
      </div>
    );
  }
  return (
    <Menu
      class="switcher"
      button={
        <span class="publisher">
          <PublisherName publisher={publisher} />
          <Icon name="updown" says="Choose a publisher" />
        </span>
      }
    >
      {(close) => (
        <ul>
          {me.publishers.map((other) => (
            <li key={other.publisherId}>
              <a
                href={`${base}/?p=${other.publicKey}`}
                aria-current={other.publisherId === publisher.publisherId ? "true" : undefined}
                onClick={close}
              >
                <PublisherName publisher={other} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </Menu>
  );
}

function PublisherName({ publisher: { name, websites } }: { publisher: OwnPublisher }) {
  return (
    <>
      <span class="initials" aria-hidden="true">
        {initials(name)}
      </span>
      <span class="names">
        <strong>{name}</strong>
        <small>{websites === 1 ? "1 website" : `${websites} websites`}</small>
      </span>
    </>
  );
}

function NavList({ title, rows }: { title: string | null; rows: readonly PageRow[] }) {
  const { path, to } = useAddress();
  const { websites } = useSignedIn();
  if (rows.length === 0) return null;
  // No visitor of anybody's meets a website that is being developed, as on the overview.
  const broken =
    websites.value?.items.filter(({ health, development }) => health === "broken" && !development).length ??
    0;
  return (
    <>
      {title && <h2>{title}</h2>}
      <ul>
        {rows.map((row) => (
          <li key={row.path}>
            <a href={to(row.path)} aria-current={isWithin(path, row.path) ? "page" : undefined}>
              {row.nav && <Icon name={row.nav.icon} />}
              {row.title}
              {row.path === "/websites" && broken > 0 && (
                <span class="count">
                  {broken} <span class="heard">to be mended</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Person({ hasSettings }: { hasSettings: boolean }) {
  const { to } = useAddress();
  const { me, publisher } = useSignedIn();
  const name = me.user.name || me.user.email;
  const role = publisher ? publisher.role : me.user.isOperator ? "operator" : "";
  const inside = (
    <>
      <span class="initials" aria-hidden="true">
        {initials(name)}
      </span>
      <span class="names">
        <span>{name}</span>
        <small>{role && role.charAt(0).toUpperCase() + role.slice(1)}</small>
      </span>
    </>
  );
  return (
    <div class="person">
      {hasSettings ? <a href={to("/me")}>{inside}</a> : <span>{inside}</span>}
      <form method="post" action={`${base}/sign-out`}>
        <button type="submit" class="button bare" aria-label="Sign out" title="Sign out">
          <Icon name="leave" />
        </button>
      </form>
    </div>
  );
}

/** The overview is the page of its own address alone; of others also what is below them. */
const isWithin = (path: string, page: string): boolean =>
  page === "/" ? path === base : path === base + page || path.startsWith(`${base}${page}/`);

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("")
    .toUpperCase();
