/** The country in the visitor's language, with its region's code. `ZZ` has a name too: unknown region. */
export function placeName(language: string, country: string, region: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: "region" }).of(country) ?? "";
    return region ? `${name} · ${region}` : name;
  } catch {
    return "";
  }
}
