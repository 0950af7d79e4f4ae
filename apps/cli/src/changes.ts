/** Notifications of changes; those that come while nobody waits count as one. */
export class Changes {
  #isPending = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isPending = true;
    this.#wake?.();
  }

  /** Waits for the next one, or until `ms` milliseconds have passed. */
  async next(ms = Infinity): Promise<undefined> {
    if (!this.#isPending)
      await new Promise<void>((resolve) => {
        const timer = ms === Infinity ? undefined : setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#isPending = false;
    this.#wake = undefined;
  }
}
