/** What waits, by caller: callers take turns, and what one caller waits for keeps its order. */
export class CallerTurns<Caller, Waiting> {
  /** In the order of the turns; no line is empty. */
  readonly #lines = new Map<Caller, Waiting[]>();

  /** How many wait. */
  get size(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.length, 0);
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** How many of this caller wait. */
  sizeOf(caller: Caller): number {
    return this.#lines.get(caller)?.length ?? 0;
  }

  /** `isFirst`: before what else the caller waits for. */
  add(caller: Caller, waiting: Waiting, isFirst = false): void {
    const line = this.#lines.get(caller);
    if (!line) this.#lines.set(caller, [waiting]);
    else if (isFirst) line.unshift(waiting);
    else line.push(waiting);
  }

  /** Takes what waits no more out of its line. */
  remove(caller: Caller, waiting: Waiting): void {
    const line = this.#lines.get(caller);
    const index = line?.indexOf(waiting) ?? -1;
    if (index === -1) return;
    line!.splice(index, 1);
    if (line!.length === 0) this.#lines.delete(caller);
  }

  /** The first of the first caller for whom it may start now. */
  first(mayStart: (caller: Caller, waiting: Waiting) => boolean): Waiting | undefined {
    for (const [caller, [waiting]] of this.#lines) if (mayStart(caller, waiting!)) return waiting;
    return undefined;
  }

  /** The same, taken out of its line. The caller's next one has its turn after all other callers. */
  take(mayStart: (caller: Caller, waiting: Waiting) => boolean): Waiting | undefined {
    for (const [caller, line] of this.#lines) {
      if (!mayStart(caller, line[0]!)) continue;
      const waiting = line.shift();
      if (line.length > 0 && this.#lines.size === 1) return waiting;
      this.#lines.delete(caller);
      if (line.length > 0) this.#lines.set(caller, line);
      return waiting;
    }
    return undefined;
  }
}
