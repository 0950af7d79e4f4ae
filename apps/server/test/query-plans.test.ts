import { appRouter, openApiDocument, operationsOf, type Operation } from '@coffer/api';
import {
  asOptions,
  explain,
  faultsOf,
  firstColumns,
  isLargeIn,
  knownStatements,
  PLANNING,
  pretendSizes,
  STATISTICS,
  testDatabase,
  type PlanNode,
} from '@coffer/domain/testing';
import { writeFile } from 'node:fs/promises';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sample } from './harness/matrix-sample.ts';
import { makeWorld } from './harness/matrix-world.ts';
import { recordedQueries } from './harness/recorded-queries.ts';
import { testServer } from './harness/test-server.ts';

// Every statement of the product, explained with several ideas of how large tables are. At length: `pnpm plans`.

const UNANALYZED = 'only until its tables are analyzed: PostgreSQL guesses that each key has 1,500 rows';
const SORTED_GRANTS = 'sorts grants, of which no more than a limit are read';
/** What costs more than it needs, and why that is right. */
const ACCEPTED: Readonly<Record<string, string>> = {
  'access.grants_of_everybody': SORTED_GRANTS,
  'access.grants_in_organization': SORTED_GRANTS,
  'access.grants_in_projects': SORTED_GRANTS,
  'access.grants_of_some': SORTED_GRANTS,
  'cleanup.user_access_tokens': 'once an hour; an index would cost every login more',
  'cleanup.user_sessions': 'once an hour; an index would cost every login more',
  'cleanup.command_line_codes': 'once an hour, over the logins of a day',
  'cleanup.identity_access_tokens': 'once an hour; an index would cost every login more',
  'cleanup.failed_jobs': 'once an hour, over the few jobs that wait',
  'instance.jobs': 'for administrators of the instance, over the jobs of the queue',
  'instance.tables': 'for administrators of the instance, over the catalogue of tables',
  'instance.keys': 'for administrators of the instance, over all data keys',
  'instance.rotations': 'for administrators of the instance, over all data keys',
  'organizations.search': 'for administrators of the instance, who search parts of names',
  'users.super_admins': 'an index of the administrators of the instance alone, who are few',
  'authority.due': 'once an hour, over as many authorities as there are',
  'revocation_lists.due': 'a background job, over as many keys of authorities as there are',
  'ocsp_responders.due': 'every ten minutes, over as many keys of authorities as there are',
  'kms_keys.over': 'once an hour, over the due ones of all organizations, which are taken in turn',
  'ssh_certificates.organizations_with_logins': 'once a minute, over as many organizations as there are',
  'ssh_host_certificate.due': 'every ten minutes, over as many hosts as there are',
  'subscriber.due': 'every ten minutes, by an index of the subscribers that are renewed',
  'pki_alerts.enabled': 'once an hour, over as many alerts as there are',
  'secret_imports.orphaned': 'every two minutes, by an index of the imports that are replicated',
  'replication.unasked': 'every two minutes, by an index of the imports that are replicated',
  'secret_reminders.due': 'every ten minutes, over the due ones of all organizations, which are taken in turn',
  'webhooks.orphaned': 'once a minute, over as many webhooks as there are',
  'webhook_cursors.behind': 'once a minute, over as many projects with webhooks as there are',
  'audit.size': 'twice a minute where there is a limit, over the blocks of the last hour: older ones are in segments',
  'access.holders_of_rules_on_names': UNANALYZED,
  'access.holdings': UNANALYZED,
  'commits.folder_moves': UNANALYZED,
  'folder.places_at': UNANALYZED,
  'project_members.administered_by': UNANALYZED,
  'secret_approvals.behind': UNANALYZED,
  'secrets.published': 'within one project; only before its tables are analyzed',
};

