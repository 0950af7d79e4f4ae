import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMember } from '../access/membership/index.ts';
import { DomainError, invalidate, inTransaction, statement, type Actor } from '../kernel/index.ts';
import { updateEnvironment } from './environment/environment.service.ts';
import { makeOrganization, makeProject, makeUser, testCoffer, type TestCoffer } from '../testing/index.ts';
import { runs, searchTime } from '../testing/search.ts';
import { createFolder } from './folder/create.ts';
import { nameOf as nameOfFolder, parentPath } from './folder/index.ts';
import { deleteFolder } from './tree/remove.ts';
import { updateFolder } from './tree/update.ts';
import {
  createSecret,
  createSecrets,
  deleteSecrets,
  moveSecrets,
  updateSecret,
  updateSecrets,
} from './secret/index.ts';
import { referencesIn, targetKey, type Target } from './secret/reference/reference.ts';
import { CONTENT_COLUMNS, openText, SECRET_COLUMNS, SECRET_TABLES, type SecretRow } from './secret/row.ts';

/**
 * After any history of operations, including failed ones: every stored version opens at its location, versions have no
 * gaps, references are recorded as written, and the contents equal those of a naive model.
 */
let test: TestCoffer;
let organizationId: string;
let admin: Actor;
let user: Actor;

beforeAll(async () => {
  test = await testCoffer();
  const organization = await makeOrganization(test.coffer);
  organizationId = organization.id;
  admin = organization.admin.actor;
  user = { ...(await makeUser(test.coffer, { organizationId })).actor, organizationId };
});
afterAll(() => test.close());

/** A value without the locations of its references: these are modelled separately, because they move. */
interface Kept {
  readonly id: string;
  readonly word: string;
  readonly targets: readonly Target[];
  version: number;
}

/** By location. Personal values are under the key with a leading `~`. */
type Model = Map<string, Target & Kept>;

const ENVIRONMENTS = ['dev', 'prod'];
const PATHS = ['/', '/a', '/b', '/a/c'];
const KEYS = ['A', 'B', 'C', 'D'];
const place = fc.record({ environment: fc.constantFrom(...ENVIRONMENTS), secretPath: fc.constantFrom(...PATHS) });
const key = fc.constantFrom(...KEYS);
const value = fc.record({
  word: fc.constantFrom('v', 'line\n', 'ünï😀', ''),
  refersTo: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom('A', 'D', 'dev.B', 'prod.a.C', 'dev.b.A', 'dev.a.c.D'), { maxLength: 2 }),
    },
  ),
});
const textOf = ({ word, refersTo }: { word: string; refersTo: string[] }) =>
  `${word}|${refersTo.map((to) => `\${${to}}`).join('')}`;

