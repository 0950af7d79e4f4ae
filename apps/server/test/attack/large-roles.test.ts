import { randomUUID } from 'node:crypto';
import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turnsOf } from '../harness/turns.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;

beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
});
afterAll(() => test.close());

/** A role of 900 kB, stored directly, like one of an earlier release. */
async function storedRole(rules: readonly Rule[]): Promise<string> {
  const slug = `large-${randomUUID().slice(0, 8)}`;
  const body = { slug, name: slug, permissions: [] };
  expect((await test.admin('POST', `/api/v1/projects/${projectId}/roles`, body)).status).toBe(200);
  await test.coffer.pool.query('update roles set permissions = $2 where slug = $1', [slug, JSON.stringify(rules)]);
  return slug;
}

const LARGE: [string, Rule[]][] = [
  [
    'many texts',
    Array.from({ length: 900 }, (_, n) => ({
      subject: 'secrets',
      action: ['describeSecret', 'readValue', 'edit'],
      conditions: { secretName: { $in: Array.from({ length: 40 }, (__, m) => `NAME_OF_A_SECRET_${n}_${m}`) } },
    })),
  ],
  [
    'long globs',
    Array.from({ length: 900 }, (_, n) => ({
      subject: 'secrets',
      action: ['describeSecret', 'readValue', 'edit'],
      conditions: { secretName: { $glob: `${'*A'.repeat(440)}B${n}*` } },
    })),
  ],
  [
    'what it forbids',
    Array.from({ length: 900 }, (_, n) => ({
      subject: 'secrets',
      action: ['describeSecret', 'readValue', 'edit'],
      conditions: { secretName: { $in: Array.from({ length: 40 }, (__, m) => `NAME_OF_A_SECRET_${n}_${m}`) } },
      inverted: n % 2 === 1,
    })),
  ],
];

describe('attack: a role as large as earlier releases stored them', () => {
  it.each(LARGE)(
    'does not block others when it is assigned, by its holders or administrators: %s',
    async (_, rules) => {
      const [role, other] = [await storedRole(rules), await storedRole(rules)];
      const holder = await test.identity({
        projectId,
        rules: [...rules, { subject: 'member', action: ['read', 'create', 'edit', 'grant-privileges'] }],
      });
      for (const call of [test.admin, holder.call]) {
        const { email } = await makeUser(test.coffer, { organizationId: test.organizationId });
        const add = { usernames: [email], emails: [], roleSlugs: [role, other] };
        let answer: Answer | undefined;
        await turnsOf(call === holder.call ? 3 : 0, async () => {
          answer = await call('POST', `/api/v1/projects/${projectId}/memberships`, add);
        });
        expect([200, 403]).toContain(answer!.status);
      }
    },
  );
});
