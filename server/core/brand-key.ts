/** What two spellings of one brand have in common: brands are compared without case, outer space or composition. */
export function brandKey(brand: string): string {
  return brand.normalize("NFC").trim().toLowerCase();
}
