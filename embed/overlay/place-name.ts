/** The country in the visitor's language, with its region's code; `""` for the unknown country, which browsers name too. */
export function placeName(language: string, country: string, region: string): string {
  if (country === "ZZ") return "";
  try {
    const name = new Intl.DisplayNames([language], { type: "region" }).of(country) ?? "";
    return region ? `${name} · ${region}` : name;
  } catch {
    return "";
  }
}