const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      at: place,
      secrets: fc.uniqueArray(fc.record({ key, value }), { selector: (one) => one.key, minLength: 1 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      at: place,
      mode: fc.constantFrom('failOnNotFound' as const, 'ignore' as const, 'upsert' as const),
      changes: fc.uniqueArray(
        fc.record({ key, value: fc.option(value, { nil: undefined }), to: fc.option(key, { nil: undefined }) }),
        { selector: (one) => one.key, minLength: 1 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      at: place,
      keys: fc.uniqueArray(key, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      at: place,
      to: place,
      keys: fc.uniqueArray(key, { minLength: 1 }),
      overwrite: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('personal' as const),
      at: place,
      key,
      word: fc.constantFrom('mine', 'mine|${A}'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('renameFolder' as const),
      environment: fc.constantFrom(...ENVIRONMENTS),
      from: fc.constantFrom('a', 'b'),
      to: fc.constantFrom('a', 'b', 'c'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('removeFolder' as const),
      environment: fc.constantFrom(...ENVIRONMENTS),
      name: fc.constantFrom('a', 'b'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('renameEnvironment' as const),
      from: fc.constantFrom('dev', 'staging'),
      to: fc.constantFrom('dev', 'staging'),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const ctx = (actor = admin) => test.coffer.contextFor(actor);
const nameOf = ({ environment, path, key: name }: Target) => targetKey({ environment, path, key: name });

const LIVING = statement('test.living', `select ${SECRET_COLUMNS} from ${SECRET_TABLES} where s.project_id = $1`);
const KEPT = statement(
  'test.kept',
  `select s.secret_id as id, s.project_id as "projectId", s.is_deleted, ${CONTENT_COLUMNS} from secret_versions s where s.project_id = $1 order by s.version`,
);
const NOTED = statement(
  'test.noted',
  'select secret_id, environment, path, key from secret_references where project_id = $1',
);
const FOLDERS = statement(
  'test.folders_of_project',
  `select f.id, f.path, e.slug as environment, e.id as environment_id from folders f join environments e on e.id = f.environment_id where f.project_id = $1`,
);

/** The stored state as a model; checks all invariants while reading. */
async function stored(projectId: string): Promise<Model> {
  const sql = ctx().sql.bind(ctx());
  const keys = await test.coffer.keys.project(organizationId, projectId);
  const living = await sql<SecretRow>(LIVING, [projectId]);
  const kept = await sql<SecretRow & { is_deleted: boolean }>(KEPT, [projectId]);
  for (const row of kept) openText(keys, row);
  const versions = Map.groupBy([...kept, ...living], (row) => row.id);
  const isLiving = new Set(living.map((row) => row.id));
  for (const [id, rows] of versions) {
    expect(rows.map((row) => row.version)).toEqual(rows.map((_, index) => index + 1));
    const ends = rows.map((row) => 'is_deleted' in row && row.is_deleted === true);
    expect(ends).toEqual(rows.map((_, index) => !isLiving.has(id) && index === rows.length - 1));
  }
  const noted = Map.groupBy(await sql<Target & { secret_id: string }>(NOTED, [projectId]), (row) => row.secret_id);
  const shared = new Set(living.filter((row) => row.userId === null).map((row) => nameOf(row)));
  return new Map(
    living.map((row) => {
      const { value: text } = openText(keys, row);
      const targets = referencesIn(text, row);
      const names = [...new Set(targets.map(targetKey))].toSorted((a, b) => a.localeCompare(b));
      expect((noted.get(row.id) ?? []).map(targetKey).toSorted((a, b) => a.localeCompare(b))).toEqual(names);
      expect(row.userId === null || shared.has(nameOf(row))).toBe(true);
      const { id, version, environment, path, key: name } = row;
      const one = { id, version, environment, path, key: name, word: text.split('|')[0]!, targets: targets.map(pick) };
      return [(row.userId === null ? '' : '~') + nameOf(one), one];
    }),
  );
}

const pick = ({ environment, path, key: name }: Target): Target => ({ environment, path, key: name });

/** The model after everything at some places went to others: secrets, and what refers to them. */
function moved(model: Model, to: (target: Target) => Target, bumped: ReadonlySet<string> = new Set()): Model {
  const entries = [...model.values()].map((one) => {
    const targets = one.targets.map(to);
    return { ...one, ...to(one), targets, version: one.version + (bumped.has(one.id) ? 1 : 0) };
  });
  return new Map(
    entries.map((one, index) => [([...model.keys()][index]!.startsWith('~') ? '~' : '') + nameOf(one), one]),
  );
}

/** Runs one operation and returns the expected model. */
async function run(projectId: string, model: Model, op: Operation): Promise<Model> {
  const folders = () =>
    ctx().sql<{ id: string; path: string; environment: string; environment_id: string }>(FOLDERS, [projectId]);
  const folderId = async (environment: string, path: string) =>
    (await folders()).find((one) => one.environment === environment && one.path === path)?.id ?? 'none';
  const fresh = (
    at: { environment: string; secretPath: string },
    name: string,
    text: string,
    id: string,
    version: number,
  ) => {
    const target = { environment: at.environment, path: at.secretPath, key: name };
    return { ...target, id, version, word: text.split('|')[0]!, targets: referencesIn(text, target).map(pick) };
  };
  const next = new Map(model);
  switch (op.do) {
    case 'create': {
      const secrets = op.secrets.map((one) => ({ secretKey: one.key, secretValue: textOf(one.value) }));
      for (const one of await createSecrets(ctx(), { projectId, ...op.at, secrets })) {
        const created = fresh(op.at, one.secretKey, one.secretValue, one.id, 1);
        next.set(nameOf(created), created);
      }
      return next;
    }
    case 'update': {
      const secrets = op.changes.map((change) => ({
        secretKey: change.key,
        ...(change.value && { secretValue: textOf(change.value) }),
        ...(change.to && { newSecretName: change.to }),
      }));
      const answered = await updateSecrets(ctx(), { projectId, ...op.at, mode: op.mode, secrets });
      const at = (name: string): Target => ({ environment: op.at.environment, path: op.at.secretPath, key: name });
      const present = op.changes.filter((change) => model.has(nameOf(at(change.key))));
      for (const change of present.filter((one) => one.value)) {
        const before = model.get(nameOf(at(change.key)))!;
        next.set(nameOf(before), fresh(op.at, change.key, textOf(change.value!), before.id, before.version));
      }
      const renamed = new Map(present.map((change) => [nameOf(at(change.key)), at(change.to ?? change.key)]));
      const changed = moved(next, (target) => renamed.get(nameOf(target)) ?? pick(target));
      for (const one of op.mode === 'upsert' ? op.changes : []) {
        if (present.includes(one)) continue;
        const name = one.to ?? one.key;
        const { id } = answered.find((secret) => secret.secretKey === name)!;
        changed.set(nameOf(at(name)), fresh(op.at, name, one.value ? textOf(one.value) : '', id, 1));
      }
      return changed;
    }
    case 'delete': {
      await deleteSecrets(ctx(), {
        projectId,
        ...op.at,
        secrets: op.keys.map((secretKey) => ({ secretKey, type: 'shared' as const })),
      });
      for (const name of op.keys) {
        const target = nameOf({ environment: op.at.environment, path: op.at.secretPath, key: name });
        for (const mark of ['', '~']) next.delete(mark + target);
      }
      return next;
    }
    case 'move': {
      const from = (name: string): Target => ({ environment: op.at.environment, path: op.at.secretPath, key: name });
      const to = (name: string): Target => ({ environment: op.to.environment, path: op.to.secretPath, key: name });
      const names = op.keys.filter((name) => model.has(nameOf(from(name))));
      await moveSecrets(ctx(), {
        projectId,
        sourceEnvironment: op.at.environment,
        sourceSecretPath: op.at.secretPath,
        destinationEnvironment: op.to.environment,
        destinationSecretPath: op.to.secretPath,
        secretIds: names.map((name) => model.get(nameOf(from(name)))!.id),
        shouldOverwrite: op.overwrite,
      });
      for (const name of names) for (const mark of ['', '~']) next.delete(mark + nameOf(to(name)));
      const places = new Map(names.map((name) => [nameOf(from(name)), to(name)]));
      return moved(next, (target) => places.get(nameOf(target)) ?? pick(target));
    }
    case 'personal': {
      const at = { projectId, ...op.at, secretName: op.key, type: 'personal' as const, secretValue: op.word };
      const name = `~${nameOf({ environment: op.at.environment, path: op.at.secretPath, key: op.key })}`;
      const one = await (model.has(name) ? updateSecret(ctx(user), at) : createSecret(ctx(user), at));
      return next.set(name, fresh(op.at, op.key, op.word, one.id, one.version));
    }
    case 'renameFolder': {
      const [from, to] = [`/${op.from}`, `/${op.to}`];
      const id = await folderId(op.environment, from);
      await updateFolder(ctx(), { projectId, environment: op.environment, path: '/', folderId: id, name: op.to });
      const isBelow = (path: string) => path === from || path.startsWith(`${from}/`);
      return moved(model, (target) =>
        target.environment === op.environment && isBelow(target.path)
          ? { ...pick(target), path: to + target.path.slice(from.length) }
          : pick(target),
      );
    }
    case 'removeFolder': {
      await deleteFolder(ctx(), { projectId, environment: op.environment, path: '/', folderId: op.name });
      return new Map(
        [...model].filter(
          ([, one]) => one.environment !== op.environment || !`${one.path}/`.startsWith(`/${op.name}/`),
        ),
      );
    }
    case 'renameEnvironment': {
      const id = (await folders()).find((one) => one.environment === op.from)?.environment_id ?? 'none';
      await updateEnvironment(ctx(), { projectId, id, slug: op.to });
      return moved(model, (target) =>
        target.environment === op.from ? { ...pick(target), environment: op.to } : pick(target),
      );
    }
  }
}

/** Two references to one target differ in their texts until its secret, or theirs, is moved. */
const distinct = (targets: readonly Target[]) => [...new Map(targets.map((one) => [nameOf(one), one])).values()];

/** Versions are checked separately: they increase by one with every change, without gaps. */
const withoutVersions = (model: Model) =>
  Object.fromEntries(
    Array.from(model, ([name, { version: _version, ...one }]) => [name, { ...one, targets: distinct(one.targets) }]),
  );

/** A project with a few folders, and a user with personal secrets. */
async function setUp(): Promise<string> {
  const { id: projectId } = await makeProject(test.coffer, organizationId, admin);
  const { id: userId } = user as { id: string };
  await inTransaction(ctx({ type: 'platform', organizationId }), async (tx) => {
    await addMember(tx, { organizationId, projectId, userId, roles: [{ role: 'member', isTemporary: false }] });
    invalidate(tx, `access:${projectId}`);
  });
  for (const environment of ENVIRONMENTS) {
    for (const path of PATHS.slice(1)) {
      const [parent, name] = [parentPath(path), nameOfFolder(path)];
      await createFolder(ctx(), { projectId, environment, path: parent, name, description: null });
    }
  }
  return projectId;
}

/** The model after an operation, or `undefined` if it was rejected. */
async function attempt(projectId: string, model: Model, op: Operation): Promise<Model | undefined> {
  try {
    return await run(projectId, model, op);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

it(
  'a random history equals a naive model, and every version of it opens',
  { timeout: searchTime(300_000) },
  async () => {
    let [done, asked] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 25 }), async (operations) => {
        const projectId = await setUp();
        let model: Model = new Map();
        for (const op of operations) {
          const next = await attempt(projectId, model, op);
          asked++;
          if (next) done++;
          const now = await stored(projectId);
          expect(withoutVersions(now)).toEqual(withoutVersions(next ?? model));
          for (const [name, { version }] of now) {
            expect(version - (next ?? model).get(name)!.version).toBeLessThanOrEqual(next ? 1 : 0);
          }
          model = now;
        }
      }),
      { numRuns: runs(8, 400) },
    );
    expect(done).toBeGreaterThan(asked / 3);
  },
);

it(
  'concurrent changes leave only valid values and references, and none of them fails',
  { timeout: searchTime(300_000) },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 12, maxLength: 36 }), async (operations) => {
        const projectId = await setUp();
        let model: Model = new Map();
        for (let at = 0; at < operations.length; at += 6) {
          await Promise.all(operations.slice(at, at + 6).map((op) => attempt(projectId, model, op)));
          model = await stored(projectId);
        }
      }),
      { numRuns: runs(4, 200) },
    );
  },
);
