// One worker of several (COFFER_WORKERS): started by the primary process, never by hand.
import { startCompactly } from '../compact-start.ts';

await startCompactly(async () => (await import('./worker.ts')).runWorker());
