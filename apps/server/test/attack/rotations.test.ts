import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { rotatedPostgres, type RotatedPostgres } from '../harness/rotated-postgres.ts';
import { RotationAtWork } from '../harness/rotation.ts';

const TYPE = 'postgres-credentials';
const FIELDS = ['username', 'password'];

let system: RotatedPostgres;
beforeAll(async () => {
  system = await rotatedPostgres();
});
afterAll(() => system.close());

describe('attack: the login of a rotation', () => {
  it('has its password set by another rotation, under a longer name that PostgreSQL cuts', async () => {
    const mark = (await system.accounts()).parameters as { username1: string; username2: string };
    const full = mark.username1.padEnd(63, 'x');
    await system.query(`create role "${full}" login`);
    const one = await RotationAtWork.made(system, TYPE, FIELDS, { parameters: { ...mark, username1: full } });
    const before = await one.active();
    const { username2 } = (await system.accounts()).parameters as typeof mark;
    const secretsMapping = { username: 'OTHER_USERNAME', password: 'OTHER_PASSWORD' };
    for (const username1 of [full, `${full}y`, `${full}${'z'.repeat(100)}`]) {
      const other = { name: 'other', parameters: { username1, username2 }, secretsMapping };
      await expectRefused(one.as(one.call).create(other), 400, 'Another rotation');
    }
    const twice = { name: 'twice', parameters: { username1: `${full}a`, username2: `${full}b` }, secretsMapping };
    await expectRefused(one.as(one.call).create(twice), 400, 'two logins');
    expect(await system.works(before)).toBe(true);
    await ok(one.delete());
    await system.query(`drop role "${full}"`);
  });

  it('is that of a connection whose password Coffer manages, and is read by whoever creates the rotation', async () => {
    const { username1, username2 } = (await system.accounts()).parameters as { username1: string; username2: string };
    await system.query(`alter role "${username1}" password 'given'`);
    const { method, ...ours } = system.credentials!;
    const connect = (username: string, password: string) =>
      system.test.admin('POST', '/api/v1/app-connections/postgres', {
        ...{ name: `of-${username.replaceAll('_', '-')}`, method, isPlatformManagedCredentials: true },
        credentials: { ...ours, username, password },
      });
    const { appConnection } = await ok(connect(username1, 'given'));
    const one = await RotationAtWork.unmade(system, TYPE, FIELDS);
    const parameters = { username1, username2 };
    await expectRefused(one.create({ parameters }), 400, 'Coffer manages the password');

    // Nor does it where the connection has been made at the same moment.
    const other = await RotationAtWork.made(system, TYPE, FIELDS);
    await system.test.coffer.pool.query(
      `update secret_rotations set parameters = jsonb_set(parameters, '{username2}', to_jsonb($2::text)) where id = $1`,
      [other.id, username1],
    );
    await expectRefused(other.rotate(), 400, 'Coffer manages the password');
    const path = `/api/v1/app-connections/postgres/${appConnection.id}`;
    await ok(system.test.admin('PATCH', path, { isPlatformManagedCredentials: false }));
    await expectRefused(other.rotate(), 400, 'uses one of these logins');
    await ok(system.test.admin('DELETE', path));
    await ok(other.rotate());

    // The other way round.
    const rotated = await RotationAtWork.made(system, TYPE, FIELDS);
    const { username, password } = await rotated.active();
    await expectRefused(connect(username!, password!), 400, 'A secret rotation changes the password');
  });

  it('is that of a connection or dynamic secret of another project, and is read by whoever creates the rotation', async () => {
    const { username1, username2 } = (await system.accounts()).parameters as { username1: string; username2: string };
    await system.query(`alter role "${username1}" password 'given'`);
    const { host, port, database } = system.credentials!;
    const { slug: projectSlug } = await system.test.project();
    const place = { projectSlug, environmentSlug: 'dev', path: '/' };
    const inputs = {
      ...{
        client: 'postgres',
        host: String(host).toUpperCase(),
        port,
        database,
        username: username1,
        password: 'given',
      },
      creationStatement: `create role "{{username}}" login password '{{password}}'`,
      revocationStatement: 'drop role "{{username}}"',
    };
    const secret = { ...place, name: 'logins', defaultTTL: '1h', provider: { type: 'sql-database', inputs } };
    await ok(system.test.admin('POST', '/api/v1/dynamic-secrets', secret));
    const one = await RotationAtWork.unmade(system, TYPE, FIELDS);
    const { id: projectId } = await system.test.project();
    const parameters = { username1: username2, username2: username1 };
    await expectRefused(one.create({ parameters }), 400, 'uses one of these logins');
    expect(await system.works({ username: username1, password: 'given' })).toBe(true);
    await ok(system.test.admin('DELETE', '/api/v1/dynamic-secrets/logins', place));

    const { method, ...ours } = system.credentials!;
    const credentials = { ...ours, username: username1, password: 'given' };
    const connection = { name: 'of-others', projectId, method, credentials };
    await ok(system.test.admin('POST', '/api/v1/app-connections/postgres', connection));
    await expectRefused(one.create({ parameters }), 400, 'uses one of these logins');
    expect(await system.works({ username: username1, password: 'given' })).toBe(true);
  });

  it('has its rotation stopped, or is kept from being revoked, by a connection with it, of somebody who has read it', async () => {
    const one = await RotationAtWork.made(system, TYPE, FIELDS);
    const read = await one.active();
    const { id: projectId } = await system.test.project();
    const { call } = await system.test.identity({ projectId, projectRole: 'admin' });
    const { method, ...ours } = system.credentials!;
    const kept = { name: 'kept', projectId, method, credentials: { ...ours, ...read } };
    await ok(call('POST', '/api/v1/app-connections/postgres', kept));
    for (let times = 0; times < 2; times++) await ok(one.rotate());
    expect(await system.works(read)).toBe(false);
    const again = await one.active();
    await ok(
      call('POST', '/api/v1/app-connections/postgres', { ...kept, name: 'again', credentials: { ...ours, ...again } }),
    );
    await ok(one.delete('?revokeGeneratedCredentials=true'));
    expect(await system.works(again)).toBe(false);
  });

  it('is that of a connection or dynamic secret, which is named to those who may read it alone', async () => {
    const { username1, username2 } = (await system.accounts()).parameters as { username1: string; username2: string };
    await system.query(`alter role "${username2}" password 'given'`);
    const one = await RotationAtWork.made(system, TYPE, FIELDS);
    const { id: projectId } = await system.test.project();
    const { method, ...ours } = system.credentials!;
    const credentials = { ...ours, username: username2, password: 'given' };
    const connection = { name: 'of-the-shop', projectId, method, credentials };
    await ok(system.test.admin('POST', '/api/v1/app-connections/postgres', connection));
    const { call } = await system.test.identity({ projectId: one.projectId, projectRole: 'admin' });
    const parameters = { username1, username2 };
    const told = 'app connection of-the-shop uses one of these logins';
    await expectRefused(one.update({ parameters }), 400, told);
    const untold = await one.as(call).update({ parameters });
    expect([untold.status, untold.body.message]).toEqual([
      400,
      expect.stringMatching(/^An app connection of the organization uses one of these logins/),
    ]);
    // One of an earlier release has its parameters still, and anything else of it can be changed.
    await system.test.coffer.pool.query('update secret_rotations set parameters = $2 where id = $1', [
      one.id,
      JSON.stringify(parameters),
    ]);
    await ok(one.update({ parameters, description: 'of the shop' }));
    await expectRefused(one.rotate(), 400, 'An app connection of the organization uses one of these logins');
    expect(await system.works({ username: username2, password: 'given' })).toBe(true);
  });

  it('becomes that of its connection, which would end with the next rotation', async () => {
    const one = await RotationAtWork.made(system, TYPE, FIELDS);
    const before = await one.active();
    const path = `/api/v1/app-connections/postgres/${one.connectionId}`;
    await expectRefused(system.test.admin('PATCH', path, { credentials: before }), 400, 'do not fit');
    // Nor does it where the connection has got it in another way.
    const { username1 } = (await ok(one.get())).secretRotation.parameters;
    await system.test.coffer.pool.query(
      `update secret_rotations set parameters = jsonb_set(parameters, '{username2}', to_jsonb($2::text)) where id = $1`,
      [one.id, system.credentials!['username']],
    );
    await expectRefused(one.rotate(), 400, 'other logins');
    expect(username1).toBe(before['username']);
    expect(await system.works(before)).toBe(true);
  });

  it('is that of others, once the rotation is given another one, and ends with the credential that it still holds', async () => {
    const { parameters } = (await system.accounts()) as { parameters: { username1: string } };
    const one = await RotationAtWork.made(system, TYPE, FIELDS, { parameters });
    const former = await one.active();
    expect(former['username']).toBe(parameters.username1);
    await ok(one.update({ parameters: (await system.accounts()).parameters }));

    const other = await RotationAtWork.unmade(system, TYPE, FIELDS);
    const { method, ...ours } = system.credentials!;
    const managed = () =>
      system.test.admin('POST', '/api/v1/app-connections/postgres', {
        ...{ name: 'of-former', method, isPlatformManagedCredentials: true },
        credentials: { ...ours, ...former },
      });
    const refused = async () => {
      await expectRefused(other.create({ parameters }), 400, 'Another rotation');
      await expectRefused(managed(), 400, 'A secret rotation changes the password');
      const path = `/api/v1/app-connections/postgres/${one.connectionId}`;
      await expectRefused(system.test.admin('PATCH', path, { credentials: former }), 400, 'do not fit');
      expect(await system.works(former)).toBe(true);
    };
    await refused();
    await ok(one.rotate());
    await refused();
    await ok(one.rotate());
    await ok(other.create({ parameters }));
    const present = await other.active();
    await ok(one.delete('?revokeGeneratedCredentials=true'));
    expect(await system.works(present)).toBe(true);
  });

  it('is that of others, while a credential for it is being made', async () => {
    const one = await RotationAtWork.made(system, TYPE, FIELDS);
    const { pool } = system.test.coffer;
    const claim = `update secret_rotations set claim_id = gen_random_uuid(), claimed_until = $2 where id = $1`;
    const { parameters } = await system.accounts();
    await pool.query(claim, [one.id, new Date(Date.now() + 60_000)]);
    await expectRefused(one.update({ parameters }), 400, 'under way');
    await ok(one.update({ description: 'of the shop' }));
    await pool.query(claim, [one.id, new Date(Date.now() - 1)]);
    await ok(one.update({ parameters }));
  });
});

