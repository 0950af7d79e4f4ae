import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { knownStatements } from './sql.ts';
import * as domain from '../index.ts';

const root = join(import.meta.dirname, '..');
const sources = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/testing/**'] }).map(
  (path) => [path, readFileSync(join(root, path), 'utf8')] as const,
);
const tables = new Map(
  sources.flatMap(([, text]) => {
    const [, table] = /tableName: '(\w+)'/.exec(text) ?? [];
    const [, entity] = /export (?:const|class) (\w+Entity)\b/.exec(text) ?? [];
    return table && entity ? [[entity, table] as const] : [];
  }),
);

/** What bounds the other lists. */
const BOUNDED: Readonly<Record<string, string>> = {
  additional_privileges: 'their rules together',
  webhooks: 'a maximum of their own',
  pki_alerts: 'a maximum of their own',
  trusted_ips: 'a maximum of their own',
};

const limited = () => new Set(knownStatements().flatMap(({ name }) => /^(\w+)\.few_in_/.exec(name)?.[1] ?? []));

it('lists by the entity manager have a limit, are of given IDs, or of tables with a maximum of rows', () => {
  // Its statements are those of all modules.
  expect(domain.createTag).toBeDefined();
  const tablesWithMaximum = limited();
  // `findInPortions` finds what its callers name.
  const calling = sources.filter(([path]) => path !== 'kernel/find-in-portions.ts');
  const calls = calling.flatMap(([path, text]) =>
    Array.from(text.matchAll(/\b(?:em\.find\(|findInPortions\(ctx,)\s*(\w+),([^;]*);/g), ([, entity, rest]) => ({
      path,
      entity,
      rest,
    })),
  );
  expect(calls.length).toBeGreaterThan(15);
  const unlimited = calls.filter(({ entity, rest }) => {
    const table = tables.get(entity!)!;
    return !(/\blimit\b|\$in\b|\bid: (?:\[|\w+Ids)/.test(rest!) || tablesWithMaximum.has(table) || table in BOUNDED);
  });
  expect(unlimited.map(({ path, entity }) => `${path}: ${entity}`)).toEqual([]);
});

it('statements for all rows of a project, and all dynamic secrets of a folder, are of tables with a maximum of rows', () => {
  expect(domain.createTag).toBeDefined();
  const found = knownStatements().flatMap(({ name, text }) => {
    const [, table] = /^select [^]*?\bfrom (\w+)/.exec(text) ?? [];
    return table && /\.(of|in)_project$|^dynamic_secret\.list$/.test(name) ? [[name, table] as const] : [];
  });
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(([, table]) => !limited().has(table) && !(table in BOUNDED))).toEqual([]);
});

/** Statements that list all rows of tables without a maximum, with what bounds them. */
const LISTS: Readonly<Record<string, string>> = {
  'groups.projects': 'the projects of an organization',
  'identities.of_organization': 'IDs alone, to delete the organization',
  'lease.list': 'a maximum of the dynamic secret',
  'memberships.of_user': 'one in an organization',
  'organization_members.list': 'not bounded: see docs/security.md',
  'project_groups.list': 'the groups of an organization',
  'project_members.list': 'not bounded: see docs/security.md',
  'project_owned_identities.find': 'not bounded: see docs/security.md',
  'service_tokens.list': 'not bounded with expired ones: see docs/security.md',
  'setup_codes.list': 'one for each process',
  'ssh_logins.of_actor': 'the mappings of each project, for all projects of an actor',
  'user_api_keys.list': 'a maximum for each user',
};
const LISTING = /\.(?:list|all|of_(?:member|project|organization|actor|user|group)|projects)$|_owned_\w+\.find$/;

/** The table whose rows a statement lists: subqueries are left out. */
function listedTable(text: string): string | undefined {
  let outer = text;
  for (let before = ''; outer !== before;) {
    before = outer;
    outer = outer.replaceAll(/\([^()]*\)/g, '');
  }
  return /\blimit\b|= any$|\bid = any\b/.test(outer) ? undefined : /\bfrom (\w+)/.exec(outer)?.[1];
}

it('statements that list have a limit, are of given IDs or of tables with a maximum of rows, or have a reason', () => {
  expect(domain.createTag).toBeDefined();
  const listed = knownStatements().flatMap(({ name, text }) => {
    const table = LISTING.test(name) ? listedTable(text) : undefined;
    return table ? [[name, table] as const] : [];
  });
  expect(listed.length).toBeGreaterThan(20);
  const unlimited = listed.filter(([, table]) => !limited().has(table) && !(table in BOUNDED));
  const reasons = Object.keys(LISTS).toSorted((one, other) => one.localeCompare(other));
  expect(unlimited.map(([name]) => name).toSorted((one, other) => one.localeCompare(other))).toEqual(reasons);
});
