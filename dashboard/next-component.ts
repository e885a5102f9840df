type NextTag = {
  baseUrl: string;
  /** What `init` is told, as an object's text. */
  said: string;
  isSection: boolean;
  /** Whether the page's policy names a nonce, which only the server knows. */
  hasNonce: boolean;
};

/**
 * A component for Next.js with the App Router. Its Script puts each address into a document once, with the attributes of
 * whichever component came first, and what it has put in stays there through all routes: so all is said by calls, those of
 * a section whenever its page comes, and those of the rest with each route.
 */
export function nextComponent(tag: NextTag): string {
  return `${tag.isSection ? section(tag) : everyPage(tag)}

type OfferService = { (...said: unknown[]): unknown; q?: unknown[] };

// What is said before the script has come waits in q.
export function offerService(...said: unknown[]) {
  const page = window as unknown as { offerService?: OfferService };
  const queue: OfferService = (...later) => (queue.q ??= []).push(later);
  (page.offerService ??= queue)(...said);
}`;
}

const everyPage = (tag: NextTag): string => `// app/offers.tsx
"use client";

import { usePathname } from "next/navigation";
import Script from "next/script";
import { useEffect } from "react";

let shown: string | null = null;

export function Offers(${parameter(tag)}) {
  const path = usePathname();
  useEffect(() => {
    if (shown === path) return;
    // The first page is what the script begins with by itself.
    if (shown === null) offerService("init", ${tag.said});
    else offerService("page");
    shown = path;
  }, [path]);
  return ${script(tag)};
}`;

const section = (tag: NextTag): string => `// app/offers-section.tsx
"use client";

import Script from "next/script";
import { useEffect } from "react";

export function OffersSection(${parameter(tag)}) {
  useEffect(() => offerService("init", ${tag.said}), []);
  return (
    <>
      <div id="offers" />
      ${script(tag)}
    </>
  );
}`;

const parameter = ({ hasNonce }: NextTag): string => (hasNonce ? "{ nonce }: { nonce?: string }" : "");

const script = ({ baseUrl, hasNonce }: NextTag): string =>
  `<Script src="${baseUrl}/embed.js" crossOrigin="anonymous" strategy="afterInteractive"${hasNonce ? " nonce={nonce}" : ""} />`;
