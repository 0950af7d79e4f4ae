// One worker of several (COFFER_WORKERS): started by the primary process, never by hand.
import { fromBundle } from '../bundle/load.ts';
import { startCompactly } from '../compact-start.ts';
import { PrimaryLink } from './primary-link.ts';

// What the primary says before somebody listens is lost.
const link = new PrimaryLink();
await startCompactly(async () => (await fromBundle('worker', () => import('./worker.ts'))).runWorker(link));
