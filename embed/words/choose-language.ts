/**
 * The first wish that there are words for, as an ISO 639-1 code, whatever its region or script; else English.
 * `files` has the languages that come as files; English is always there.
 */
export function chooseLanguage(wishes: readonly string[], files: Readonly<Record<string, string>>): string {
  const languages = wishes.map((wish) => wish.toLowerCase().split(/[-_]/)[0] ?? "");
  return languages.find((language) => language === "en" || files[language]) ?? "en";
}
