import type { Coffer } from '@coffer/domain';
import type { PoolClient } from 'pg';
import { onEveryQuery } from './every-query.ts';

/** The deadlocks from now on, each with the statements of the transactions in it, of which PostgreSQL has ended one. */
export function recordedDeadlocks(coffer: Coffer): readonly string[] {
  const deadlocks: string[] = [];
  const statements = new Map<number, string[]>();
  const note = (pid: number, name: string): void => {
    if (name.startsWith('begin')) statements.set(pid, []);
    statements.get(pid)?.push(name);
  };
  const describe = (error: { code?: string; detail?: string }): void => {
    if (error.code !== '40P01') return;
    const inIt = new Set(Array.from(error.detail?.matchAll(/Process (\d+)/g) ?? [], ([, pid]) => Number(pid)));
    deadlocks.push([...inIt].map((pid) => (statements.get(pid) ?? ['?']).join('; ')).join('\n'));
  };
  onEveryQuery(coffer, (client: PoolClient & { processID?: number }) => ({ name }, send) => {
    note(client.processID!, name);
    const answer = send() as Promise<unknown> | undefined;
    answer?.catch?.(describe);
    return answer;
  });
  return deadlocks;
}
