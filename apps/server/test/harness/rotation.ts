import { rotationJob } from '@coffer/domain';
import { makeConnection } from '@coffer/domain/testing';
import { describe, expect, it } from 'vitest';
import { ok } from './groups.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';
import { wholeAttempt } from './whole-attempt.ts';

export const ROTATIONS = '/api/v2/secret-rotations';

/** Values of a generated credential by their published names. */
export type Generated = Readonly<Record<string, string>>;

/** A system whose credentials are rotated. */
export interface RotatedSystem {
  readonly test: TestServer;
  readonly app: Parameters<typeof makeConnection>[1]['app'];
  readonly credentials: Parameters<typeof makeConnection>[1]['credentials'];
  /** New accounts there, and what names them. */
  accounts(): Promise<{ readonly parameters: object; readonly temporaryParameters?: object }>;
  /** Parameters that the system rejects, and a part of what it says. */
  rejected(): Promise<{ readonly parameters: object; readonly message: string }>;
  /** Whether the system accepts a credential. */
  works(credential: Generated): Promise<boolean>;
  /** Makes a credential invalid there, past Coffer. */
  invalidate(credential: Generated): Promise<unknown>;
  /** Makes the system unreachable, and reachable again. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

let number = 0;

/** Common steps of tests with one rotation, in a project of its own. */
export class RotationAtWork {
  readonly system: RotatedSystem;
  readonly type: string;
  readonly fields: readonly string[];
  readonly projectId: string;
  readonly connectionId: string;
  readonly call: Caller;
  id = '';

  constructor(
    system: RotatedSystem,
    type: string,
    fields: readonly string[],
    place: { projectId: string; connectionId: string },
    call?: Caller,
  ) {
    this.system = system;
    this.type = type;
    this.fields = fields;
    this.projectId = place.projectId;
    this.connectionId = place.connectionId;
    this.call = call ?? system.test.admin;
  }

  /** A place for a rotation. */
  static async unmade(system: RotatedSystem, type: string, fields: readonly string[]): Promise<RotationAtWork> {
    const { test, app, credentials } = system;
    const { id: projectId } = await test.project();
    const { id: connectionId } = await makeConnection(test.coffer, {
      organizationId: test.organizationId,
      projectId,
      app,
      name: `connection-${++number}`,
      credentials: credentials!,
    });
    return new RotationAtWork(system, type, fields, { projectId, connectionId });
  }

  /** One that is created. */
  static async made(
    system: RotatedSystem,
    type: string,
    fields: readonly string[],
    more: object = {},
  ): Promise<RotationAtWork> {
    const one = await RotationAtWork.unmade(system, type, fields);
    await ok(one.create({ ...(await system.accounts()), ...more }));
    return one;
  }

  /** The same as another caller. */
  as(call: Caller): RotationAtWork {
    const { system, type, fields } = this;
    return Object.assign(new RotationAtWork(system, type, fields, this, call), { id: this.id });
  }

  get mapping(): Record<string, string> {
    return Object.fromEntries(this.fields.map((field) => [field, `THE_${field.toUpperCase()}`]));
  }

