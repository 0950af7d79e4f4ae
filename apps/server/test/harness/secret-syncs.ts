import { runSync } from '@coffer/domain';
import { credentialsAt, makeConnection, syncTargets, type StandIns, type SyncTarget } from '@coffer/domain/testing';
import { ok } from './groups.ts';
import { SyncedProject } from './integrations.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';
import { wholeAttempt } from './whole-attempt.ts';

export const SYNCS = '/api/v1/secret-syncs';

type Body = Answer['body'];
type SecretSync = Body;
type App = Parameters<typeof makeConnection>[1]['app'];
type Credentials = ReturnType<typeof credentialsAt>;

let number = 0;

/** Where secret syncs of a test write: a new target of a destination, with a connection to it. */
export class SyncWorld {
  readonly project: SyncedProject;
  readonly destination: string;
  readonly target: SyncTarget;
  readonly #test: TestServer;

  private constructor(test: TestServer, project: SyncedProject, destination: string, target: SyncTarget) {
    this.#test = test;
    this.project = project;
    this.destination = destination;
    this.target = target;
  }

  static async make(
    test: TestServer,
    standIns: StandIns,
    destination: string,
    target: SyncTarget = syncTargets[destination]!(),
  ): Promise<SyncWorld> {
    await target.serve(standIns);
    return new SyncWorld(test, await SyncedProject.make(test), destination, target);
  }

  /** A connection of the project, or of the organization. */
  async connect(
    app: string,
    projectId: string | undefined = this.project.id,
    credentials: Credentials = this.credentials,
  ): Promise<string> {
    const { organizationId, coffer } = this.#test;
    const place = { organizationId, ...(projectId && { projectId }) };
    return (await makeConnection(coffer, { ...place, app: app as App, name: `connection-${++number}`, credentials }))
      .id;
  }

  /** Credentials that the target accepts. */
  get credentials(): Credentials {
    return credentialsAt(this.target, this.#test.organizationId);
  }

  /** The app of its destination. */
  async app(): Promise<string> {
    const { secretSyncOptions } = await ok(this.#test.admin('GET', `${SYNCS}/options`));
    return secretSyncOptions.find((one: Body) => one.destination === this.destination).connection;
  }

  /** A request for a new sync of `/` in `dev`. */
  async post(more: object = {}, call: Caller = this.#test.admin): Promise<Answer> {
    const connectionId = 'connectionId' in more ? more.connectionId : await this.connect(await this.app());
    return call('POST', `${SYNCS}/${this.destination}`, {
      ...{ name: `sync-${++number}`, projectId: this.project.id, environment: 'dev', secretPath: '/' },
      ...{ syncOptions: {}, destinationConfig: this.target.config, ...more, connectionId },
    });
  }

  async create(more: object = {}): Promise<SecretSync> {
    return (await ok(this.post(more))).secretSync;
  }

  pathOf({ id }: { id: string }): string {
    return `${SYNCS}/${this.destination}/${id}`;
  }

  async get(sync: { id: string }): Promise<SecretSync> {
    return (await ok(this.#test.admin('GET', this.pathOf(sync)))).secretSync;
  }

  async patch(sync: { id: string }, body: object): Promise<SecretSync> {
    return (await ok(this.#test.admin('PATCH', this.pathOf(sync), body))).secretSync;
  }

  /** `plan`, `sync-secrets`, `import-secrets?…` or `remove-secrets`. */
  async ask(sync: { id: string }, what: string): Promise<Body> {
    return ok(this.#test.admin('POST', `${this.pathOf(sync)}/${what}`));
  }

  /** Does what is due, as the worker does, and returns the sync afterwards. */
  async run(sync: { id: string }): Promise<SecretSync> {
    const { organizationId, coffer } = this.#test;
    const platform = coffer.contextFor({ type: 'platform', organizationId });
    await wholeAttempt(this.#test, 'secret_syncs', sync.id, () =>
      runSync.run(platform, { organizationId, integrationId: sync.id }, {} as never),
    );
    return this.get(sync);
  }
}
