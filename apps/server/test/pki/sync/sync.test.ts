import { X509Certificate } from 'node:crypto';
import type { Rule } from '@coffer/domain';
import { pkiSyncTargets } from '@coffer/domain/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, eventsOf, ok } from '../../harness/certificates.ts';
import { expectRefused } from '../../harness/groups.ts';
import { commonNameOf, PKI_SYNCS, PkiSyncWorld } from '../../harness/pki-syncs.ts';
import { Subscribers } from '../../harness/subscribers.ts';
import { besideStandIns } from '../../harness/stand-in-server.ts';
import type { Answer, Caller, TestServer } from '../../harness/test-server.ts';

let test: TestServer;
const standIns = besideStandIns((made) => void (test = made), { clock: 'standing' });
beforeEach(() => test.advance(60_000));

const destinations = Object.keys(pkiSyncTargets);
const [first = ''] = destinations;
const world = (destination = first) => PkiSyncWorld.make(test, standIns, destination);

const ACTIONS = ['read', 'create', 'edit', 'delete', 'sync-certificates', 'remove-certificates'];
const syncing = (...action: string[]) => ({ subject: 'pki-syncs', action: action.length > 0 ? action : ACTIONS });
const reading = (conditions?: Record<string, unknown>) => ({
  ...{ subject: 'certificates', action: ['read', 'read-private-key'] },
  ...(conditions && { conditions }),
});
const connecting = { subject: 'app-connections', action: ['connect'] };

/** A machine identity with these rights in the project of a world. */
const caller = async ({ projectId }: PkiSyncWorld, ...rules: Rule[]): Promise<Caller> =>
  (await test.identity({ projectId, rules })).call;

const serialOf = (pem: string) => new X509Certificate(pem).serialNumber;

