// @long: kills processes
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRootKey } from '@coffer/domain';
import {
  AwsAccount,
  credentialsAt,
  LocalTarget,
  openGate,
  reportSearch,
  runs,
  SEARCH_SEED,
  searchTime,
  syncTargets,
  testDatabase,
  type Gate,
  type SyncTarget,
} from '@coffer/domain/testing';
import { Pool } from 'pg';
import { expect, it } from 'vitest';
import { freeKilled } from '../../harness/killed-work.ts';
import { killProcess, startProcess } from '../../harness/server-process.ts';

// The server is killed beside syncs, imports and removals: before and after each kind of call, at the statements between
// them, and at any time. `pnpm syncs` does this fifty times; here it is done a few times.

const KILLS = runs(1, 50);
const PATIENCE = 240_000;
/** Milliseconds after which the server is killed although the moment has not come. */
const LONGEST = 4_000;

/** Destinations of both layouts, and one that cannot be read back. */
const DESTINATIONS = ['aws-parameter-store', 'external-infisical', 'github', 'hashicorp-vault'] as const;

type Kind = 'sync' | 'import' | 'removal';
/** At a call of a destination, or a statement: before the other side gets it, or after. Or at any time. */
type Moment =
  | { readonly call: number; readonly isHeard: boolean }
  | { readonly statement: string; readonly isHeard: boolean }
  | undefined;

const around = (of: Record<string, unknown>) => [false, true].map((isHeard) => ({ ...of, isHeard }) as Moment);
const EVERYWHERE = [0, 1, 2, 4, 7].flatMap((call) => around({ call }));
const at = (...names: string[]) => names.flatMap((name) => around({ statement: `secret_sync.${name}` }));
const MOMENTS: readonly (readonly [Kind, Moment])[] = [
  ...[...EVERYWHERE, ...at('begin', 'intend', 'confirm', 'note'), undefined].map((one) => ['sync', one] as const),
  ...[...EVERYWHERE.slice(0, 4), ...at('note_import'), undefined].map((one) => ['import', one] as const),
  ...[...EVERYWHERE, ...at('drop_claims', 'note_removal'), undefined].map((one) => ['removal', one] as const),
];

/** In the region whose token service the connection asks. */
function parameterStore(): SyncTarget {
  const [account, path] = [new AwsAccount({ region: 'us-east-1' }), '/app/'];
  return {
    credentials: { method: 'access-key', ...account.keys },
    config: { region: account.region, path },
    serve: (standIns) => account.serve(standIns),
    held: () =>
      Object.fromEntries(Array.from(account.parameters, ([name, { value }]) => [name.slice(path.length), value])),
    put: (name, value) => void account.parameters.set(path + name, { value, type: 'SecureString' }),
  };
}

/** A destination in this process, which can stop the server in the middle of a call. */
class Destination {
  readonly name: string;
  readonly target: SyncTarget;
  /** What others have put there. */
  readonly theirs = new Map<string, string>();
  id = '';
  canImport = false;
  readonly #calls: Calls;
  #local: LocalTarget | undefined;

  constructor(name: string, calls: Calls) {
    this.name = name;
    this.target = name === 'aws-parameter-store' ? parameterStore() : syncTargets[name]!();
    this.#calls = calls;
  }

  async open(): Promise<readonly string[]> {
    this.#local = await LocalTarget.open(this.target, (answer) => this.#calls.pass(answer));
    // GitHub and AWS have only names of these letters.
    this.put(`OTHER_${this.name.replaceAll('-', '_').toUpperCase()}`, 'of others');
    return this.#local.serviceUrls;
  }

  put(name: string, value: string): void {
    this.target.put(name, value);
    this.theirs.set(name, value);
  }

  get held(): Record<string, unknown> {
    return { ...this.target.held() };
  }

  close(): void {
    this.#local?.close();
  }
}

/** The calls of all destinations. From the one that is waited for on, none is answered. */
class Calls {
  #left = Infinity;
  #isHeard = true;
  #caught = () => {};

