/** What a promise resolves with within so many milliseconds; null when it takes longer or rejects. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  try {
    return await Promise.race([promise.catch(() => null), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