describe('a PKI sync', () => {
  it.each(destinations)(
    'to %s returns all published fields when it is created, read and listed',
    async (destination) => {
      const one = await world(destination);
      const certificate = await one.issue();
      const made = await one.create({ description: 'of the shop', certificateIds: [certificate.id] });
      expect(made).toEqual({
        ...{ id: expect.any(String), name: made.name, description: 'of the shop', isAutoSyncEnabled: true },
        ...{ projectId: one.projectId, subscriberId: null, subscriber: null, connectionId: made.connection.id },
        connection: { id: expect.any(String), app: await one.app(), name: expect.any(String) },
        ...{ appConnectionName: made.connection.name, appConnectionApp: made.connection.app },
        ...{ syncStatus: 'pending', lastSyncJobId: null, lastSyncMessage: null, lastSyncedAt: null },
        ...{ importStatus: null, lastImportJobId: null, lastImportMessage: null, lastImportedAt: null },
        ...{ removeStatus: null, lastRemoveJobId: null, lastRemoveMessage: null, lastRemovedAt: null },
        ...{ createdAt: expect.any(String), updatedAt: expect.any(String), destination },
        destinationConfig: one.target.config,
        syncOptions: expect.objectContaining({ canImportCertificates: false, canRemoveCertificates: true }),
      });
      expect(await one.get(made)).toEqual(made);
      expect(ok(await test.admin('GET', `${PKI_SYNCS}/${made.id}`))).toEqual(made);
      for (const path of [PKI_SYNCS, `${PKI_SYNCS}/${destination}`]) {
        const query = `projectId=${one.projectId}`;
        expect(ok(await test.admin('GET', `${path}?${query}`)).pkiSyncs).toEqual([made]);
        const asked = ok(await test.admin('GET', `${path}?${query}&certificateId=${certificate.id}`));
        expect(asked.pkiSyncs).toEqual([{ ...made, hasCertificate: true }]);
      }
      const done = await one.run(made);
      expect(done).toMatchObject({ syncStatus: 'succeeded', lastSyncMessage: null, lastSyncedAt: expect.any(String) });
      expect(await eventsOf(test, { pkiSyncId: made.id })).toEqual(['pki_sync.created', 'pki_sync.synced']);
    },
  );

  it.each(destinations)('to %s writes a certificate with its own key and chain', async (destination) => {
    const one = await world(destination);
    const certificate = await one.issue();
    const made = await one.create({ certificateIds: [certificate.id] });
    await one.run(made);
    const [held, ...others] = one.target.held();
    expect(others).toEqual([]);
    expect(serialOf(held!.certificate)).toBe(serialOf(certificate.certificate));
    expect(held!.privateKey.trim()).toBe((await one.keyOf(certificate)).trim());
    // Its issuer is a root, which is left out.
    expect(held!.chain.trim()).toBe('');
    expect(await one.listed(made)).toEqual([
      expect.objectContaining({
        ...{ pkiSyncId: made.id, certificateId: certificate.id, syncStatus: 'succeeded', lastSyncMessage: null },
        ...{ lastSyncedAt: expect.any(String), pkiSyncName: made.name, pkiSyncDestination: destination },
      }),
    ]);
    expect(await eventsOf(test, { certificateId: certificate.id })).toContain('certificate.private_key_read');
  });

  it.each(destinations)('to %s puts a renewal in the place of the one before', async (destination) => {
    const one = await world(destination);
    const certificate = await one.issue();
    const made = await one.create({ certificateIds: [certificate.id] });
    await one.run(made);
    const [before] = one.target.held();
    const renewed = await one.renew(certificate);
    expect(await one.dueIn(made)).toBe(0);
    await one.run(made);
    const [after, ...others] = one.target.held();
    expect(others).toEqual([]);
    expect([after!.name, serialOf(after!.certificate)]).toEqual([before!.name, serialOf(renewed.certificate)]);
    expect((await one.listed(made)).map((link) => link.certificateId)).toEqual([renewed.id]);
  });

  it.each(destinations)(
    'to %s removes what is revoked, expired or taken out, and nothing else',
    async (destination) => {
      const one = await world(destination);
      const [foreign, kept, revoked, expired, out] = [
        await one.issue({ commonName: 'theirs.example.com', altNames: 'theirs.example.com' }),
        await one.issue({ commonName: 'kept.example.com', altNames: 'kept.example.com' }),
        await one.issue(),
        await one.issue({ ttl: '1d' }),
        await one.issue(),
      ];
      one.target.put('theirs', { ...foreign, privateKey: await one.keyOf(foreign), chain: '' });
      const ids = [kept, revoked, expired, out].map(({ id }) => id);
      const made = await one.create({ certificateIds: ids });
      await one.run(made);
      expect(one.held()).toHaveLength(5);
      await one.certificates.revoke(revoked);
      expect(await one.dueIn(made)).toBe(0);
      await one.run(made);
      expect(one.held()).toHaveLength(4);
      expect(ok(await one.change(made, 'DELETE', [out.id]))).toEqual({ removedCount: 1 });
      await one.run(made);
      expect(one.held()).toHaveLength(3);
      // Nobody says so when it expires.
      expect(await one.dueIn(made)).toBeLessThanOrEqual(86_400);
      test.advance(DAY);
      await one.run(made);
      expect(one.held()).toEqual(['kept.example.com', 'theirs.example.com']);
      const states = (await one.listed(made)).map((link) => [link.syncStatus, link.lastSyncMessage]);
      expect(states).toEqual([
        ['succeeded', null],
        [null, 'The certificate is revoked'],
        [null, 'The certificate has expired'],
      ]);
    },
  );

  it.each(destinations)(
    'to %s removes all that it has written on request, and writes it again',
    async (destination) => {
      const one = await world(destination);
      const foreign = await one.issue({ commonName: 'theirs.example.com', altNames: 'theirs.example.com' });
      one.target.put('theirs', { ...foreign, privateKey: await one.keyOf(foreign), chain: '' });
      const made = await one.create({ certificateIds: [(await one.issue()).id] });
      await one.run(made);
      expect(await one.ask(made, 'remove-certificates')).toEqual({ message: expect.any(String) });
      expect(await one.get(made)).toMatchObject({ removeStatus: 'pending', syncStatus: 'succeeded' });
      expect(await one.run(made)).toMatchObject({ removeStatus: 'succeeded', lastRemovedAt: expect.any(String) });
      expect(one.held()).toEqual(['theirs.example.com']);
      expect(await one.ask(made, 'sync')).toEqual({ message: expect.any(String) });
      await one.run(made);
      expect(one.held()).toHaveLength(2);
      expect(await eventsOf(test, { pkiSyncId: made.id })).toEqual([
        ...['pki_sync.created', 'pki_sync.synced', 'pki_sync.requested', 'pki_sync.removed'],
        ...['pki_sync.requested', 'pki_sync.synced'],
      ]);
    },
  );

  it.each(destinations)('to %s keeps what is over if it may not remove', async (destination) => {
    const one = await world(destination);
    const certificate = await one.issue();
    const syncOptions = { canRemoveCertificates: false };
    const made = await one.create({ certificateIds: [certificate.id], syncOptions });
    await one.run(made);
    await one.certificates.revoke(certificate);
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.held()).toHaveLength(1);
    ok(await one.patch(made, { syncOptions: { canRemoveCertificates: true } }));
    await one.run(made);
    expect(one.held()).toEqual([]);
  });

  it.each(destinations.filter((name) => pkiSyncTargets[name]!().besides))(
    'to %s leaves the one before a renewal beside it, if its options say so',
    async (destination) => {
      const one = await world(destination);
      const certificate = await one.issue();
      const made = await one.create({ certificateIds: [certificate.id], syncOptions: one.target.besides });
      await one.run(made);
      await one.renew(certificate);
      await one.run(made);
      expect(one.target.held()).toHaveLength(2);
      expect(await one.listed(made)).toHaveLength(2);
      await one.certificates.revoke(certificate);
      await one.run(made);
      expect(one.target.held()).toHaveLength(1);
    },
  );

  it.each(destinations)('to %s finds what was written before its answer was lost', async (destination) => {
    const one = await world(destination);
    const certificate = await one.issue();
    const made = await one.create({ certificateIds: [certificate.id] });
    one.target.setAccident('lost');
    expect(await one.run(made)).toMatchObject({ syncStatus: 'failed', lastSyncMessage: expect.any(String) });
    expect(one.target.held()).toHaveLength(1);
    one.target.setAccident(undefined);
    test.advance(DAY / 24);
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.target.held()).toHaveLength(1);
    one.target.setAccident('lost');
    const renewed = await one.renew(certificate);
    await one.run(made);
    one.target.setAccident(undefined);
    test.advance(DAY / 24);
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.target.held().map((held) => serialOf(held.certificate))).toEqual([serialOf(renewed.certificate)]);
    await one.certificates.revoke(renewed);
    await one.run(made);
    expect(one.target.held()).toEqual([]);
  });

  it.each(destinations)(
    'to %s leaves what others put there after an attempt that wrote nothing',
    async (destination) => {
      const one = await world(destination);
      const certificate = await one.issue();
      // They end at the same instant.
      const foreign = await one.issue({ commonName: 'theirs.example.com', altNames: 'theirs.example.com' });
      const made = await one.create({ certificateIds: [certificate.id] });
      one.target.setAccident('refused');
      await one.run(made);
      one.target.setAccident(undefined);
      const privateKey = await one.keyOf(foreign);
      one.target.put(`Coffer-${certificate.id.replaceAll('-', '')}`, { ...foreign, privateKey, chain: '' });
      test.advance(DAY / 24);
      await one.ask(made, 'sync');
      await one.run(made);
      expect(one.held()).toContain('theirs.example.com');
      await one.ask(made, 'remove-certificates');
      await one.run(made);
      expect(one.held()).toEqual(['theirs.example.com']);
    },
  );

  it.each(destinations)('to %s reports what is refused, and tries again as long as it takes', async (destination) => {
    const one = await world(destination);
    const certificate = await one.issue();
    const made = await one.create({ certificateIds: [certificate.id] });
    one.target.setAccident('refused');
    const failed = await one.run(made);
    expect(failed).toMatchObject({ syncStatus: 'failed', lastSyncMessage: expect.any(String) });
    const [link] = await one.listed(made);
    expect(link).toMatchObject({ syncStatus: 'failed', lastSyncMessage: expect.any(String) });
    const secrets = [await one.keyOf(certificate), ...Object.values(one.target.credentials)];
    for (const secret of secrets.filter((text) => String(text).length > 12))
      expect(JSON.stringify([failed, link])).not.toContain(String(secret));
    expect(await one.dueIn(made)).toBeGreaterThan(0);
    one.target.setAccident('throttled');
    test.advance(DAY / 24);
    await one.run(made);
    const { retryAfter = 0 } = one.target;
    expect(await one.dueIn(made)).toBeGreaterThanOrEqual(Math.max(1, retryAfter));
    one.target.setAccident(undefined);
    // Not before that, whoever asks.
    await one.ask(made, 'sync');
    const waiting = retryAfter > 0 ? await one.run(made) : { lastSyncMessage: 'Waits until somebody says' };
    expect(waiting.lastSyncMessage).toContain('Waits until');
    expect(one.target.held()).toEqual([]);
    test.advance(DAY / 24);
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded', lastSyncMessage: null });
    expect(await one.listed(made)).toEqual([expect.objectContaining({ syncStatus: 'succeeded' })]);
  });

  it.each(destinations)('to %s says what cannot be removed, and what is written beside it', async (destination) => {
    const one = await world(destination);
    const gone = await one.issue({ commonName: 'gone.example.com', altNames: 'gone.example.com' });
    const made = await one.create({ certificateIds: [gone.id] });
    await one.run(made);
    const certificate = await one.issue({ commonName: 'new.example.com', altNames: 'new.example.com' });
    ok(await one.change(made, 'POST', [certificate.id]));
    await one.certificates.revoke(gone);
    one.target.setAccident('kept');
    const failed = await one.run(made);
    expect(failed).toMatchObject({
      syncStatus: 'failed',
      lastSyncMessage: expect.stringContaining('1 of those that are to be removed: '),
    });
    expect(one.held()).toEqual(['gone.example.com', 'new.example.com']);
    const statuses = (await one.listed(made)).map(({ certificateId, syncStatus }) => [certificateId, syncStatus]);
    expect(Object.fromEntries(statuses)).toEqual({ [gone.id]: null, [certificate.id]: 'succeeded' });
    expect(await one.dueIn(made)).toBeGreaterThan(0);
    one.target.setAccident(undefined);
    test.advance(DAY / 24);
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded', lastSyncMessage: null });
    expect(one.held()).toEqual(['new.example.com']);
  });

  it('follows a subscriber: what is issued, renewed and revoked', async () => {
    const one = await world();
    const subscribers = new Subscribers(test, one.projectId, one.authority);
    const subscriber = await subscribers.create({ enableAutoRenewal: true, autoRenewalPeriodInDays: 7 });
    const made = await one.create({ subscriberId: subscriber.id });
    expect(made.subscriber).toEqual({ id: subscriber.id, name: subscriber.name });
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.held()).toEqual([]);
    const issued = ok(await subscribers.issue(subscriber.name));
    expect(await one.dueIn(made)).toBe(0);
    await one.run(made);
    expect(one.target.held().map((held) => serialOf(held.certificate))).toEqual([serialOf(issued.certificate)]);
    test.advance(25 * DAY);
    await subscribers.renew(subscriber);
    await one.run(made);
    const [latest, ...others] = one.target.held();
    expect(others).toEqual([]);
    expect(serialOf(latest!.certificate)).not.toBe(serialOf(issued.certificate));
    expect(await one.listed(made)).toHaveLength(1);
    ok(await one.patch(made, { subscriberId: null }));
    await one.run(made);
    expect(one.held()).toEqual([]);
    ok(await one.patch(made, { subscriberId: subscriber.id }));
    await one.run(made);
    expect(one.held()).toEqual([commonNameOf(latest!.certificate)]);
  });

  it('does nothing by itself without auto-sync', async () => {
    const one = await world();
    const certificate = await one.issue();
    const made = await one.create({ certificateIds: [certificate.id], isAutoSyncEnabled: false });
    expect([made.syncStatus, await one.dueIn(made)]).toEqual([null, undefined]);
    await one.certificates.revoke(await one.issue());
    await one.renew(certificate);
    expect(await one.dueIn(made)).toBeUndefined();
    await one.ask(made, 'sync');
    await one.run(made);
    expect(one.target.held()).toHaveLength(1);
    expect(await one.dueIn(made)).toBeUndefined();
  });

  it('stops with the right of the actor that it runs as, and goes on as the one who saves it', async () => {
    const one = await world();
    const certificate = await one.issue();
    const connectionId = await one.connect(await one.app());
    const rules = [syncing(), reading(), connecting];
    const { id: identityId, call } = await test.identity({ projectId: one.projectId, rules });
    const made = ok(await one.post({ connectionId, certificateIds: [certificate.id] }, call));
    ok(await test.admin('DELETE', `/api/v1/projects/${one.projectId}/memberships/identities/${identityId}`));
    const failed = await one.run(made);
    expect(failed).toMatchObject({ syncStatus: 'failed' });
    expect(failed.lastSyncMessage).toContain('no longer in the project');
    expect(one.held()).toEqual([]);
    ok(await one.patch(made, { isAutoSyncEnabled: true }));
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.target.held()).toHaveLength(1);
  });

  it('is hidden from other projects, organizations and destinations', async () => {
    const one = await world();
    const made = await one.create();
    const { id: projectId } = await test.project();
    const elsewhere = (await test.identity({ projectId, rules: [syncing()] })).call;
    for (const call of [elsewhere, (await test.identity()).call]) {
      expect((await call('GET', `${PKI_SYNCS}/${made.id}`)).status).toBe(404);
      for (const what of ['plan', 'sync', 'remove-certificates'])
        expect((await call('POST', `${one.pathOf(made)}/${what}`)).status).toBe(404);
      expect((await call('DELETE', one.pathOf(made))).status).toBe(404);
      expect((await one.patch(made, { name: 'mine' }, call)).status).toBe(404);
      expect((await call('GET', `${PKI_SYNCS}/${made.id}/certificates`)).status).toBe(404);
    }
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect((await test.admin('GET', `${PKI_SYNCS}/${nobody}`)).status).toBe(404);
  });

  it('takes the permission for each action on its name', async () => {
    const one = await world();
    const made = await one.create({ name: 'web-one' });
    const asks: [action: string, (call: Caller) => Promise<Answer>][] = [
      ['read', (call) => call('GET', one.pathOf(made))],
      ['sync-certificates', (call) => call('POST', `${one.pathOf(made)}/plan`)],
      ['sync-certificates', (call) => call('POST', `${one.pathOf(made)}/sync`)],
      ['remove-certificates', (call) => call('POST', `${one.pathOf(made)}/remove-certificates`)],
      ['edit', (call) => one.patch(made, { description: 'changed' }, call)],
      ['delete', (call) => call('DELETE', one.pathOf(made))],
    ];
    for (const [action, ask] of asks) {
      const others = ACTIONS.filter((other) => other !== action);
      const named = (name: string) => ({ ...syncing(action), conditions: { name } });
      await expectRefused(ask(await caller(one, syncing(...others), named('web-two'))), 403);
      expect((await ask(await caller(one, named('web-one')))).status).toBe(200);
    }
    expect(await eventsOf(test, { pkiSyncId: made.id })).toContain('pki_sync.deleted');
  });
});

