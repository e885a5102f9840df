/** The storage did not do in time what was asked, as far as anybody can promise: the caller answers 503. */
export class StorageUnavailable extends Error {
  override readonly name = "StorageUnavailable";
  /** Whole seconds, at least 1, after which trying again has a chance. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
