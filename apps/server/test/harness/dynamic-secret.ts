import { readFileSync } from 'node:fs';
import { reapLease } from '@coffer/domain';
import type { ProviderCase, TargetCase } from '@coffer/domain/testing';
import { expect, it } from 'vitest';
import type { Answer, Caller, TestServer } from './test-server.ts';

export const SECRETS = '/api/v1/dynamic-secrets';
export const LEASES = '/api/v1/dynamic-secrets/leases';

export interface DynamicPlace {
  readonly projectId: string;
  readonly here: { readonly projectSlug: string; readonly environmentSlug: string; readonly path: string };
  /** The same as a query. */
  readonly query: string;
}

/** A project with a place for dynamic secrets. */
export async function dynamicPlace(test: TestServer): Promise<DynamicPlace> {
  const { id: projectId, slug: projectSlug } = await test.project();
  const here = { projectSlug, environmentSlug: 'dev', path: '/' };
  return { projectId, here, query: new URLSearchParams(here).toString() };
}

const ok = (answer: Answer) => {
  expect([answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([200, undefined]);
  return answer.body;
};

const none = (leases: readonly unknown[]) => expect(leases).toEqual([]);

/** Common steps of tests with one dynamic secret, through its routes. */
export class DynamicSecretAtWork {
  readonly test: TestServer;
  readonly place: DynamicPlace;
  readonly call: Caller;
  readonly name: string;

  constructor(test: TestServer, place: DynamicPlace, name = 'target', call = test.admin) {
    this.test = test;
    this.place = place;
    this.name = name;
    this.call = call;
  }

  create(type: string, inputs: object, more: object = {}): Promise<Answer> {
    const { here } = this.place;
    return this.call('POST', SECRETS, {
      ...here,
      name: this.name,
      defaultTTL: '1h',
      provider: { type, inputs },
      ...more,
    });
  }
  update(data: object): Promise<Answer> {
    return this.call('PATCH', `${SECRETS}/${this.name}`, { ...this.place.here, data });
  }
  get(): Promise<Answer> {
    return this.call('GET', `${SECRETS}/${this.name}?${this.place.query}`);
  }
  delete(more: object = {}): Promise<Answer> {
    return this.call('DELETE', `${SECRETS}/${this.name}`, { ...this.place.here, ...more });
  }
  lease(more: object = {}): Promise<Answer> {
    return this.call('POST', LEASES, { ...this.place.here, dynamicSecretName: this.name, ...more });
  }
  renew(id: string, more: object = {}): Promise<Answer> {
    return this.call('POST', `${LEASES}/${id}/renew`, { ...this.place.here, ...more });
  }
  revoke(id: string, more: object = {}): Promise<Answer> {
    return this.call('DELETE', `${LEASES}/${id}`, { ...this.place.here, ...more });
  }
  getLease(id: string): Promise<Answer> {
    return this.call('GET', `${LEASES}/${id}?${this.place.query}`);
  }
  async leases(): Promise<{ id: string; status: string | null; statusDetails: string | null }[]> {
    return ok(await this.call('GET', `${SECRETS}/${this.name}/leases?${this.place.query}`)).leases;
  }
  /** What the job of a lease does when its time has come. */
  async reap(id: string): Promise<void> {
    const { organizationId, coffer } = this.test;
    await reapLease(coffer.contextFor({ type: 'platform', organizationId }), organizationId, id);
  }
  /** Reaps the one lease whose issuing failed, two minutes later; no lease is left after that. */
  async reapFailed(): Promise<void> {
    const [failed] = await this.leases();
    this.test.advance(120_000);
    await this.reap(failed!.id);
    none(await this.leases());
  }
}

/** Ways to dynamic secrets of a type, each in a project of its own. */
export function dynamicSecretsOf(server: () => TestServer, type: string, inputs: () => object = () => ({})) {
  /** One that is not created yet. */
  const unmade = async () => new DynamicSecretAtWork(server(), await dynamicPlace(server()));
  /** One that is created, with other inputs and with options beside them. */
  const made = async (more: object = {}, options: object = {}): Promise<DynamicSecretAtWork> => {
    const one = await unmade();
    ok(await one.create(type, { ...inputs(), ...more }, options));
    return one;
  };
  /** The message that refuses one with other inputs. */
  async function refused(more: object): Promise<string> {
    const { status, body } = await (await unmade()).create(type, { ...inputs(), ...more });
    expect(status).toBe(400);
    return body.message;
  }
  return { made, refused, unmade };
}

const HOUR = 3_600_000;

const GUIDE = readFileSync(new URL('../../../../docs/dynamic-secrets.md', import.meta.url), 'utf8');

/** The requests in a section of the guide, in order. */
export function sentInGuide(title: string): Record<string, unknown>[] {
  const section = GUIDE.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? '';
  return Array.from(section.matchAll(/<<'JSON'\n([^]*?)\nJSON$/gm), ([, json = '']) => JSON.parse(json));
}

/** Registers what every provider has to pass. */
export function describeDynamicProvider(server: () => TestServer, given: ProviderCase): void {
  const { type, inputs, works, outlivesLeases = false, longest = '2h', hasOneLogin = false, cannotRenew } = given;
  const { made } = dynamicSecretsOf(server, type, inputs);

  it('leases a login that works, still works after renewal, and does not after revocation', async () => {
    const one = await made();
    const { lease, data, dynamicSecret } = ok(await one.lease({ ttl: longest }));
    expect(dynamicSecret).toMatchObject({ name: one.name, type });
    expect(await works(data)).toBe(true);
    const renewal = await one.renew(lease.id);
    expect([renewal.status, renewal.body.message]).toEqual(cannotRenew ? [400, cannotRenew] : [200, undefined]);
    const renewed = cannotRenew ? (await one.getLease(lease.id)).body.lease : ok(renewal).lease;
    const later = new Date(renewed.expireAt).getTime() - new Date(lease.expireAt).getTime();
    expect(later).toBe(cannotRenew ? 0 : HOUR);
    expect(await works(data)).toBe(true);
    expect(ok(await one.revoke(lease.id)).lease.id).toBe(lease.id);
    expect(await works(data)).toBe(outlivesLeases);
    expect((await one.getLease(lease.id)).status).toBe(404);
    expect(await one.leases()).toEqual([]);
  });

  it('deletes the login after its expiry, and not before', async () => {
    const one = await made();
    const { lease, data } = ok(await one.lease({ ttl: '10m' }));
    await one.reap(lease.id);
    expect([await works(data), (await one.leases()).length]).toEqual([true, 1]);
    server().advance(600_000);
    await one.reap(lease.id);
    expect([await works(data), await one.leases()]).toEqual([outlivesLeases, []]);
  });

  it(`gives ${hasOneLogin ? 'its login to one lease at a time' : 'each lease a login of its own'}`, async () => {
    const one = await made();
    const first = ok(await one.lease());
    const second = await one.lease();
    expect([second.status, await works(first.data)]).toEqual([hasOneLogin ? 400 : 200, true]);
    expect(second.body.lease?.externalEntityId).not.toBe(first.lease.externalEntityId);
    ok(await one.revoke(first.lease.id));
    const next = hasOneLogin ? ok(await one.lease()) : second.body;
    expect(await works(next.data)).toBe(true);
    ok(await one.revoke(next.lease.id));
  });

  it('returns its inputs without the credential, and stores them sealed', async () => {
    const one = await made();
    const { dynamicSecret } = ok(await one.get());
    expect(Object.keys(dynamicSecret.inputs).filter((name) => given.sealed.includes(name))).toEqual([]);
    const { rows } = await server().coffer.pool.query<{ inputs: Buffer }>(
      'select inputs from dynamic_secrets where id = $1',
      [dynamicSecret.id],
    );
    const inClear = Object.values(inputs()).filter(
      (value) => typeof value === 'string' && value.length > 3 && rows[0]!.inputs.includes(value),
    );
    expect(inClear).toEqual([]);
  });

  it('is deleted after its leases are revoked, which begins immediately', async () => {
    const one = await made();
    const { lease, data } = ok(await one.lease());
    expect(ok(await one.delete()).dynamicSecret.status).toBe('Deleting');
    expect((await one.lease()).status).toBe(400);
    await one.reap(lease.id);
    expect(await works(data)).toBe(outlivesLeases);
    expect((await one.get()).status).toBe(404);
  });
}

/** Registers the tests for every provider with outbound calls. */
export function describeTarget(server: () => TestServer, given: TargetCase): void {
  const { type, inputs, works, wrong, elsewhere, outage, sealed, outlivesLeases = false } = given;
  const { made, unmade } = dynamicSecretsOf(server, type, inputs);

  it('refuses a credential that does not work when it is saved, and does not repeat it', async () => {
    const one = await unmade();
    const { status, body } = await one.create(type, wrong());
    expect(status).toBe(400);
    const repeated = sealed.filter((name) => wrong()[name] && JSON.stringify(body).includes(jsonOf(wrong()[name])));
    expect(repeated).toEqual([]);
    expect((await one.get()).status).toBe(404);
    ok(await one.create(type, inputs()));
    const changes = Object.fromEntries(Object.entries(wrong()).filter(([name]) => sealed.includes(name)));
    const updated = sealed.length > 0 ? (await one.update({ inputs: changes })).status : 400;
    expect(updated).toBe(400);
    const { lease } = ok(await one.lease());
    ok(await one.revoke(lease.id));
  });

  it('requires the credential again if the target changes', async () => {
    const one = await made();
    for (const [field, value] of Object.entries(elsewhere())) {
      const { status, body } = await one.update({ inputs: { [field]: value } });
      expect([field, status, body.message]).toEqual([field, 400, expect.stringMatching(/^Send \w+ again/)]);
    }
  });

  it.skipIf(outlivesLeases)('keeps a lease, visible and retried, that its account cannot revoke', async () => {
    const one = await made();
    const { lease, data } = ok(await one.lease());
    const other = await one.lease();
    // It may be rejected when it is saved.
    const { status } = await one.update({ inputs: given.weaker!(other.body.data ?? data) });
    expect([200, 400]).toContain(status);
    const isSaved = status === 200;
    const revoked = isSaved ? await one.revoke(lease.id) : undefined;
    const kept = (await one.leases()).find(({ id }) => id === lease.id);
    expect([revoked?.status, kept?.status]).toEqual(isSaved ? [400, 'Failed to delete'] : [undefined, null]);
    expect(await works(data)).toBe(true);
    ok(await one.update({ inputs: inputs() }));
    server().advance(HOUR);
    for (const { id } of await one.leases()) await one.reap(id);
    expect([await works(data), await one.leases()]).toEqual([false, []]);
  });

  it('creates no lease while its target is unreachable, and revokes the rest as soon as it is back', async () => {
    const one = await made();
    const { lease, data } = ok(await one.lease());
    await outage.begin();
    const refused = await one.lease();
    expect([refused.status, refused.body.message]).toEqual([400, expect.any(String)]);
    expect(await one.leases()).toHaveLength(1);
    // What cannot be revoked needs no call.
    if (outlivesLeases) {
      ok(await one.revoke(lease.id));
      return outage.end();
    }
    expect((await one.revoke(lease.id)).status).toBe(400);
    const [left] = await one.leases();
    expect(left).toMatchObject({ id: lease.id, status: 'Failed to delete', statusDetails: expect.any(String) });
    await outage.end();
    server().advance(HOUR);
    await one.reap(lease.id);
    expect([await works(data), await one.leases()]).toEqual([false, []]);
  });
}

/** A text as it is in a JSON body. */
const jsonOf = (value: unknown) => JSON.stringify(value).replaceAll(/^"|"$/g, '');
