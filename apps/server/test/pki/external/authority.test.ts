import { makeConnection, pebble } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, NEWER } from '../../harness/certificates.ts';
import { ACME, OrderWorld } from '../../harness/external-authorities.ts';
import { expectRefused, ok, same } from '../../harness/groups.ts';

describe.skipIf(pebble.isMissing)('an external authority', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.start({ needsExternalAccount: true });
  });
  afterAll(() => world.close());

  const bound = async (more: object = {}) => world.wanted('route53', { ...world.pebble.externalAccount, ...more });
  const made = async () => ok(world.test.admin('POST', ACME, await bound()));
  const keysOf = async (id: string) =>
    (await world.test.coffer.pool.query('select credentials from external_authorities where id = $1', [id])).rows[0]
      .credentials as Buffer;

  it('binds its account to an external one, where that is required', async () => {
    const { admin } = world.test;
    await expectRefused(admin('POST', ACME, await world.wanted('route53')), 400, 'eabKid and eabHmacKey are required');
    const wrong = await bound({ eabHmacKey: 'A'.repeat(43) });
    await expectRefused(admin('POST', ACME, wrong), 400, '127.0.0.1 answers');
    const { id } = await made();
    expect(await eventsOf(world.test, { caId: id })).toEqual(['external_authority.created']);
  });

  it('returns nothing that is secret', async () => {
    const wanted = await bound();
    const { eabHmacKey, ...shown } = wanted.configuration as unknown as Record<string, unknown>;
    const answer = await ok(world.test.admin('POST', ACME, wanted));
    expect(answer).toEqual({
      ...{ id: expect.any(String), projectId: world.projectId, name: wanted.name, type: 'acme', status: 'active' },
      ...{ enableDirectIssuance: true, configuration: shown },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
    });
    const listed = await ok(world.test.admin('GET', `${ACME}?projectId=${world.projectId}`));
    expect(listed).toContainEqual(answer);
    expect(JSON.stringify(listed)).not.toContain(String(eabHmacKey));
  });

  it('keeps its account unless the directory or the external account changes', async () => {
    const { admin } = world.test;
    const { id, configuration } = await made();
    const before = await keysOf(id);
    await ok(admin('PATCH', `${ACME}/${id}`, { status: 'disabled' }));
    expect(await keysOf(id)).toEqual(before);
    const moved = { configuration: { directoryUrl: 'https://thief.example/directory' } };
    await expectRefused(admin('PATCH', `${ACME}/${id}`, moved), 400, 'Send eabHmacKey again');
    const { eabKid, eabHmacKey } = world.pebble.externalAccount as Record<string, string>;
    const other = { ...configuration, eabKid, eabHmacKey: `${eabHmacKey}=` };
    const changed = await ok(admin('PATCH', `${ACME}/${id}`, { configuration: other, status: 'active' }));
    expect(changed).toMatchObject({ status: 'active', configuration });
    expect(await keysOf(id)).not.toEqual(before);
    expect(world.standIns.called.filter((url) => url.includes('thief'))).toEqual([]);
  });

  it('is not made with a connection that is changed at the same time', async () => {
    const { test } = world;
    const wanted = await bound();
    const holder = await test.owner.connect();
    await holder.query('begin');
    const move = `update app_connections set updated_at = updated_at + interval '1 second' where id = $1`;
    await holder.query(move, [(wanted.configuration as { dnsAppConnectionId: string }).dnsAppConnectionId]);
    const making = test.admin('POST', ACME, wanted);
    const waiting = `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and pg_blocking_pids(pid) <> '{}'`;
    await expect.poll(async () => (await holder.query<{ count: number }>(waiting)).rows[0]!.count).toBe(1);
    await holder.query('commit');
    holder.release();
    await expectRefused(making, 400, 'connection was changed');
  });

  it('takes the right to the connection that it uses', async () => {
    const { test, projectId } = world;
    const rules = [{ subject: 'certificate-authorities', action: ['read', 'create', 'edit', 'delete'] }];
    const call = await world.holder(rules);
    await expectRefused(call('POST', ACME, await bound()), 403);
    const { id: projectElsewhere } = await test.project();
    const elsewhere = await world.connection('route53', projectElsewhere);
    await expectRefused(test.admin('POST', ACME, await bound({ dnsAppConnectionId: elsewhere })), 404);
    const { organizationId } = test;
    const github = await makeConnection(test.coffer, { organizationId, projectId, app: 'github', name: 'not-dns' });
    await expectRefused(test.admin('POST', ACME, await bound({ dnsAppConnectionId: github.id })), 404);
  });

  it('takes the permission on its name, and is hidden from others', async () => {
    const { test, projectId } = world;
    const { id, name } = await made();
    const other = await made();
    const rules = [{ subject: 'certificate-authorities', action: ['read'], conditions: { name } }];
    const reader = await world.holder(rules);
    expect((await ok(reader('GET', `${ACME}/${id}`))).name).toBe(name);
    await expectRefused(reader('GET', `${ACME}/${other.id}`), 403);
    expect(await ok(reader('GET', `${ACME}?projectId=${projectId}`))).toHaveLength(1);
    await expectRefused(reader('PATCH', `${ACME}/${id}`, { status: 'disabled' }), 403);
    await expectRefused(reader('DELETE', `${ACME}/${id}`), 403);
    const { call } = await test.foreign();
    const unknown = `${ACME}/6ff2d1c5-3a0b-4a57-8f5e-0c6a7a7e1d00`;
    await same(call, 'GET', `${ACME}/${id}`, unknown);
    await same(call, 'DELETE', `${ACME}/${id}`, unknown);
    await same(call, 'PATCH', `${ACME}/${id}`, unknown, { status: 'disabled' });
  });

  it('is not deleted with a profile that a rule forbids to delete', async () => {
    const { id } = await made();
    await world.profile(id);
    const remove = { subject: 'certificate-authorities', action: ['delete'] };
    const denial = { subject: 'certificate-profiles', action: ['delete'], inverted: true };
    const kept = await world.holder([remove, denial]);
    await expectRefused(kept('DELETE', `${ACME}/${id}`), 403, 'a rule forbids you');
    await ok((await world.holder([remove]))('DELETE', `${ACME}/${id}`));
  });

  it('is not deleted while its orders are not finished, nor while its certificates are valid', async () => {
    const { admin } = world.test;
    const { id, configuration } = await made();
    const profileId = await world.profile(id);
    const requestId = await world.order(profileId, { commonName: 'kept.example.com' });
    await expectRefused(admin('DELETE', `${ACME}/${id}`), 400, 'not finished');
    await world.finish(requestId);
    const { certificateId } = await world.request(requestId);
    const usage = await ok(admin('GET', `/api/v1/app-connections/aws/${configuration.dnsAppConnectionId}/usage`));
    expect(usage.projects[0].resources.certificateAuthorities).toMatchObject([{ id, type: 'acme' }]);
    const connection = `/api/v1/app-connections/aws/${configuration.dnsAppConnectionId}`;
    await expectRefused(admin('DELETE', connection), 400, 'is used');
    await expectRefused(admin('DELETE', `${NEWER}/${certificateId}`), 400, 'Revoke the certificate first');
    await expectRefused(admin('DELETE', `${ACME}/${id}`), 400, 'revoke them first');
    const revocation = { revocationReason: 'SUPERSEDED' };
    await ok(admin('POST', `${NEWER}/${certificateId}/revoke`, revocation));
    await ok(admin('DELETE', `${ACME}/${id}`));
    expect((await ok(admin('GET', `${NEWER}/${certificateId}`))).certificate).toMatchObject({
      caId: null,
      caType: null,
    });
    await ok(admin('DELETE', connection));
  });

  it('that is gone for good is deleted by force, and the event names the certificates that nobody can revoke', async () => {
    const { admin, coffer } = world.test;
    const { id } = await made();
    const requestId = await world.order(await world.profile(id), { commonName: 'stays.example.com' });
    await world.finish(requestId);
    const { certificateId } = await world.request(requestId);
    const { serialNumber } = (await ok(admin('GET', `${NEWER}/${certificateId}`))).certificate;
    await expectRefused(admin('DELETE', `${ACME}/${id}?isForced=false`), 400, 'isForced');
    await ok(admin('DELETE', `${ACME}/${id}?isForced=true`));
    const { rows } = await coffer.pool.query(
      "select data from audit_events where type = 'external_authority.deleted' and data ->> 'caId' = $1",
      [id],
    );
    expect(rows).toMatchObject([{ data: { isForced: true, left: [serialNumber] } }]);
  });

  it('does not become another one while its certificates are valid', async () => {
    const { admin } = world.test;
    const { id } = await made();
    const requestId = await world.order(await world.profile(id), { commonName: 'still.example.com' });
    await world.finish(requestId);
    const { certificateId } = await world.request(requestId);
    const another = { configuration: { eabKid: 'another', eabHmacKey: 'A'.repeat(43) } };
    await expectRefused(admin('PATCH', `${ACME}/${id}`, another), 400, 'revoke them first');
    await ok(admin('PATCH', `${ACME}/${id}`, { status: 'disabled' }));
    const revocation = { revocationReason: 'KEY_COMPROMISE' };
    await ok(admin('POST', `${NEWER}/${certificateId}/revoke`, revocation));
    // The authority itself does not know that account.
    await expectRefused(admin('PATCH', `${ACME}/${id}`, another), 400, '127.0.0.1 answers');
  });

  it('keeps its account, and revokes what that has ordered, with another contact address', async () => {
    const { admin } = world.test;
    const { id } = await made();
    const requestId = await world.order(await world.profile(id), { commonName: 'contact.example.com' });
    await world.finish(requestId);
    const { certificateId } = await world.request(requestId);
    for (const accountEmail of ['others@example.com', 'ops@example.com']) {
      const changed = await ok(admin('PATCH', `${ACME}/${id}`, { configuration: { accountEmail } }));
      expect(changed.configuration).toMatchObject({ accountEmail });
    }
    await ok(admin('POST', `${NEWER}/${certificateId}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
  });
});
