// `npm start`. What comes before everything else is loaded: compiled code is kept between starts, which halves their time,
// and V8's space for young objects does not grow while they load, since most of what it would take is never given back.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/coffer'));
setFlagsFromString('--semi-space-growth-factor=1');
const { run } = await import('./run.ts');
await run();
setFlagsFromString('--semi-space-growth-factor=2');
flushCompileCache();