describe('the plan of a PKI sync', () => {
  it.each(destinations)('to %s says what the next run does, and does nothing', async (destination) => {
    const one = await world(destination);
    const [certificate, other] = [await one.issue(), await one.issue()];
    const made = await one.create({ certificateIds: [certificate.id, other.id] });
    const plan = async () => (await one.ask(made, 'plan')).plan;
    const named = (id: string) => expect.objectContaining({ certificateId: id, name: expect.any(String) });
    const nothing = { create: [], replace: [], remove: [], rejected: [] };
    const planned = await plan();
    expect(planned).toEqual({ ...nothing, create: expect.arrayContaining([named(certificate.id), named(other.id)]) });
    expect([planned.create.length, one.target.held()]).toEqual([2, []]);
    expect(await eventsOf(test, { pkiSyncId: made.id, action: 'plan' })).toEqual(['pki_sync.requested']);
    expect(await eventsOf(test, { certificateId: certificate.id })).not.toContain('certificate.private_key_read');
    await one.run(made);
    expect(await plan()).toEqual(nothing);
    const renewed = await one.renew(certificate);
    await one.certificates.revoke(other);
    const next = await plan();
    expect(next).toMatchObject({ create: [], replace: [named(renewed.id)], rejected: [] });
    expect(next.remove).toHaveLength(1);
    expect(one.target.held()).toHaveLength(2);
    await one.run(made);
    expect([await plan(), one.target.held().length]).toEqual([nothing, 1]);
  });

  it('names what cannot be written, and says why a run would fail', async () => {
    const one = await world('azure-key-vault');
    const certificate = await one.issue({ commonName: 'long.example.com' });
    const syncOptions = { certificateNameSchema: `${'a'.repeat(200)}{{certificateId}}` };
    const limited = await one.create({ certificateIds: [certificate.id], syncOptions });
    expect((await one.ask(limited, 'plan')).plan).toEqual({
      ...{ create: [], replace: [], remove: [] },
      rejected: [
        { certificateId: certificate.id, commonName: 'long.example.com', reason: expect.stringContaining('has to be') },
      ],
    });
    const connectionId = await one.connect(await one.app());
    const rules = [syncing(), reading(), connecting];
    const { id: identityId, call } = await test.identity({ projectId: one.projectId, rules });
    const orphaned = ok(await one.post({ connectionId, certificateIds: [certificate.id] }, call));
    ok(await test.admin('DELETE', `/api/v1/projects/${one.projectId}/memberships/identities/${identityId}`));
    const failed = await test.admin('POST', `${one.pathOf(orphaned)}/plan`);
    expect([failed.status, failed.body.message]).toEqual([400, expect.stringContaining('no longer in the project')]);
  });

  it('is refused to those who may not read all of its certificates', async () => {
    const one = await world();
    const ids = [(await one.issue({ commonName: 'a.example.com' })).id, (await one.issue()).id];
    const made = await one.create({ certificateIds: ids });
    const some = await caller(one, syncing('sync-certificates'), reading({ commonName: 'a.example.com' }));
    await expectRefused(some('POST', `${one.pathOf(made)}/plan`), 403);
    const all = await caller(one, syncing('sync-certificates'), reading());
    expect((await all('POST', `${one.pathOf(made)}/plan`)).status).toBe(200);
  });
});

