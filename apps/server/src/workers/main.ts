// One worker of several (COFFER_WORKERS): started by the primary process, never by hand.
import { fromBundle } from '../bundle/load.ts';
import { startCompactly } from '../compact-start.ts';

await startCompactly(async () => (await fromBundle('worker', () => import('./worker.ts'))).runWorker());