describe('attack: the secrets of a rotation', () => {
  it('are not named to somebody who gives a tag of them another slug, and may not see them', async () => {
    const one = await RotationAtWork.made(system, TYPE, FIELDS, { isAutoRotationEnabled: true });
    const { projectId } = one;
    const { admin } = system.test;
    const tags = `/api/v1/projects/${projectId}/tags`;
    const { tag } = await ok(admin('POST', tags, { slug: 'before', color: '' }));
    const at = { projectId, environment: 'dev', secretPath: '/' };
    await ok(admin('PATCH', '/api/v4/secrets/THE_PASSWORD', { ...at, tagIds: [tag.id] }));
    const tagger = await system.test.identity({ projectId, rules: [{ subject: 'tags', action: ['edit'] }] });
    const rename = () => tagger.call('PATCH', `${tags}/${tag.id}`, { slug: 'after' });
    expect(await rename()).toMatchObject({ status: 403, body: { error: 'PermissionDenied' } });
    const temporaryAccessStartTime = system.test.coffer.now().toISOString();
    await ok(
      admin('POST', '/api/v2/identity-project-additional-privilege', {
        ...{ projectId, identityId: tagger.id },
        permissions: [{ subject: 'secrets', action: ['create', 'edit', 'delete'] }],
        type: { isTemporary: true, temporaryMode: 'relative', temporaryRange: '1h', temporaryAccessStartTime },
      }),
    );
    const refused = await rename();
    expect(refused).toMatchObject({ status: 403, body: { error: 'PermissionBoundaryError' } });
    expect(JSON.stringify(refused.body)).not.toContain('THE_PASSWORD');
  });
});
