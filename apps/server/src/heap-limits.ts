import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the young generation beyond which it does not grow. It grows by doubling; V8's own limit is 128 MiB. */
const YOUNG_LIMIT = 32 * 1024 ** 2;
/** Percent by which the heap may grow from one collection of all of it to the next. */
const GROWTH = 100;

/** Limits how much garbage V8 keeps. See decision 0066. */
export function limitHeap(): void {
  limitYoungGeneration();
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}

/**
 * The young generation otherwise becomes as large as a minute of much work asks for and is hardly ever returned. V8 reads
 * its own limit when a process starts, from its command line; the factor by which it grows is read at each growth.
 */
function limitYoungGeneration(): void {
  const look = () => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    setFlagsFromString(`--semi-space-growth-factor=${young && young.space_size >= YOUNG_LIMIT ? 1 : 2}`);
  };
  // It grows only when garbage is collected.
  new PerformanceObserver(look).observe({ entryTypes: ['gc'] });
  look();
}
