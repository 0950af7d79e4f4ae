import { jobs, startWorker, type Worker } from '@coffer/domain';
import { expect } from 'vitest';
import type { Answer, Caller, TestServer } from './test-server.ts';

const WAITING = {
  name: 'test.jobs_waiting',
  text: `select count(*)::integer as n from graphile_worker.jobs where (run_at <= now() and attempts < max_attempts) or locked_at is not null`,
};

export interface Place {
  readonly environment: string;
  readonly path?: string;
}

/** The roots of the environments of a project. */
export const DEV: Place = { environment: 'dev' };
export const STAGING: Place = { environment: 'staging' };
export const PROD: Place = { environment: 'prod' };

/** Common steps for replications. */
export interface Replications {
  /** Runs all due jobs, and those that they enqueue. */
  settle(): Promise<void>;
  stop(): Promise<void>;
  /** A new project, or an existing one. */
  project(known?: { id: string; slug: string }): Promise<ReplicationProject>;
}

export interface ReplicationProject {
  readonly id: string;
  readonly slug: string;
  put(place: Place, name: string, value: string, more?: object): Promise<Answer>;
  change(place: Place, name: string, more: object): Promise<Answer>;
  remove(place: Place, name: string): Promise<Answer>;
  makeFolder(environment: string, path: string): Promise<string>;
  import(to: Place, from: Place, isReplication?: boolean, call?: Caller): Promise<Answer>;
  imports(place: Place): Promise<Answer['body'][]>;
  /** What the imports of a folder bring: places, names and values. */
  read(place: Place, call?: Caller, expand?: boolean): Promise<[place: string, Record<string, string>][]>;
  /** The whole answer of the same. */
  list(place: Place, call?: Caller, expand?: boolean): Promise<Answer>;
  resync(place: Place, id: string, call?: Caller): Promise<Answer>;
  /** The number of folders for copies. */
  reservedFolders(): Promise<number>;
  /** The number of copies. */
  copies(): Promise<number>;
  /** The data of the audit events of one type, oldest first. */
  events(type: string): Promise<object[]>;
}

export function replications(test: TestServer): Replications {
  const { admin } = test;
  let worker: Promise<Worker> | undefined;
  return {
    async settle() {
      worker ??= startWorker(test.coffer, jobs, { pollInterval: 50 });
      await worker;
      await expect.poll(async () => (await test.coffer.query<{ n: number }>(WAITING, []))[0]!.n).toBe(0);
    },
    async stop() {
      await (await worker)?.stop();
      worker = undefined;
    },
    async project(known) {
      const { id, slug } = known ?? (await test.project());
      const at = ({ environment, path = '/' }: Place) => ({ workspaceId: id, environment, secretPath: path });
      const url = (name: string) => `/api/v3/secrets/raw/${name}`;
      const count = async (text: string): Promise<number> => {
        const answer = await test.coffer.pool.query<{ n: number }>(`select count(*)::integer as n from ${text}`, [id]);
        return answer.rows[0]!.n;
      };
      const list: ReplicationProject['list'] = ({ environment, path = '/' }, call = admin, expand = true) =>
        call(
          'GET',
          `/api/v3/secrets/raw?workspaceId=${id}&environment=${environment}&secretPath=${path}&include_imports=true&expandSecretReferences=${expand}`,
        );
      return {
        id,
        slug,
        put: (place, name, secretValue, more = {}) => admin('POST', url(name), { ...at(place), secretValue, ...more }),
        change: (place, name, more) => admin('PATCH', url(name), { ...at(place), ...more }),
        remove: (place, name) => admin('DELETE', url(name), at(place)),
        async makeFolder(environment, path) {
          const [name, parent] = [path.slice(path.lastIndexOf('/') + 1), path.slice(0, path.lastIndexOf('/')) || '/'];
          const made = await admin('POST', '/api/v1/folders', { workspaceId: id, environment, name, path: parent });
          expect(made.status).toBe(200);
          return made.body.folder.id as string;
        },
        import: ({ environment, path = '/' }, from, isReplication = true, call = admin) =>
          call('POST', '/api/v1/secret-imports', {
            workspaceId: id,
            environment,
            path,
            import: { environment: from.environment, path: from.path ?? '/' },
            isReplication,
          }),
        imports: async ({ environment, path = '/' }) =>
          (await admin('GET', `/api/v1/secret-imports?workspaceId=${id}&environment=${environment}&path=${path}`)).body
            .secretImports,
        list,
        resync: ({ environment, path = '/' }, one, call = admin) =>
          call('POST', `/api/v1/secret-imports/${one}/replication-resync`, { workspaceId: id, environment, path }),
        reservedFolders: () => count('folders where is_reserved and project_id = $1'),
        copies: () => count('secrets s join folders f on f.id = s.folder_id where f.is_reserved and f.project_id = $1'),
        async events(type) {
          const { rows } = await test.coffer.pool.query<{ data: object }>(
            'select data from audit_events where project_id = $1 and type = $2 order by created_at',
            [id, type],
          );
          return rows.map((row) => row.data);
        },
        async read(place, call, expand) {
          const { body } = await list(place, call, expand);
          return body.imports.map((one: { environment: string; secretPath: string; secrets: Secret[] }) => [
            `${one.environment}${one.secretPath}`,
            Object.fromEntries(one.secrets.map((secret) => [secret.secretKey, secret.secretValue])),
          ]);
        },
      };
    },
  };
}

interface Secret {
  secretKey: string;
  secretValue: string;
}
