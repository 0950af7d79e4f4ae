// Kills the server between what it means to do in another system and what it does there, and looks whether a login is
// left behind or a lease forgotten: `pnpm orphans [--kills N]`. The same test runs in `npm test`, with fewer kills.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { outlive } from './task.mjs';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '60' } } });
const env = { ...process.env, COFFER_LEASE_KILLS: values.kills };
const files = ['apps/server/src/secrets.dynamic.crash'];
process.exitCode = await outlive(spawn('vitest', ['run', ...files], { stdio: 'inherit', env }));
