// `npm start`. Around the start stands what keeps the process small and quick: compiled code is kept between starts,
// which halves their time; V8's space for young objects does not grow while everything is loaded, since little of it
// would be given back; modules are loaded part by part, since what all of them take together while they are linked is
// not given back either (a quarter of the whole); and what loading has left over is collected before the first request.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/coffer'));
setFlagsFromString('--semi-space-growth-factor=1');
await import('fastify');
await import('@coffer/domain');
await import('@coffer/api');
const { run } = await import('./run.ts');
await run();
flushCompileCache();
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as (options: object) => void)({ type: 'major', execution: 'sync', flavor: 'last-resort' });
setFlagsFromString('--no-expose-gc');
setFlagsFromString('--semi-space-growth-factor=2');