describe('creating a PKI sync', () => {
  it('is rejected without the right to it, to the connection, or to each of the private keys', async () => {
    const one = await world();
    const certificates = [await one.issue({ commonName: 'a.example.com' }), await one.issue()];
    const body = { connectionId: await one.connect(await one.app()), certificateIds: certificates.map(({ id }) => id) };
    const needed = [syncing('create'), reading(), connecting];
    for (const missing of needed) {
      const call = await caller(one, ...needed.filter((rule) => rule !== missing));
      await expectRefused(one.post(body, call), 403);
    }
    const some = await caller(one, syncing('create'), reading({ commonName: 'a.example.com' }), connecting);
    await expectRefused(one.post(body, some), 403);
    ok(await one.post({ ...body, certificateIds: [certificates[0]!.id] }, some));
    ok(await one.post(body, await caller(one, ...needed)));
    const subscribers = new Subscribers(test, one.projectId, one.authority);
    const { id: subscriberId } = await subscribers.create();
    const subscribed = { ...body, certificateIds: undefined, subscriberId };
    const listing = { subject: 'pki-subscribers', action: ['list-certs'] };
    await expectRefused(one.post(subscribed, await caller(one, ...needed)), 403);
    ok(await one.post(subscribed, await caller(one, ...needed, listing)));
  });

  it('is rejected with a connection to another app, or of another project', async () => {
    const one = await world();
    const { id: projectId } = await test.project();
    const others = [
      await one.connect('github', one.projectId, { method: 'pat', personalAccessToken: 'ghp_token' }),
      await one.connect(await one.app(), projectId),
      '00000000-0000-4000-8000-000000000000',
      'none',
    ];
    for (const connectionId of others) expect(await one.post({ connectionId })).toMatchObject({ status: 404 });
    ok(await one.post({ connectionId: await one.connect(await one.app(), null) }));
  });

  it('is rejected for certificates that are not valid, of another project, or without a stored key', async () => {
    const one = await world();
    const revoked = await one.issue();
    await one.certificates.revoke(revoked);
    const other = await world();
    const foreign = await other.issue();
    const imported = ok(
      await test.admin('POST', '/api/v1/cert-manager/certificates/import-certificate', {
        ...{ projectId: one.projectId, certificatePem: foreign.certificate },
      }),
    );
    for (const [id, status] of [
      [revoked.id, 400],
      [imported.certificateId, 400],
      [foreign.id, 404],
      ['none', 404],
    ] as const)
      expect((await one.post({ certificateIds: [id] })).status).toBe(status);
    expect((await one.post({ subscriberId: foreign.id })).status).toBe(404);
  });

  it('is rejected if the name is taken in the project', async () => {
    const one = await world();
    await one.create({ name: 'twice' });
    expect(await one.post({ name: 'twice' })).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    await (await world()).create({ name: 'twice' });
  });
});