  async create(more: object): Promise<Answer> {
    const answer = await this.call('POST', `${ROTATIONS}/${this.type}`, {
      ...{ name: 'the-rotation', projectId: this.projectId, connectionId: this.connectionId },
      ...{ environment: 'dev', secretPath: '/', rotationInterval: 30, secretsMapping: this.mapping },
      ...more,
    });
    this.id = answer.body.secretRotation?.id ?? '';
    return answer;
  }
  at(path = ''): string {
    return `${ROTATIONS}/${this.type}/${this.id}${path}`;
  }
  get(): Promise<Answer> {
    return this.call('GET', this.at());
  }
  rotate(): Promise<Answer> {
    return this.call('POST', this.at('/rotate-secrets'));
  }
  reconcile(): Promise<Answer> {
    return this.call('POST', this.at('/reconcile'));
  }
  update(body: object): Promise<Answer> {
    return this.call('PATCH', this.at(), body);
  }
  delete(query = ''): Promise<Answer> {
    return this.call('DELETE', this.at(query));
  }
  async list(): Promise<{ id: string; name: string }[]> {
    return (await ok(this.call('GET', `${ROTATIONS}/${this.type}?projectId=${this.projectId}`))).secretRotations;
  }
  async secrets(): Promise<
    { secretKey: string; secretValue: string; version: number; rotationId: string | null; isRotatedSecret: boolean }[]
  > {
    const query = `projectId=${this.projectId}&environment=dev&secretPath=/`;
    return (await ok(this.system.test.admin('GET', `/api/v4/secrets?${query}`))).secrets;
  }
  /** What the secrets are: the active credential. */
  async active(): Promise<Generated> {
    const values = new Map((await this.secrets()).map((one) => [one.secretKey, one.secretValue]));
    return Object.fromEntries(Object.entries(this.mapping).map(([field, name]) => [field, values.get(name) ?? '']));
  }
  async generated(): Promise<{ activeIndex: number; generatedCredentials: Generated[] }> {
    return ok(this.call('GET', this.at('/generated-credentials')));
  }
  /** What the job of the rotation does. */
  async job(): Promise<void> {
    const { coffer, organizationId } = this.system.test;
    const ctx = coffer.contextFor({ type: 'platform', organizationId });
    await wholeAttempt(this.system.test, 'secret_rotations', this.id, () =>
      rotationJob.run(ctx, { organizationId, rotationId: this.id }, {} as never),
    );
  }
  /** Events about it, the earliest first. */
  async events(): Promise<{ type: string; data: Record<string, unknown> }[]> {
    const { rows } = await this.system.test.coffer.pool.query(
      `select type, data from audit_events where data ->> 'rotationId' = $1 order by id`,
      [this.id],
    );
    return rows;
  }
}

interface Kind {
  readonly type: string;
  readonly fields: readonly string[];
  readonly slots: 1 | 2;
  /** Whether each credential is a new login. */
  readonly makesLogins?: true;
  readonly system: () => RotatedSystem;
}

/** What every type promises, shown at a real system or at what stands in for it. */
export function describeRotation(title: string, kind: Kind): void {
  describe.each([{ title, ...kind }])('$title', ({ type, fields, slots, makesLogins, system }) => {
    const made = (more?: object) => RotationAtWork.made(system(), type, fields, more);

    it('is by a connection whose credentials the system has accepted', async () => {
      const { test, app, credentials } = system();
      const { method, ...given } = credentials!;
      const name = `checked-${++number}`;
      const save = (more: object) =>
        test.admin('POST', `/api/v1/app-connections/${app}`, { name, method, credentials: { ...given, ...more } });
      const field = ['password', 'secretAccessKey', 'clientSecret'].find((one) => one in given)!;
      const refused = await save({ [field]: 'not/what/it/expects' });
      expect([refused.status, refused.body.message]).toEqual([400, expect.not.stringContaining('not/what/it/expects')]);
      const { appConnection } = await ok(save({}));
      expect(appConnection.credentials).not.toHaveProperty(field);
    });

    it('creates secrets with a credential that works, and stores it sealed', async () => {
      const one = await made();
      const credential = await one.active();
      expect(await system().works(credential)).toBe(true);
      expect(await one.secrets()).toEqual(
        Object.values(one.mapping)
          .toSorted()
          .map((secretKey) =>
            expect.objectContaining({ secretKey, version: 1, rotationId: one.id, isRotatedSecret: true }),
          ),
      );
      expect((await ok(one.get())).secretRotation).toMatchObject({ rotationStatus: 'success', activeIndex: 0 });
      const { rows } = await system().test.coffer.pool.query<{ sealed: Buffer }>(
        'select sealed from secret_rotation_credentials where rotation_id = $1',
        [one.id],
      );
      expect(rows).toHaveLength(1);
      for (const value of Object.values(credential)) expect(rows[0]!.sealed.includes(value)).toBe(false);
    });

    it('keeps the previous credential working until the next rotation, if it has two', async () => {
      const one = await made();
      const seen = [await one.active()];
      for (let i = 0; i < 2; i++) {
        await ok(one.rotate());
        seen.push(await one.active());
      }
      const working = await Promise.all(seen.map((credential) => system().works(credential)));
      expect(working).toEqual([false, slots === 2, true]);
      const { activeIndex, generatedCredentials } = await one.generated();
      expect(generatedCredentials[activeIndex]).toEqual(seen[2]);
      expect(generatedCredentials.toSpliced(activeIndex, 1)).toEqual(slots === 2 ? [seen[1]] : []);
    });

    it('keeps the active credential where the system cannot be reached, shows why, and goes on later', async () => {
      const one = await made();
      const before = await one.active();
      await system().shut();
      const { status, body } = await one.rotate();
      await system().open();
      expect(status).toBe(400);
      const { secretRotation: failed } = await ok(one.get());
      expect(failed).toMatchObject({ rotationStatus: 'failed', lastRotationMessage: body.message });
      expect(new Date(failed.nextRotationAt).getTime()).toBeGreaterThan(system().test.coffer.now().getTime());
      for (const value of Object.values(before)) expect(body.message).not.toContain(value);
      expect(await one.active()).toEqual(before);
      expect(await system().works(before)).toBe(true);
      system().test.advance(60_000);
      await one.job();
      const after = await one.active();
      expect(after).not.toEqual(before);
      expect(await system().works(after)).toBe(true);
      expect((await ok(one.get())).secretRotation).toMatchObject({
        rotationStatus: 'success',
        lastRotationMessage: null,
      });
    });

    it('is reconciled: an active credential that the system no longer accepts is replaced, and one that it accepts stays', async () => {
      const one = await made();
      const first = await one.active();
      expect(await ok(one.reconcile())).toMatchObject({ reconciled: false, secretRotation: { id: one.id } });
      expect(await one.active()).toEqual(first);
      await system().invalidate(first);
      expect(await system().works(first)).toBe(false);
      expect(await ok(one.reconcile())).toMatchObject({ reconciled: true });
      const second = await one.active();
      expect([await system().works(second), second]).toEqual([true, expect.not.objectContaining(first)]);
      const isRepaired = (await one.events()).filter((event) => event.type === 'secret_rotation.reconciled');
      expect(isRepaired.map(({ data }) => data['isRepaired'])).toEqual([false, true]);
    });

    it.skipIf(makesLogins)(
      'is not created for a login that a connection uses, and goes on with its own, whatever uses it by then',
      async () => {
        const { test, app, credentials } = system();
        const one = await made();
        const login = await one.active();
        const { id: projectId } = await test.project();
        await makeConnection(test.coffer, {
          ...{ organizationId: test.organizationId, projectId, app, name: `used-${++number}` },
          credentials: { ...credentials!, ...login },
        });
        const { parameters } = (await ok(one.get())).secretRotation;
        const other = await RotationAtWork.unmade(system(), type, fields);
        // Which logins AWS has is known once it is asked.
        const { status, body } = await other.create({ parameters });
        expect([status, body.message]).toEqual([
          400,
          expect.stringMatching('uses one of these logins|Another rotation'),
        ]);
        expect([await other.list(), await one.active(), await system().works(login)]).toEqual([[], login, true]);
        await ok(one.update({ parameters }));
        // The second time, it is that login where there are two.
        for (let times = 0; times < 2; times++) await ok(one.rotate());
        expect(await system().works(await one.active())).toBe(true);
        expect(await system().works(login)).toBe(false);
      },
    );

    it('is not created where the system rejects it', async () => {
      const one = await RotationAtWork.unmade(system(), type, fields);
      const { parameters, message } = await system().rejected();
      const answer = await one.create({ ...(await system().accounts()), parameters });
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
      expect([await one.list(), await one.secrets()]).toEqual([[], []]);
    });

    it('keeps a credential that works where its deletion is refused, and ends it with nothing else', async () => {
      const one = await made();
      const before = await one.active();
      const { call } = await system().test.identity({
        projectId: one.projectId,
        rules: [{ subject: 'secret-rotation', action: ['delete'] }],
      });
      const refused = await one.as(call).delete('?revokeGeneratedCredentials=true&deleteSecrets=true');
      expect([refused.status, await one.active()]).toEqual([403, before]);
      expect(await system().works(before)).toBe(true);
      expect((await ok(one.get())).secretRotation).toMatchObject({ rotationStatus: 'success' });
      expect((await one.events()).map((event) => event.type)).not.toContain('secret_rotation.revocation_started');
    });

    it('ends its credentials where they are to be revoked with it', async () => {
      const one = await made();
      await ok(one.rotate());
      const { generatedCredentials } = await one.generated();
      await ok(one.delete('?revokeGeneratedCredentials=true&deleteSecrets=true'));
      expect([await one.list(), await one.secrets()]).toEqual([[], []]);
      for (const credential of generatedCredentials) expect(await system().works(credential)).toBe(false);
    });
  });
}