  pass(answer: () => void): void {
    if (this.#left < 0) return;
    if (this.#left-- > 0) return answer();
    // The one that hears it answers into a connection of nobody.
    if (this.#isHeard) answer();
    this.#caught();
  }

  stopAt(call: number, isHeard: boolean): Promise<void> {
    [this.#left, this.#isHeard] = [call, isHeard];
    return new Promise((resolve) => (this.#caught = resolve));
  }

  open(): void {
    [this.#left, this.#isHeard] = [Infinity, true];
  }
}

const random = (below: number) => Math.floor(Math.random() * below);

it(
  'leaves destinations as their source is, with what others have put there, however often the server is killed',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'coffer-syncs-'));
    const own = await testDatabase();
    const url = new URL(own.url);
    const gate = await openGate({ port: Number(url.port) });
    url.port = String(gate.port);
    const database = new Pool({ connectionString: own.url, max: 2 });
    const calls = new Calls();
    const destinations = DESTINATIONS.map((name) => new Destination(name, calls));
    const serviceUrls: string[] = [];
    for (const one of destinations) serviceUrls.push(...(await one.open()));
    const environment = {
      DATABASE_URL: url.href,
      COFFER_ROOT_KEY: makeRootKey(),
      COFFER_DATA_DIR: directory,
      LOG_LEVEL: 'info',
      COFFER_OUTBOUND_ALLOW: '127.0.0.0/8',
      COFFER_SERVICE_URLS: serviceUrls.join(','),
    };
    let server = await startProcess(environment);
    const counts = { caught: 0, imports: 0, removals: 0 };
    try {
      const source = await Source.make(server.url, destinations);
      const expectSettled = async (when: number) => {
        // Imports that are pending change the source, which not all syncs follow.
        await settle(database, false);
        for (const one of destinations) await source.ask(one, 'sync-secrets');
        await settle(database);
        const { rows } = await database.query(
          'select destination, sync_message, import_message, remove_message, last_import_job_id from secret_syncs',
        );
        const none = { sync_message: null, import_message: null, remove_message: null };
        expect([when, rows]).toEqual([when, rows.map((row) => ({ ...row, ...none }))]);
        const secrets = await source.secrets();
        expect([when, secrets]).toEqual([when, expect.objectContaining(source.certain())]);
        const others = new Map(destinations.flatMap(({ theirs }) => [...theirs]));
        source.adoptImported(secrets);
        for (const [name, value] of Object.entries(secrets))
          expect([when, name, value]).toEqual([when, name, source.own.get(name) ?? others.get(name)]);
        for (const { name, theirs, held } of destinations)
          expect([when, name, held]).toEqual([when, name, { ...secrets, ...Object.fromEntries(theirs) }]);
      };
      for (let i = 0; i < KILLS; i++) {
        const [kind, moment] = MOMENTS[(SEARCH_SEED + i * 7) % MOMENTS.length]!;
        await source.change();
        const caught = Promise.race([arm(moment, calls, gate), sleep(moment ? LONGEST : random(1_500), false)]);
        const importing = destinations.filter(({ canImport }) => canImport && kind === 'import');
        for (const [n, one] of importing.entries()) one.put(`IMPORTED_${i}_${n}`, `imported ${i}`);
        // The server may be killed before it answers.
        const asking = destinations.map(async (one) => {
          if (kind === 'removal') await source.ask(one, 'remove-secrets').then(() => counts.removals++);
          else if (importing.includes(one)) await source.import(one).then(() => counts.imports++);
          else await source.ask(one, 'sync-secrets');
        });
        const asked = Promise.allSettled(asking);
        if (await caught) counts.caught++;
        await sleep(random(10));
        await killProcess(server);
        await asked;
        calls.open();
        await gate.open();
        await freeKilled(database, { table: 'secret_syncs', claimedUntil: 'claimed_until' });
        await database.query(REQUEUE);
        server = await startProcess(environment);
        source.url = server.url;
        for (const { name, theirs, held } of destinations)
          expect([i, name, held]).toEqual([i, name, expect.objectContaining(Object.fromEntries(theirs))]);
        if (i % 5 === 4) await expectSettled(i);
      }
      await expectSettled(KILLS);
      for (const one of destinations) await source.ask(one, 'remove-secrets');
      await settle(database);
      for (const { name, theirs, held } of destinations)
        expect([name, held]).toEqual([name, Object.fromEntries(theirs)]);
      reportSearch({ kills: KILLS, ...counts });
      expect(counts.caught).toBeGreaterThanOrEqual(runs(0, 25));
    } finally {
      await killProcess(server);
      for (const one of destinations) one.close();
      await gate.close();
      await database.end();
      await own.drop();
      await rm(directory, { recursive: true, force: true });
    }
  },
  searchTime(PATIENCE + KILLS * 30_000),
);

/** Resolves with whether the moment has come. */
async function arm(moment: Moment, calls: Calls, gate: Gate): Promise<boolean> {
  if (!moment) return new Promise(() => {});
  const { isHeard } = moment;
  await ('call' in moment ? calls.stopAt(moment.call, isHeard) : gate.stallAt(moment.statement, isHeard));
  return true;
}

/** The folder that is synced. */
class Source {
  url: string;
  /** The secrets that were written here. */
  readonly own = new Map<string, string>();
  /** What was imported for certain, since the request was answered. */
  readonly #imported = new Map<string, string>();
  /** All values that were ever written, by name. */
  readonly #written = new Map<string, Set<string>>();
  #token = '';
  #projectId = '';
  #organizationId = '';

  private constructor(url: string) {
    this.url = url;
  }

  static async make(url: string, destinations: readonly Destination[]): Promise<Source> {
    const source = new Source(url);
    const account = { email: 'admin@example.com', password: 'a long password for nobody', organization: 'Acme' };
    const { identity, organization } = await source.#call('POST', '/api/v1/admin/bootstrap', account);
    source.#token = identity.credentials.token;
    source.#organizationId = organization.id;
    source.#projectId = (await source.#call('POST', '/api/v1/projects', { projectName: 'Shop' })).project.id;
    const { secretSyncOptions } = await source.#call('GET', '/api/v1/secret-syncs/options');
    for (const [n, one] of destinations.entries()) await source.#sync(one, n % 2 === 0, secretSyncOptions);
    return source;
  }

  async #sync(one: Destination, isAutoSyncEnabled: boolean, options: SyncOption[]): Promise<void> {
    const { connection, canImportSecrets } = options.find(({ destination }) => destination === one.name)!;
    const { method, ...credentials } = credentialsAt(one.target, this.#organizationId);
    const projectId = this.#projectId;
    const named = { name: one.name, projectId, method, credentials };
    const { appConnection } = await this.#call('POST', `/api/v1/app-connections/${connection}`, named);
    const { secretSync } = await this.#call('POST', `/api/v1/secret-syncs/${one.name}`, {
      ...{ name: one.name, projectId, connectionId: appConnection.id, environment: 'dev', secretPath: '/' },
      ...{ syncOptions: {}, destinationConfig: one.target.config, isAutoSyncEnabled },
    });
    one.id = secretSync.id;
    one.canImport = canImportSecrets;
  }

  /** Writes some secrets, and deletes some. */
  async change(): Promise<void> {
    const names = new Set(Array.from({ length: 6 }, () => `KEY_${random(16)}`));
    const secrets = Array.from(names, (secretKey) => ({ secretKey, secretValue: `value ${Math.random()}` }));
    // An import may create one of them at the same time.
    const write = () => this.#at('PATCH', '/api/v4/secrets/batch', { mode: 'upsert', secrets });
    await write().catch(write);
    for (const { secretKey, secretValue } of secrets) {
      this.own.set(secretKey, secretValue);
      this.#written.set(secretKey, new Set(this.#written.get(secretKey)).add(secretValue));
    }
    for (const name of [...this.own.keys()].filter(() => random(6) === 0)) {
      await this.#at('DELETE', `/api/v4/secrets/${name}`);
      this.own.delete(name);
    }
  }

  /** `sync-secrets` or `remove-secrets`. */
  ask = (one: Destination, what: string) => this.#call('POST', `/api/v1/secret-syncs/${one.name}/${one.id}/${what}`);

  async import(one: Destination): Promise<void> {
    const theirs = [...one.theirs];
    await this.ask(one, 'import-secrets?importBehavior=prioritize-source');
    for (const [name, value] of theirs) this.#imported.set(name, value);
  }

  /** An import brings back what was deleted here, and not yet there. */
  adoptImported(secrets: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(secrets))
      if (!this.own.has(name) && this.#written.get(name)?.has(value)) this.own.set(name, value);
  }

  /** What is in the folder, whatever else was imported. */
  certain = () => Object.fromEntries([...this.own, ...this.#imported]);

  async secrets(): Promise<Record<string, string>> {
    const query = `projectId=${this.#projectId}&environment=dev&secretPath=/`;
    const { secrets } = await this.#call('GET', `/api/v4/secrets?${query}`);
    return Object.fromEntries(
      secrets.map(({ secretKey, secretValue }: Record<string, string>) => [secretKey, secretValue]),
    );
  }

  #at(method: string, path: string, body: object = {}) {
    return this.#call(method, path, { projectId: this.#projectId, environment: 'dev', secretPath: '/', ...body });
  }

  async #call(method: string, path: string, body?: object) {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(this.#token && { authorization: `Bearer ${this.#token}` }),
    };
    const answer = await fetch(`${this.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
    const said = (await answer.json()) as any;
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${JSON.stringify(said)}`);
    return said;
  }
}

interface SyncOption {
  readonly destination: string;
  readonly connection: string;
  readonly canImportSecrets: boolean;
}

/** Of all that is due or claimed: a job, as those get every few minutes that have lost theirs. */
const REQUEUE = `select graphile_worker.add_job('integration.sync', job_key := 'integration:' || id,
    payload := json_build_object('organizationId', organization_id, 'integrationId', id))
  from secret_syncs where due_at is not null or claimed_until is not null`;

/** Lets the time pass until retries are due, and waits until nothing is to be done. A removal ends retries of a sync that failed. */
async function settle(database: Pool, isSynced = true): Promise<void> {
  for (const deadline = performance.now() + PATIENCE; ; await sleep(200)) {
    const { rows } = await database.query(
      `select destination, sync_message, import_message, remove_message
      from secret_syncs where due_at is not null or claimed_until > now() or import_requested is not null or remove_requested
        or ($1 and not is_synced) or exists (select from graphile_worker.jobs where task_identifier = 'secrets.changed' and attempts < max_attempts)`,
      [isSynced],
    );
    if (rows.length === 0) return;
    if (performance.now() > deadline) throw new Error(`These are not done: ${JSON.stringify(rows)}`);
    await database.query('update secret_syncs set due_at = now() where due_at > now()');
    await database.query(
      `update graphile_worker._private_jobs set run_at = now() where key like 'integration:%' and run_at > now()`,
    );
  }
}
