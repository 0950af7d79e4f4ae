// `npm start`.
import { bundleLater, fromBundle } from './bundle/load.ts';
import { startCompactly } from './compact-start.ts';

await startCompactly(async () => (await fromBundle('run', () => import('./run.ts'))).run());
bundleLater();
