import { describe, expect, it } from 'vitest';
import { newId } from '../kernel/index.ts';
import { maintenanceJobs, verifyAuditLog } from '../jobs/maintenance/index.ts';
import type { AnyJob } from '../jobs/index.ts';
import { jobs } from './background.ts';

const ALL: readonly AnyJob[] = [
  ...jobs,
  verifyAuditLog({} as never),
  ...maintenanceJobs({ auditSpace: { limit: 1 } } as never, {} as never),
];
/** Jobs without turns that no schedule queues, and why nobody keeps others waiting by them. */
const WITHOUT: Readonly<Record<string, string>> = {
  'audit.verify': 'one runs at a time, and one of an organization waits: their order is that of turns',
};

const OWNERS = { organizationId: newId(), accountId: newId(), askedFrom: '192.0.2.1' };
const payload = (email = 'somebody@example.com') => ({ ...OWNERS, email }) as never;

/** The name of whose turn a job asks for, before it does anything. */
async function askedBy(job: AnyJob): Promise<string | undefined> {
  let asked: string | undefined;
  const owners = {
    running: () => 0,
    tookMuch(name: string) {
      asked = name;
      throw new Error('not yet');
    },
  };
  const ctx = { targets: { owners } } as never;
  await job.run(ctx, payload(), { job: { priority: 0 } } as never).catch(() => undefined);
  return asked;
}

describe('jobs', () => {
  const many = ALL.filter(({ name, schedule }) => schedule === undefined && !(name in WITHOUT));

  it.each(many.map((job) => [job.name, job] as const))('take turns by who has them done: %s', async (_name, job) => {
    const [, owner] = (await askedBy(job))?.split(' ') ?? [];
    expect(Object.values(OWNERS)).toContain(owner);
  });

  it.each(many.flatMap((job) => (job.turns ? [[job.name, job.turns] as const] : [])))(
    'of one owner have two queues at most: %s',
    (_name, { queueOf }) => {
      const queues = Array.from({ length: 50 }, (_, n) => queueOf(payload(`${'a'.repeat(n)}@example.com`)));
      expect(new Set(queues).size).toBeLessThanOrEqual(2);
    },
  );

  it('of a schedule are about no organization, and those without turns are there', () => {
    const scheduled = ALL.filter(({ schedule }) => schedule !== undefined);
    expect(scheduled.filter((job) => !job.payload.safeParse({}).success)).toEqual([]);
    expect(Object.keys(WITHOUT).filter((name) => !ALL.some((job) => job.name === name))).toEqual([]);
  });
});
