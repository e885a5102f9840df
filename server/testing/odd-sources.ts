/** What browsers and others say of where a change comes from, and whether it is a page of the service at `own`. */
export function sourcesOfChanges(
  own: string,
): (readonly [site: string | null, origin: string | null, isOurs: boolean])[] {
  const beneath = own.replace("://", "://shop.");
  return [
    ["same-origin", own, true],
    ["same-origin", null, true],
    [null, own, true],
    [null, null, false],
    [null, "null", false],
    [null, "https://evil.example", false],
    [null, `${own}.evil.example`, false],
    ["cross-site", "https://evil.example", false],
    ["cross-site", null, false],
    ["cross-site", own, false],
    ["same-site", beneath, false],
    ["same-site", own, false],
    ["none", null, false],
    ["none", own, false],
  ];
}
