/** Invalidations that are remembered individually during loads; beyond that, all running loads count as invalidated. */
const MAX_NOTED = 10_000;

/** Entries that each new one looks at: those of tokens that nobody sends again would stay until the cache is full. */
const SWEPT = 2;

interface Entry<Value> {
  readonly value: Value;
  readonly tags: readonly string[];
  readonly until: number;
}

/**
 * A cache whose entries have tags (`identity:…`, `project:…`) and are invalidated by tag. It contains only what can be
 * read from the database again, at most `limit` entries, and none past its own expiry. Expired entries leave as new ones come.
 */
export class TaggedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #limit: number;
  /** A counter for the order of loads and invalidations. */
  #clock = 0;
  /** Loads that began before this are not cached. */
  #clearedAt = 0;
  #loading = 0;
  /** The last invalidation of each tag during running loads. */
  readonly #droppedAt = new Map<string, number>();
  #enabled = true;
  /** Goes around all entries. */
  #sweeping: MapIterator<[string, Entry<Value>]> | undefined;

  constructor(limit = 50_000) {
    this.#limit = limit;
  }

  /** See `BusListener`. */
  isCurrent = (): boolean => true;

  /** `now` in milliseconds of the context's clock. */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || !this.isCurrent()) return undefined;
    if (entry.until > now) return entry.value;
    this.#drop(key);
    return undefined;
  }

  /**
   * The value under `key`, loaded if it is missing. If one of its tags is invalidated during the load, the value is
   * returned but not cached: it may have been read before the change.
   */
  async load(
    key: string,
    now: number,
    load: () => Promise<{ value: Value; tags: readonly string[]; until?: number } | undefined>,
  ): Promise<Value | undefined> {
    const known = this.get(key, now);
    if (known !== undefined) return known;
    const since = this.#clock;
    this.#loading++;
    try {
      const loaded = await load();
      if (loaded === undefined) return undefined;
      const isFresh = since >= this.#clearedAt && loaded.tags.every((tag) => (this.#droppedAt.get(tag) ?? 0) <= since);
      if (isFresh && this.#enabled) {
        this.#sweep(now);
        this.#put(key, loaded.value, loaded.tags, loaded.until ?? Infinity);
      }
      return loaded.value;
    } finally {
      if (--this.#loading === 0) this.#droppedAt.clear();
    }
  }

  invalidate(tags: Iterable<string>): void {
    for (const tag of tags) {
      if (this.#loading > 0) this.#noteDrop(tag);
      for (const key of [...(this.#keysOf.get(tag) ?? [])]) this.#drop(key);
    }
  }

  #noteDrop(tag: string): void {
    if (this.#droppedAt.size >= MAX_NOTED) {
      this.#droppedAt.clear();
      this.#clearedAt = ++this.#clock;
    }
    this.#droppedAt.set(tag, ++this.#clock);
  }

  clear(): void {
    this.#clearedAt = ++this.#clock;
    this.#entries.clear();
    this.#keysOf.clear();
  }

  /**
   * While disabled, nothing is cached, because invalidations of other processes do not arrive. Loads that began in this
   * time are not cached either.
   */
  set enabled(enabled: boolean) {
    this.#enabled = enabled;
    this.clear();
  }

  get size(): number {
    return this.#entries.size;
  }

  #sweep(now: number): void {
    for (let step = 0; step < SWEPT; step++) {
      this.#sweeping ??= this.#entries.entries();
      const { done, value } = this.#sweeping.next();
      if (done) this.#sweeping = undefined;
      else if (value[1].until <= now) this.#drop(value[0]);
    }
  }

  #put(key: string, value: Value, tags: readonly string[], until: number): void {
    this.#drop(key);
    if (this.#entries.size >= this.#limit) this.#drop(this.#entries.keys().next().value as string);
    this.#entries.set(key, { value, tags, until });
    for (const tag of tags) {
      const keys = this.#keysOf.get(tag);
      if (keys) keys.add(key);
      else this.#keysOf.set(tag, new Set([key]));
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    for (const tag of entry.tags) {
      const keys = this.#keysOf.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysOf.delete(tag);
    }
  }
}
