import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkBoundaries } from './boundaries.mjs';

const domain = 'packages/domain/src';
let root;

/** Writes a workspace of the given files (other modules that they import need not exist) and checks it. */
function problems(files) {
  root = mkdtempSync(join(tmpdir(), 'boundaries-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkBoundaries(root).problems;
}

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Each row: its subject, the importing file, its text, and a part of the complaint (empty: valid). */
function rows(table) {
  it.each(table)('%s', (_, path, text, complaint) => {
    const found = problems({ [path]: text });
    const wanted = complaint === undefined ? [] : [complaint];
    expect(found).toHaveLength(wanted.length);
    for (const part of wanted) expect(found[0]).toContain(part);
  });
}

describe('packages', () => {
  rows([
    ['api uses domain', 'packages/api/src/a.ts', `import { x } from '@coffer/domain'`],
    ['apps use api', 'apps/server/src/a.ts', `import { x } from '@coffer/api'`],
    ['apps use postgres', 'apps/server/src/a.ts', `import { x } from '@coffer/postgres'`],
    ['bench uses the server', 'bench/bench.ts', `import { x } from '@coffer/server'`],
    ['the tests of domain start postgres', `${domain}/testing/a.ts`, `import { x } from '@coffer/postgres'`],
    ['client uses types of api', 'packages/client/src/a.ts', `import type { X } from '@coffer/api'`],
    ['client re-exports types of api', 'packages/client/src/a.ts', `export type { X } from '@coffer/api'`],
    ['client names a type of api', 'packages/client/src/a.ts', `type X = import('@coffer/api').X`],
    ['client uses values of api', 'packages/client/src/a.ts', `import { x } from '@coffer/api'`, 'only types'],
    ['client loads api for a type', 'packages/client/src/a.ts', `import { type X } from '@coffer/api'`, 'only types'],
    ['client loads api later', 'packages/client/src/a.ts', `await import('@coffer/api')`, 'only types'],
    ['client re-exports api', 'packages/client/src/a.ts', `export * from '@coffer/api'`, 'only types'],
    ['client uses domain', 'packages/client/src/a.ts', `import type { X } from '@coffer/domain'`, 'may not import'],
    ['domain uses a type of api', `${domain}/a.ts`, `import type { X } from '@coffer/api'`, 'may not import'],
    ['a test of domain uses api', `${domain}/a.test.ts`, `import { x } from '@coffer/api'`, 'may not import'],
    ['api uses an app', 'packages/api/src/a.ts', `import { x } from '@coffer/server'`, 'may not import'],
    ['api uses postgres', 'packages/api/src/a.ts', `import { x } from '@coffer/postgres'`, 'may not import'],
    ['domain ships postgres', `${domain}/a.ts`, `import { x } from '@coffer/postgres'`, 'may not import'],
    ['domain uses x509', `${domain}/a.ts`, `import { x } from '@coffer/x509/ber'`],
    ['x509 uses domain', 'packages/x509/src/a.ts', `import { x } from '@coffer/domain'`, 'may not import'],
    ['ssh uses x509', 'packages/ssh/src/a.ts', `import { x } from '@coffer/x509'`],
    ['x509 uses ssh', 'packages/x509/src/a.ts', `import { x } from '@coffer/ssh'`, 'may not import'],
    ['api uses x509', 'packages/api/src/a.ts', `import { x } from '@coffer/x509'`, 'may not import'],
    ['domain uses itself by name', `${domain}/a.ts`, `import { x } from '@coffer/domain'`, 'its own package'],
    ['an import leaves its package', 'packages/api/src/a.ts', `import '../../domain/src/b.ts'`, 'leaves its package'],
    ['a path is computed', 'packages/api/src/a.ts', 'await import(`./${name}.ts`)', 'computed path'],
    ['a path is computed for examples', `${domain}/family/testing/examples.ts`, 'await import(`./${name}.ts`)'],
    [
      'the examples of a member use test code',
      `${domain}/a/methods/b/examples.ts`,
      `import { x } from '../../testing/a.ts'`,
    ],
    ['a member uses examples', `${domain}/a/methods/b/b.ts`, `import { x } from './examples.ts'`, 'uses test code'],
    ['a path is a plain template', 'packages/api/src/a.ts', 'await import(`./b.ts`)'],
    ['what ships uses test code', 'apps/server/src/a.ts', `import { x } from '@coffer/domain/testing'`, 'test code'],
    [
      'what ships uses test code of another package',
      `${domain}/a.ts`,
      `import { x } from '@coffer/x509/testing'`,
      'test code',
    ],
    ['the command line uses a server', 'apps/cli/src/a.ts', `import { x } from '@coffer/server'`, 'may not import'],
    [
      'a test of the command line uses a server',
      'apps/cli/test/a.test.ts',
      `import { x } from '@coffer/server/testing'`,
    ],
    ['a test uses test code', 'apps/server/src/a.test.ts', `import { x } from '@coffer/domain/testing'`],
  ]);
});

describe('features', () => {
  rows([
    ['the kernel uses the kernel', `${domain}/kernel/a.ts`, `import './errors.ts'`],
    [
      'the kernel uses a type of a folder',
      `${domain}/kernel/a.ts`,
      `import type { X } from '../audit/index.ts'`,
      'kernel',
    ],
    ['a feature uses the kernel', `${domain}/projects/tag/tag.ts`, `import '../../kernel/scalars.ts'`],
    ['a feature uses itself', `${domain}/projects/tag/tag.service.ts`, `import './tag.ts'`],
    ['a feature enters by the index', `${domain}/projects/tag/tag.ts`, `import '../../users/user/index.ts'`],
    ['a feature enters an area by the index', `${domain}/projects/tag/tag.ts`, `import '../../audit/index.ts'`],
    [
      'a feature reaches into a feature',
      `${domain}/projects/tag/tag.ts`,
      `import '../project/project.ts'`,
      'reaches into',
    ],
    ['a feature reaches into an area', `${domain}/projects/tag/tag.ts`, `import '../../audit/seal.ts'`, 'reaches into'],
    ['a feature takes a type from inside', `${domain}/a/b/b.ts`, `import type { X } from '../c/c.ts'`, 'reaches into'],
    ['a test looks inside', `${domain}/projects/tag/tag.test.ts`, `import '../project/project.ts'`],
    ['a feature uses a loose file of its area', `${domain}/pki/ca/ca.ts`, `import '../x509.ts'`],
    ['an area reaches into its feature', `${domain}/pki/x509.ts`, `import './ca/ca.ts'`, 'reaches into'],
    ['an entity points to its parent', `${domain}/a/b/b.entity.ts`, `import { C } from '../c/c.entity.ts'`],
    ['a service takes a foreign entity', `${domain}/a/b/b.service.ts`, `import '../c/c.entity.ts'`, 'reaches into'],
    ['app puts features together', `${domain}/app/catalogue.ts`, `import '../projects/tag/tag.entity.ts'`],
    ['an area uses one before it', `${domain}/projects/a/a.ts`, `import '../../secrets/secret/index.ts'`],
    ['an area uses one behind it', `${domain}/secrets/a/a.ts`, `import '../../projects/project/index.ts'`, 'below'],
    ['a type counts', `${domain}/access/a.ts`, `import type { X } from '../users/user/index.ts'`, 'below'],
    ['an entity counts', `${domain}/access/a/a.entity.ts`, `import '../../users/user/user.entity.ts'`, 'below'],
    [
      'connections stand above',
      `${domain}/projects/a/a.ts`,
      `import '../../connections/a/index.ts'`,
      'below connections',
    ],
    ['an area without a place', `${domain}/new/a.ts`, `import '../access/index.ts'`, 'no place'],
  ]);

  it('counts a folder without an index as part of its area', () => {
    const files = { [`${domain}/audit/index.ts`]: '', [`${domain}/audit/chain/link.ts`]: `import '../seal/sign.ts'` };
    expect(problems(files)).toEqual([]);
  });
});

describe('families', () => {
  const methods = `${domain}/identities/auth-method/methods`;
  rows([
    ['a member uses the contract', `${methods}/jwt.ts`, `import '../auth-method.ts'`],
    ['a member uses its own folder', `${methods}/aws/aws.ts`, `import './sign.ts'`],
    ['the registry lists members', `${domain}/identities/auth-method/registry.ts`, `import './methods/jwt.ts'`],
    ['a member uses a member', `${methods}/oidc.ts`, `import './jwt.ts'`, 'never import one another'],
    ['a member uses a folder of a member', `${methods}/oidc.ts`, `import './aws/sign.ts'`, 'never import one another'],
    ['a member uses the list', `${methods}/oidc.ts`, `import type { X } from './index.ts'`, 'never import one another'],
    ['a client uses a client', `${domain}/apps/aws/json.ts`, `import '../github/index.ts'`, 'never import one another'],
    ['a client uses its own folder', `${domain}/apps/aws/json.ts`, `import './sign.ts'`],
    ['a member elsewhere', 'apps/server/src/members/a.ts', `import './b.ts'`, 'never import one another'],
  ]);
});

describe('cycles', () => {
  const ring = (from, to) => ({ [`${domain}/a/${from}`]: `import type { X } from './${to}'` });

  it('reports the shortest cycle of modules once', () => {
    const files = {
      [`${domain}/a/one.ts`]: `import './two.ts'; import './three.ts'`,
      [`${domain}/a/two.ts`]: `export * from './three.ts'`,
      [`${domain}/a/three.ts`]: `await import('./one.ts')`,
    };
    const path = (name) => `${domain}/a/${name}.ts`;
    expect(problems(files)).toEqual([
      `${path('one')}: imports itself: ${path('one')} → ${path('three')} → ${path('one')}`,
    ]);
  });

  it('accepts modules that share one', () => {
    const files = {
      [`${domain}/a/one.ts`]: `import './two.ts'; import './three.ts'`,
      [`${domain}/a/two.ts`]: `import './three.ts'`,
      [`${domain}/a/three.ts`]: '',
    };
    expect(problems(files)).toEqual([]);
  });

  it('permits cycles of entities only as types', () => {
    expect(problems({ ...ring('b.entity.ts', 'c.entity.ts'), ...ring('c.entity.ts', 'b.entity.ts') })).toEqual([]);
    expect(problems({ ...ring('b.ts', 'c.ts'), ...ring('c.ts', 'b.ts') })).toHaveLength(1);
  });

  it('refuses entities that load each other', () => {
    const files = {
      [`${domain}/a/b.entity.ts`]: `import './c.entity.ts'`,
      [`${domain}/a/c.entity.ts`]: `import './b.entity.ts'`,
    };
    expect(problems(files)).toHaveLength(1);
  });
});

describe('names', () => {
  rows([
    ['a file named after nothing', `${domain}/a/utils.ts`, '', 'says nothing'],
    ['a file of helpers', `${domain}/a/tag-helpers.test.ts`, '', 'says nothing'],
    ['a folder for everything', 'packages/api/src/common/a.ts', '', 'says nothing'],
    ['a domain word that begins alike', `${domain}/pki/common-name.ts`, ''],
  ]);
});

describe('checkBoundaries', () => {
  it('reports how much it has read, and the location of a problem', () => {
    const files = { 'packages/api/src/a.ts': `\n\nimport '@coffer/server';`, 'packages/api/src/b.ts': '' };
    expect(problems(files)).toEqual(['packages/api/src/a.ts:3: packages/api may not import @coffer/server']);
    expect(checkBoundaries(root)).toMatchObject({ modules: 2, imports: 1 });
  });

  it('stops at a file that it cannot read', () => {
    expect(() => problems({ 'packages/api/src/a.ts': 'import {' })).toThrow('packages/api/src/a.ts cannot be read');
  });
});

describe('schemas', () => {
  const entry = { [`${domain}/schemas.ts`]: `export * from './a/b/b.ts'` };

  it('may be imported past the index.ts of a feature', () => {
    const files = { [`${domain}/users/b/index.ts`]: `export * from './b.ts'`, [`${domain}/users/b/b.ts`]: '' };
    const from = { [`${domain}/identities/c/c.ts`]: `import '../../users/b/b.ts'` };
    expect(problems({ ...files, ...from })).toHaveLength(1);
    expect(problems({ ...files, ...from, [`${domain}/schemas.ts`]: `export * from './users/b/b.ts'` })).toEqual([]);
  });

  it.each([
    ['import zod and types', `import { z } from 'zod'; import type { KeyObject } from 'node:crypto'`],
    ['import modules of x509 that run in browsers', `import '@coffer/x509/content'`],
    ['reach Node', `import '@coffer/x509/ber'`, 'may not import node:util'],
    ['reach the database', `import './c.ts'`, 'may not import pg'],
    ['load a module for its types', `import { type X } from '@mikro-orm/core'`, 'may not import @mikro-orm/core'],
  ])('%s', (_, text, complaint) => {
    const found = problems({
      ...entry,
      [`${domain}/a/b/b.ts`]: text,
      [`${domain}/a/b/c.ts`]: `import 'pg'`,
      'packages/x509/src/content.ts': '',
      'packages/x509/src/ber.ts': `import 'node:util'`,
    });
    expect(found).toHaveLength(complaint === undefined ? 0 : 1);
    for (const one of found) expect(one).toContain(complaint);
  });
});
