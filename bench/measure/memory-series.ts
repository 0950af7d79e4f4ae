/** Memory of a process, in bytes. */
export interface Memory {
  readonly resident: number;
  readonly heap: number;
}

export interface MemorySample extends Memory {
  readonly change: number;
  readonly seconds: number;
}

/** Collects samples. Of each `size` of them the one with the smallest heap stays: what is live, as nearly as can be seen from outside. */
export function memorySeries(size: number) {
  const samples: MemorySample[] = [];
  let window: MemorySample[] = [];
  return {
    samples: samples as readonly MemorySample[],
    /** Returns the sample that stays, when its window is full. */
    add(sample: MemorySample): MemorySample | undefined {
      window.push(sample);
      if (window.length < size) return undefined;
      const lowest = window.reduce((low, one) => (one.heap < low.heap ? one : low));
      window = [];
      samples.push(lowest);
      return lowest;
    },
  };
}

/** From the second fifth to the last one: the least that both have. The first has the start. */
export function growthOf(samples: readonly MemorySample[]): Memory {
  const fifth = Math.max(1, Math.floor(samples.length / 5));
  const [early, late] = [samples.slice(fifth, 2 * fifth), samples.slice(-fifth)];
  const least = (of: readonly MemorySample[], what: keyof Memory) => Math.min(...of.map((one) => one[what]));
  return {
    resident: least(late, 'resident') - least(early, 'resident'),
    heap: least(late, 'heap') - least(early, 'heap'),
  };
}

const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);

export const showSample = ({ change, seconds, resident, heap }: MemorySample): string =>
  `${seconds.toFixed(0).padStart(6)} s  change ${String(change).padStart(5)}  heap ${mb(heap).padStart(6)} MB  resident ${mb(resident).padStart(6)} MB`;

export const showGrowth = ({ resident, heap }: Memory): string =>
  `from the second to the last fifth: heap ${mb(heap)} MB, resident ${mb(resident)} MB`;
