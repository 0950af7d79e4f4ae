import { randomUUID } from 'node:crypto';
import { createOutbound, jobs, parseCidrs, startWorker, type OutboundConnect } from '@coffer/domain';
import { startChallengeServer, type ChallengeServer } from '@coffer/domain/testing';
import { expect } from 'vitest';
import { createAuthority } from './certificates.ts';
import { testServer, type Answer, type TestServer } from './test-server.ts';

/** A server with the challenge server in place of the internet: DNS, and the ports of all names. */
export interface AcmeWorld {
  readonly test: TestServer;
  readonly challenges: ChallengeServer;
  /** To which port of 127.0.0.1 the ports 80 and 443 of every name lead. */
  readonly leads: { http: number; tls: number };
  project: { id: string; slug: string };
  caId: string;
  /** A profile; its id. */
  profile(make?: MakeProfile): Promise<string>;
  /** Sets whether names count as proved in a profile. */
  skipOwnership(profileId: string, skipDnsOwnershipVerification: boolean): Promise<void>;
  /** Starts the validation of challenges, as the server itself does. */
  work(): Promise<void>;
  /** Stops that. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

export interface MakeProfile {
  readonly skipEabBinding?: boolean;
  readonly skipDnsOwnershipVerification?: boolean;
  readonly rules?: object;
  readonly defaults?: object;
  readonly caId?: string;
  readonly enrollmentType?: string;
}

export async function acmeWorld(options: Parameters<typeof testServer>[0] = {}): Promise<AcmeWorld> {
  const challenges = await startChallengeServer();
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8'), nameServers: [challenges.nameServer] });
  const leads = { http: challenges.httpPort, tls: challenges.tlsPort };
  const ports: Readonly<Record<number, keyof typeof leads>> = { 80: 'http', 443: 'tls' };
  const connect: OutboundConnect = (target) => {
    const to = ports[target.port];
    return outbound.connect(to ? { ...target, port: leads[to] } : target);
  };
  const test = await testServer({ connect, names: outbound.names, ...options });
  const project = await test.project();
  const { id: caId } = await createAuthority(test.admin, { projectId: project.id });
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  return {
    test,
    challenges,
    leads,
    project,
    caId,
    async profile({ rules = {}, defaults, caId: ca = caId, enrollmentType = 'acme', ...config } = {}) {
      const [id, policyId] = [randomUUID(), randomUUID()];
      const { pool } = test.coffer;
      await pool.query(
        'insert into certificate_policies (id, organization_id, project_id, name, rules) values ($1, $2, $3, $4, $5)',
        [policyId, test.organizationId, project.id, `policy-${policyId}`, rules],
      );
      await pool.query(
        `insert into certificate_profiles (id, organization_id, project_id, ca_id, certificate_policy_id, slug,
           enrollment_type, config, defaults) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          id,
          test.organizationId,
          project.id,
          ca,
          policyId,
          `profile-${id}`,
          enrollmentType,
          config,
          defaults ? JSON.stringify(defaults) : null,
        ],
      );
      return id;
    },
    async skipOwnership(id, skipDnsOwnershipVerification) {
      await test.coffer.pool.query('update certificate_profiles set config = config || $2 where id = $1', [
        id,
        { skipDnsOwnershipVerification },
      ]);
    },
    async work() {
      worker ??= await startWorker(test.coffer, jobs, { pollInterval: 100 });
    },
    async rest() {
      await worker?.stop();
      worker = undefined;
    },
    async close() {
      await worker?.stop();
      await test.close();
      await outbound.close();
      await challenges.stop();
    },
  };
}

export const PREFIX = 'urn:ietf:params:acme:error:';
/** What every refusal has: its shape, the next nonce, the way to the directory. */
export function refusal(answer: Answer): [number, string] {
  expect(answer.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'replay-nonce': expect.stringMatching(/^[\w-]{40,}$/),
    'cache-control': 'no-store',
  });
  expect(String(answer.headers['link'])).toMatch(/<.*\/directory>;rel="index"/);
  expect(answer.body).toMatchObject({ detail: expect.any(String), status: answer.status });
  return [answer.status, String(answer.body.type).replace(PREFIX, '')];
}
export const asAnswer = ({
  statusCode: status,
  headers,
  body,
}: {
  statusCode: number;
  headers: object;
  body: string;
}) => ({ status, headers, body: JSON.parse(body) }) as Answer;
export const idOf = (url: unknown) => String(url).split('/').at(-1)!;
