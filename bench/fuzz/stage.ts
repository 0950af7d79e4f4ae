import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCoffer, parseRootKey, type Coffer } from '@coffer/domain';
import { makeIdentity, makeOrganization } from '@coffer/domain/testing';
import { makeWorld, type Caller as Ask, type World } from '@coffer/server/testing';
import { hasEnded, embeddedDatabase, type Running } from '../subject/server.ts';
import type { Run } from '../subject/stage.ts';
import type { Answer } from './judge.ts';
import type { Caller, Request } from './requests.ts';

const STALL = fileURLToPath(new URL('stall.ts', import.meta.url));
const PATIENCE = 60_000;

/** A complete organization, and the tokens of its callers. */
export interface Attacked extends World {
  readonly tokens: Readonly<Record<Caller, string | undefined>>;
}

/** The product as `npm start` runs it, and the same Coffer in this process, which makes worlds. */
export class Stage {
  readonly server: Running;
  readonly coffer: Coffer;
  readonly #stalls: string;
  readonly #log: string;

  private constructor(server: Running, coffer: Coffer, files: { stalls: string; log: string }) {
    this.server = server;
    this.coffer = coffer;
    this.#stalls = files.stalls;
    this.#log = files.log;
  }

  static async open(run: Run): Promise<Stage> {
    const dataDir = await run.directory('fuzz');
    const stalls = await run.directory('stalls');
    const server = await run.server({
      dataDir,
      nodeFlags: ['--import', STALL],
      environment: {
        COFFER_STALLS: stalls,
        COFFER_RATE_LIMIT: '0',
        COFFER_OUTBOUND_ALLOW: '',
      },
    });
    const { url: databaseUrl } = await embeddedDatabase(dataDir);
    const rootKey = parseRootKey((await readFile(join(dataDir, 'root.key'), 'utf8')).trim());
    const refuse = () => Promise.reject(new Error('Worlds are made without a network'));
    const coffer = await openCoffer({ databaseUrl, rootKey, fetch: refuse, migrate: false, poolSize: 4 });
    return new Stage(server, coffer, { stalls, log: `${dataDir}.log` });
  }

  get hasEnded(): boolean {
    return hasEnded(this.server.child);
  }

  /** An organization with one of everything. */
  async world(mark: string): Promise<Attacked> {
    const as =
      (token?: string): Ask =>
      async (method, path, body, headers = {}) => {
        const answer = await fetch(this.server.url + path, {
          method,
          headers: {
            ...headers,
            ...(token && { authorization: `Bearer ${token}` }),
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        const isJson = answer.headers.get('content-type')?.includes('json');
        return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: {} };
      };
    const foreign = async () => {
      const { id: organizationId, admin: identity } = await makeOrganization(this.coffer, mark);
      return { organizationId, call: as(identity.token), identity };
    };
    const world = await makeWorld({ coffer: this.coffer, as, foreign }, mark);
    const { organizationId } = world;
    const weak = await makeIdentity(this.coffer, {
      organizationId,
      projectId: world.has.project,
      projectRole: 'viewer',
    });
    const tokens = {
      machine: world.machineToken,
      person: world.personToken,
      service: world.serviceToken,
      weak: weak.token,
      anonymous: undefined,
      nonsense: `${world.machineToken}x`,
    };
    return { ...world, tokens };
  }

  async send({ method, path, headers, body, caller }: Request, world: Attacked): Promise<Answer> {
    const token = world.tokens[caller as Caller];
    const answer = await fetch(this.server.url + path, {
      method,
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(PATIENCE),
      redirect: 'manual',
    });
    const type = answer.headers.get('content-type') ?? '';
    // A stream of events does not end itself.
    if (type.startsWith('text/event-stream')) {
      await answer.body?.cancel();
      return { status: answer.status, type, text: '' };
    }
    return { status: answer.status, type, text: await answer.text() };
  }

  /** Stretches of the server's event loop that worked for too long since an instant: when they ended, and their milliseconds. */
  async stallsSince(instant: number): Promise<{ at: number; ms: number }[]> {
    const lines = (await readFile(this.#stalls, 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);
    return lines
      .map((line) => line.split(' ').map(Number))
      .flatMap(([at = 0, ms = 0]) => (at >= instant ? [{ at, ms }] : []));
  }

  /** The server's logged internal errors. */
  async faults(): Promise<string[]> {
    const lines = (await readFile(this.#log, 'utf8').catch(() => '')).split('\n');
    return lines.filter((line) => /A request failed on our side|A fault that nobody caught|"level":(50|60)/.test(line));
  }
}
