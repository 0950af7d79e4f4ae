import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../parse.ts';

/**
 * Where an agent keeps its state and its socket: `STATE_DIRECTORY` is set by systemd, else as the XDG Base Directory Specification
 * has it.
 *
 * @param config The path of its configuration, one agent for each.
 */
export function ownPlace(env: Environment, config: string, directory?: string): { state: string; socket: string } {
  const base = directory ?? env['STATE_DIRECTORY']?.split(':')[0] ?? join(stateHome(env), 'coffer', 'agent');
  const name = createHash('sha256').update(config).digest('hex').slice(0, 12);
  return { state: join(base, `${name}.json`), socket: join(base, `${name}.sock`) };
}

function stateHome(env: Environment): string {
  const given = env['XDG_STATE_HOME'];
  return given?.startsWith('/') ? given : join(env['HOME'] || homedir(), '.local/state');
}