describe('updating a PKI sync', () => {
  it('changes the given fields', async () => {
    const one = await world();
    const made = await one.create({ certificateIds: [(await one.issue()).id] });
    const schema = 'web-{{certificateId}}';
    const changed = ok(
      await one.patch(made, { name: 'other', description: 'new', syncOptions: { certificateNameSchema: schema } }),
    );
    expect(changed).toEqual({
      ...made,
      ...{ name: 'other', description: 'new', updatedAt: expect.any(String) },
      syncOptions: { ...made.syncOptions, certificateNameSchema: schema },
    });
    const without = ok(await one.patch(made, { syncOptions: { certificateNameSchema: null } }));
    expect(without.syncOptions).toEqual(made.syncOptions);
    await one.run(made);
    expect(ok(await one.patch(made, { isAutoSyncEnabled: false }))).toMatchObject({ isAutoSyncEnabled: false });
    const { rows } = await test.coffer.pool.query(
      `select data from audit_events where type = 'pki_sync.updated' and data @> $1::jsonb order by id`,
      [JSON.stringify({ pkiSyncId: made.id })],
    );
    expect(rows.map(({ data }) => data.changed)).toEqual([
      ['name', 'description', 'syncOptions'],
      ['syncOptions'],
      ['isAutoSyncEnabled'],
    ]);
  });

  it('changes single fields within an option', async () => {
    const one = await world('aws-secrets-manager');
    const fieldMappings = { certificate: 'crt', privateKey: 'key', certificateChain: 'chain', caCertificate: 'ca' };
    const made = await one.create({ syncOptions: { fieldMappings } });
    const change = async (fields: object | null) =>
      (await one.patch(made, { syncOptions: { fieldMappings: fields } })).body.syncOptions?.fieldMappings;
    expect(await change({ certificate: 'pem' })).toEqual({ ...fieldMappings, certificate: 'pem' });
    expect(await change({ certificate: null })).toEqual({ ...fieldMappings, certificate: 'certificate' });
    expect(await change({ certificate: 'key' })).toBeUndefined();
    expect(await change(null)).toMatchObject({ privateKey: 'private_key' });
  });

  it('leaves what was written behind if the destination is another one', async () => {
    const one = await world();
    const made = await one.create({ certificateIds: [(await one.issue()).id] });
    await one.run(made);
    const connectionId = await one.connect(await one.app());
    expect(ok(await one.patch(made, { connectionId }))).toMatchObject({ connectionId, syncStatus: 'pending' });
    await one.run(made);
    expect(one.target.held().length).toBeGreaterThanOrEqual(1);
    expect(await one.listed(made)).toEqual([expect.objectContaining({ syncStatus: 'succeeded' })]);
  });

  it('takes the right to each of the private keys where these leave in another way', async () => {
    const one = await world();
    const certificate = await one.issue();
    const made = await one.create({ certificateIds: [certificate.id] });
    const other = await one.issue();
    const editor = await caller(one, syncing('edit'), connecting);
    for (const body of [
      { destinationConfig: one.target.config },
      { connectionId: made.connectionId },
      { syncOptions: { canRemoveCertificates: false } },
      { isAutoSyncEnabled: true },
    ])
      await expectRefused(one.patch(made, body, editor), 403);
    await expectRefused(one.change(made, 'POST', [other.id], editor), 403);
    for (const body of [{ name: 'renamed' }, { description: null }, { isAutoSyncEnabled: false }])
      ok(await one.patch(made, body, editor));
    // One key is not the other.
    const facts = { commonName: commonNameOf(other.certificate) };
    const some = await caller(one, syncing('edit'), connecting, reading(facts));
    await expectRefused(one.change(made, 'POST', [other.id], some), 403);
    const all = await caller(one, syncing('edit', 'read'), reading());
    expect(ok(await one.change(made, 'POST', [other.id], all)).addedCertificates).toEqual([
      expect.objectContaining({ certificateId: other.id, syncStatus: 'pending' }),
    ]);
    expect(ok(await one.change(made, 'DELETE', [other.id, other.id], editor))).toEqual({ removedCount: 1 });
    expect(ok(await one.change(made, 'DELETE', ['none'], editor))).toEqual({ removedCount: 0 });
  });

  it('lists only the certificates that the caller may read', async () => {
    const one = await world();
    const [a, b] = [await one.issue({ commonName: 'a.example.com' }), await one.issue()];
    const made = await one.create({ certificateIds: [a.id, b.id] });
    const call = await caller(one, syncing('read'), reading({ commonName: 'a.example.com' }));
    expect((await one.listed(made, call)).map((link) => link.certificateId)).toEqual([a.id]);
    const page = ok(await test.admin('GET', `${PKI_SYNCS}/${made.id}/certificates?offset=1&limit=1`));
    expect([page.totalCount, page.certificates.map((link: { certificateId: string }) => link.certificateId)]).toEqual([
      2,
      [b.id],
    ]);
  });
});

