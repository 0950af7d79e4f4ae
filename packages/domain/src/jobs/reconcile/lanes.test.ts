import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { WorkTable } from './work-table.ts';

const SOURCES = new URL('../../', import.meta.url);
/** Work that calls no other system. */
const WITHIN = ['replications'];

/** All work tables of the domain, by name, which a search of its files finds. */
async function calling(): Promise<[string, WorkTable][]> {
  const found: [string, WorkTable][] = [];
  for (const file of globSync('**/*.ts', { cwd: SOURCES.pathname, exclude: ['**/*.test.ts'] })) {
    if (!/^export const \w+ = new WorkTable\b/m.test(readFileSync(new URL(file, SOURCES), 'utf8'))) continue;
    const declared = Object.entries((await import(new URL(file, SOURCES).href)) as object);
    found.push(...declared.filter((entry): entry is [string, WorkTable] => entry[1] instanceof WorkTable));
  }
  return found.filter(([name]) => !WITHIN.includes(name));
}
const CALLING = await calling();

describe('work that calls other systems', () => {
  it('is found', () => {
    expect(CALLING.map(([name]) => name)).toEqual(expect.arrayContaining(['leases', 'webhooks', 'pkiSyncWork']));
  });

  it.each(CALLING)('has at most two queues for an organization: %s', (_name, { job }) => {
    const organizationId = newId();
    const due = (n: number) => ({ id: newId(), organizationId, queue: `host ${n}`, dueAt: n % 2 ? new Date() : null });
    const queues = new Set(Array.from({ length: 200 }, (_, n) => job.queueOf?.(due(n))));
    expect(queues).not.toContain(undefined);
    expect(queues.size).toBeLessThanOrEqual(2);
  });
});
