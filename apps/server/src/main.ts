// `npm start`.
import { startCompactly } from './compact-start.ts';

await startCompactly(async () => (await import('./run.ts')).run());
