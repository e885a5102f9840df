/**
 * The months of UTC that an account has had, `YYYY-MM`, the newest first: the current one is told as far as it has come. `first`
 * is the one to begin with: the newest that is over.
 */
export function statementMonths(createdAt: number, now: number): { months: string[]; first: string } {
  const months: string[] = [];
  const begin = monthOf(createdAt);
  for (let month = monthOf(now); month >= begin || months.length === 0; month = monthBefore(month)) {
    months.push(month);
  }
  return { months, first: months[1] ?? monthOf(now) };
}

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

const monthBefore = (month: string): string => monthOf(Date.parse(`${month}-01`) - 1);
