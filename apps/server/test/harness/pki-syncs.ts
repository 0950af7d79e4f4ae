import { X509Certificate } from 'node:crypto';
import { runPkiSync } from '@coffer/domain';
import { makeConnection, pkiSyncTargets, type PkiSyncTarget, type StandIns } from '@coffer/domain/testing';
import { Certificates, nameOf, ok, type MadeAuthority, type MadeCertificate } from './certificates.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';
import { wholeAttempt } from './whole-attempt.ts';

export const PKI_SYNCS = '/api/v1/cert-manager/syncs';

type Body = Answer['body'];
type App = Parameters<typeof makeConnection>[1]['app'];

interface Stored {
  readonly due_at: string | null;
  readonly failures: number;
  readonly claimed_until: string | null;
}

/** Where PKI syncs of a test write: a new target of a destination, a project with an authority, and a connection. */
export class PkiSyncWorld {
  readonly test: TestServer;
  readonly destination: string;
  readonly target: PkiSyncTarget;
  readonly certificates: Certificates;
  readonly authority: MadeAuthority;

  private constructor(test: TestServer, destination: string, target: PkiSyncTarget, of: [Certificates, MadeAuthority]) {
    this.test = test;
    this.destination = destination;
    this.target = target;
    [this.certificates, this.authority] = of;
  }

  static async make(test: TestServer, standIns: StandIns, destination: string): Promise<PkiSyncWorld> {
    const target = pkiSyncTargets[destination]!();
    target.setClock(() => test.coffer.now().getTime());
    await target.serve(standIns);
    const certificates = await Certificates.in(test);
    return new PkiSyncWorld(test, destination, target, [certificates, await certificates.authority()]);
  }

  get projectId(): string {
    return this.certificates.projectId;
  }

  issue(more: Record<string, unknown> = {}): Promise<MadeCertificate> {
    return this.certificates.issue(this.authority.id, more);
  }

  /** Renews a certificate with a new key; the new one. */
  async renew({ id }: { id: string }): Promise<MadeCertificate> {
    const body = ok(await this.test.admin('POST', `/api/v1/cert-manager/certificates/${id}/renew`));
    return { id: body.certificateId, serialNumber: body.serialNumber, certificate: body.certificate };
  }

  /** The private key of a certificate, in PEM. */
  async keyOf({ id }: { id: string }): Promise<string> {
    return ok(await this.test.admin('GET', `/api/v1/cert-manager/certificates/${id}/private-key`));
  }

  /** A connection of the project; with null, of the organization. */
  async connect(
    app: string,
    projectId: string | null = this.projectId,
    credentials: PkiSyncTarget['credentials'] = this.target.credentials,
  ): Promise<string> {
    const { organizationId, coffer } = this.test;
    const place = { organizationId, ...(projectId && { projectId }) };
    return (await makeConnection(coffer, { ...place, app: app as App, name: nameOf('connection'), credentials })).id;
  }

  /** The app of its destination. */
  async app(): Promise<string> {
    const { pkiSyncOptions } = ok(await this.test.admin('GET', `${PKI_SYNCS}/options`));
    return pkiSyncOptions.find((one: Body) => one.destination === this.destination).connection;
  }

  /** A request for a new sync. */
  async post(more: object = {}, call: Caller = this.test.admin): Promise<Answer> {
    const connectionId = 'connectionId' in more ? more.connectionId : await this.connect(await this.app());
    return call('POST', `${PKI_SYNCS}/${this.destination}`, {
      ...{ name: nameOf('sync'), projectId: this.projectId, destinationConfig: this.target.config, ...more },
      connectionId,
    });
  }

  create = async (more: object = {}): Promise<Body> => ok(await this.post(more));

  pathOf({ id }: { id: string }): string {
    return `${PKI_SYNCS}/${this.destination}/${id}`;
  }

  get = async (sync: { id: string }): Promise<Body> => ok(await this.test.admin('GET', this.pathOf(sync)));

  patch = (sync: { id: string }, body: object, call: Caller = this.test.admin): Promise<Answer> =>
    call('PATCH', this.pathOf(sync), body);

  /** `sync` or `remove-certificates`. */
  ask = async (sync: { id: string }, what: string): Promise<Body> =>
    ok(await this.test.admin('POST', `${this.pathOf(sync)}/${what}`));

  /** The certificates of a sync, as they are listed. */
  async listed({ id }: { id: string }, call: Caller = this.test.admin): Promise<Body[]> {
    return ok(await call('GET', `${PKI_SYNCS}/${id}/certificates?limit=100`)).certificates;
  }

  change = (
    sync: { id: string },
    method: 'POST' | 'DELETE',
    certificateIds: string[],
    call: Caller = this.test.admin,
  ) => call(method, `${PKI_SYNCS}/${sync.id}/certificates`, { certificateIds });

  /** Does what is due, as the worker does, and returns the sync afterwards. */
  async run(sync: { id: string }): Promise<Body> {
    const { organizationId } = this.test;
    await wholeAttempt(this.test, 'pki_syncs', sync.id, () =>
      runPkiSync.run(this.certificates.platform(), { organizationId, syncId: sync.id }, {} as never),
    );
    return this.get(sync);
  }

  async stored({ id }: { id: string }): Promise<Stored> {
    const { rows } = await this.test.coffer.pool.query<Stored>(
      'select due_at, failures, claimed_until from pki_syncs where id = $1',
      [id],
    );
    return rows[0]!;
  }

  /** Seconds until the next run; `undefined` if there is none. */
  async dueIn(sync: { id: string }): Promise<number | undefined> {
    const { due_at: due } = await this.stored(sync);
    return due === null ? undefined : Math.round((Date.parse(due) - this.test.coffer.now().getTime()) / 1000);
  }

  /** The common names of what the target has. */
  held(): string[] {
    return this.target
      .held()
      .map(({ certificate }) => commonNameOf(certificate))
      .toSorted();
  }
}

export const commonNameOf = (pem: string): string => /CN=(.+)/.exec(new X509Certificate(pem).subject)?.[1] ?? '';