const EXPLAINABLE = /^\s*\(?(?:select|insert|update|delete|with)\b/i;

/** Calls every operation once, so that statements which are made on demand, and those of the entity manager, are known too. */
async function statementsInUse(): Promise<Record<string, string>> {
  const test = await testServer();
  const recorded = recordedQueries(test.coffer);
  try {
    const world = await makeWorld(test, 'zsecretz');
    const callerOf = ({ meta }: Operation) => {
      const { actors } = meta.rest ?? {};
      if (!actors || actors.includes('identity')) return world.machine;
      return actors.includes('user') ? world.person : world.service;
    };
    const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
    // Reads first: what is deleted is not found afterwards.
    const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    const operations = operationsOf(appRouter).toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
    for (const operation of operations) {
      const sample = new Sample(operation, document);
      const { url, body } = sample.request(sample.input((thing) => world.has[thing]));
      await callerOf(operation)(operation.method, url, body);
    }
  } finally {
    await test.close();
  }
  // Other tests of this process may have made their own.
  const ours = knownStatements().filter(({ name }) => !name.startsWith('test.'));
  const named = ours.map(({ name, text }) => [name, text]);
  return { ...Object.fromEntries(named), ...Object.fromEntries([...recorded].map((text) => [text, text])) };
}

/** Test files share a process, and some of them make statements for tables of their own. */
function unlessOfAnotherTest(error: Error & { code?: string }): undefined {
  if (error.code !== UNDEFINED_TABLE) throw error;
}
const UNDEFINED_TABLE = '42P01';

/** Plans of a database with such statistics, on a connection as the server opens it. */
async function explaining<T>(
  statistics: string,
  work: (explained: (text: string) => Promise<{ plan: PlanNode; faults: string[] } | undefined>) => Promise<T>,
): Promise<T> {
  const sizeOf = STATISTICS[statistics]!;
  const database = await testDatabase();
  const pool = new Pool({ connectionString: database.url, max: 1, options: asOptions(PLANNING) });
  try {
    await pretendSizes(pool, sizeOf);
    const about = { isLarge: isLargeIn(sizeOf), firstColumns: await firstColumns(pool) };
    return await work(async (text) => {
      const plan = await explain(pool, { text }).catch(unlessOfAnotherTest);
      return plan && { plan, faults: faultsOf(plan, about) };
    });
  } finally {
    await pool.end();
    await database.drop();
  }
}

describe('every statement', () => {
  let statements: Record<string, string>;
  const accepted = new Set<string>();
  const plans: Record<string, { text: string; plans: Record<string, PlanNode> }> = {};
  beforeAll(async () => {
    statements = await statementsInUse();
  }, 300_000);
  // For `pnpm plans`.
  afterAll(async () => {
    const { COFFER_PLANS: file } = process.env;
    if (file !== undefined) await writeFile(file, JSON.stringify(plans));
  });

  it.for(Object.keys(STATISTICS))(
    'reaches large tables by their indexes: %s',
    { timeout: 300_000 },
    async (statistics) => {
      const found = await explaining(statistics, async (explained) => {
        const faulty: Record<string, string[]> = {};
        for (const [name, text] of Object.entries(statements)) {
          if (!EXPLAINABLE.test(text)) continue;
          const one = await explained(text);
          if (!one) continue;
          const { plan, faults } = one;
          (plans[name] ??= { text, plans: {} }).plans[statistics] = plan;
          if (faults.length > 0 && name in ACCEPTED) accepted.add(name);
          else if (faults.length > 0) faulty[name] = faults;
        }
        return faulty;
      });
      expect(found, 'give them an index or another form, or ACCEPTED a reason; `pnpm plans NAME` shows plans').toEqual(
        {},
      );
    },
  );

  it('is accepted as costly only where it is', () => {
    expect(Object.keys(plans).length).toBeGreaterThan(750);
    expect(Object.keys(ACCEPTED).filter((name) => !accepted.has(name))).toEqual([]);
  });
});

describe('a statement that depends on the size of a table', () => {
  it.for([
    ['has no index', 'select id from secrets where version = $1', 'reads all of secrets'],
    [
      'has an index, but not its first column',
      'select id from secrets where key = $1',
      'reads much of secrets by secrets_key_unique',
    ],
    [
      'compares whole tables',
      'select s.id from secrets s full join secret_versions v on v.value = s.value',
      'reads all of secrets',
    ],
    [
      'sorts all for a page',
      'select id from secrets where project_id = $1 order by created_at limit 10',
      'sorts secrets for a page',
    ],
  ] as const)('is found: it %s', async ([, text, fault]) => {
    await explaining('few folders, many secrets', async (explained) => {
      expect((await explained(text))!.faults.join()).toContain(fault);
      expect((await explained('select id from secrets where id = $1'))!.faults).toEqual([]);
    });
  });
});

describe('a statement about some versions of secrets', () => {
  it.for(['secret_versions.deleted_tags', 'secrets.past_of_versions'])(
    'finds these by their secrets, and does not compare all of the project with them: %s',
    async (name) => {
      const { text } = knownStatements().find((one) => one.name === name)!;
      await explaining('few folders, many secrets', async (explained) => {
        const conditions = conditionsOf((await explained(text))!.plan, 'secret_versions');
        expect(conditions).toEqual([expect.stringContaining('secret_id')]);
      });
    },
  );
});

/** By what the rows of a table are found in indexes. */
const conditionsOf = (node: PlanNode, table: string): (string | undefined)[] => [
  ...(node['Relation Name'] === table ? [node['Index Cond']] : []),
  ...(node.Plans ?? []).flatMap((next) => conditionsOf(next, table)),
];