describe('the connection of a PKI sync', () => {
  it('is neither deleted nor led elsewhere, and its usage lists the sync', async () => {
    const one = await world();
    const app = await one.app();
    const made = await one.create();
    const path = `/api/v1/app-connections/${app}/${made.connectionId}`;
    expect(await test.admin('DELETE', path)).toMatchObject({ status: 400 });
    const { projects, hiddenResources } = ok(await test.admin('GET', `${path}/usage`));
    expect(projects.map((project: { resources: { pkiSyncs: unknown } }) => project.resources.pkiSyncs)).toEqual([
      [{ id: made.id, destination: one.destination, name: made.name }],
    ]);
    expect(hiddenResources).toBe(0);
    const call = await caller(one, { subject: 'app-connections', action: ['read'] });
    expect(ok(await call('GET', `${path}/usage`))).toEqual({ projects: [], hiddenResources: 1 });
    ok(await test.admin('DELETE', one.pathOf(made)));
    ok(await test.admin('DELETE', path));
  });

  it('ends with its project', async () => {
    const one = await world();
    const made = await one.create({ certificateIds: [(await one.issue()).id] });
    ok(await test.admin('DELETE', `/api/v1/projects/${one.projectId}`));
    expect((await test.admin('GET', `${PKI_SYNCS}/${made.id}`)).status).toBe(404);
  });
});
