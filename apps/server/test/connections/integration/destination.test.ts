import { AwsAccount, GitHub, StandIns, Vault } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { synced, SyncedProject } from '../../harness/integrations.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let standIns: StandIns;
let test: TestServer;
let project: SyncedProject;
beforeAll(async () => {
  standIns = new StandIns();
  test = await testServer({ fetch: (url, request) => standIns.fetch(url, request) });
});
beforeEach(async () => {
  project = await SyncedProject.make(test);
  await project.write({ URL: 'postgres://db', EMPTY: '', UMLAUT: 'süß „zitiert“\nzweite Zeile' });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const SECRETS = { URL: 'postgres://db', EMPTY: '', UMLAUT: 'süß „zitiert“\nzweite Zeile' };

describe('AWS Secrets Manager', () => {
  let aws: AwsAccount;
  let auth: object;
  beforeEach(async () => {
    aws = new AwsAccount();
    await aws.serve(standIns);
    auth = { accessId: aws.keys.accessKeyId, accessToken: aws.keys.secretAccessKey };
  });
  const target = { region: 'eu-central-1', app: 'app/dev' };
  const stored = (name = 'app/dev') => JSON.parse(aws.secrets.get(name)!.value) as object;

  it('gets all secrets in one, signed for AWS, created with key and tags', async () => {
    const id = await project.integrate('aws-secret-manager', auth, {
      ...target,
      metadata: { kmsKeyId: 'alias/coffer', secretAWSTag: [{ key: 'team', value: 'web' }] },
    });
    await synced(project, id);
    expect(stored()).toEqual(SECRETS);
    expect(aws.secrets.get('app/dev')).toMatchObject({
      kmsKeyId: 'alias/coffer',
      tags: [{ Key: 'team', Value: 'web' }],
    });
  });

  it('keeps other entries of the same secret, to the last digit', async () => {
    const text = '{"theirs": 12345678901234567890, "deep": {"a": [1.10]}, "URL": "old"}';
    aws.secrets.set('app/dev', { value: text, isDeleted: false });
    const id = await project.integrate('aws-secret-manager', auth, target);
    await synced(project, id);
    const { value } = aws.secrets.get('app/dev')!;
    expect(value).toContain('12345678901234567890');
    expect(value).toContain('1.10');
    expect(JSON.parse(value)).toMatchObject(SECRETS);
  });

  it('does not overwrite a secret that is no JSON object', async () => {
    aws.secrets.set('app/dev', { value: 'a password of somebody', isDeleted: false });
    const id = await project.integrate('aws-secret-manager', auth, target);
    const { isSynced, syncMessage } = await project.sync(id);
    expect([isSynced, syncMessage]).toEqual([false, expect.stringContaining('no JSON object')]);
    expect(aws.secrets.get('app/dev')!.value).toBe('a password of somebody');
  });

  it('reads each secret individually, restores a deleted one, and deletes with a recovery window', async () => {
    const id = await project.integrate('aws-secret-manager', auth, {
      region: target.region,
      metadata: { mappingBehavior: 'one-to-one', secretPrefix: 'app/', secretSuffix: '-dev' },
    });
    await project.write({ EMPTY: null });
    for (let n = 0; n < 25; n++) await project.write({ [`N${n}`]: `${n}` });
    await synced(project, id);
    expect(aws.secrets.size).toBe(27);
    expect(aws.secrets.get('app/URL-dev')).toEqual({ value: 'postgres://db', isDeleted: false });
    await project.write({ URL: null });
    await synced(project, id);
    expect(aws.secrets.get('app/URL-dev')!.isDeleted).toBe(true);
    await project.write({ URL: 'again' });
    await synced(project, id);
    expect(aws.secrets.get('app/URL-dev')).toEqual({ value: 'again', isDeleted: false });
  });

  it('is called as the role, with the project as external ID', async () => {
    const role = 'arn:aws:iam::123456789012:role/coffer';
    aws.onlySessions = true;
    const id = await project.integrate('aws-secret-manager', { ...auth, awsAssumeIamRoleArn: role }, target);
    const refused = await project.sync(id);
    expect([refused.isSynced, refused.syncMessage]).toEqual([false, expect.stringContaining('AccessDenied')]);
    aws.roles.set(role, project.id);
    await synced(project, id);
    expect(stored()).toEqual(SECRETS);
    expect(aws.calls).toContain(`AssumeRole ${role}`);
  });
});

describe('AWS Parameter Store', () => {
  let aws: AwsAccount;
  let auth: object;
  beforeEach(async () => {
    aws = new AwsAccount();
    await aws.serve(standIns);
    auth = { accessId: aws.keys.accessKeyId, accessToken: aws.keys.secretAccessKey };
    await project.write({ EMPTY: null });
  });

  it('gets each secret as an encrypted parameter below the path, over many pages', async () => {
    const secrets = Object.fromEntries(Array.from({ length: 35 }, (_, n) => [`KEY_${n}`, `value ${n}`]));
    await project.write(secrets);
    aws.parameters.set('/app/dev/THEIRS', { value: 'x', type: 'String' });
    aws.parameters.set('/app/dev/deeper/KEY_1', { value: 'x', type: 'String' });
    const id = await project.integrate('aws-parameter-store', auth, {
      region: 'eu-central-1',
      path: '/app/dev/',
      metadata: { kmsKeyId: 'alias/coffer', secretAWSTag: [{ key: 'team', value: 'web' }] },
    });
    await synced(project, id);
    expect(aws.parameters.size).toBe(39);
    expect(aws.parameters.get('/app/dev/KEY_34')).toEqual({
      value: 'value 34',
      type: 'SecureString',
      keyId: 'alias/coffer',
      tags: [{ Key: 'team', Value: 'web' }],
    });
    aws.calls.length = 0;
    await project.write({ KEY_1: 'changed', KEY_2: null });
    await synced(project, id);
    expect(aws.calls.filter((call) => !call.startsWith('GetParametersByPath')).toSorted()).toEqual([
      'DeleteParameter /app/dev/KEY_2',
      'PutParameter /app/dev/KEY_1',
    ]);
    expect(aws.parameters.get('/app/dev/deeper/KEY_1')!.value).toBe('x');
  });

  it('reports the secret that it cannot store, and stores the others', async () => {
    await project.write({ 'has blank': 'x', EMPTY: '' });
    const id = await project.integrate('aws-parameter-store', auth, { region: 'eu-central-1', path: 'app' });
    const { isSynced, syncMessage } = await project.sync(id);
    expect(isSynced).toBe(false);
    expect(syncMessage).toContain('2 of 4 secrets');
    expect(syncMessage).toContain('EMPTY: an empty value cannot be stored there');
    expect(aws.parameters.get('/app/URL')!.value).toBe('postgres://db');
  });
});

describe('GitHub', () => {
  let github: GitHub;
  beforeEach(async () => {
    github = new GitHub(`ghp_${project.id.replaceAll('-', '')}`);
    await standIns.serve('api.github.com', github.listener);
  });

  it.each([
    ['a repository', { owner: 'acme', app: 'web' }, '/repos/acme/web/actions'],
    [
      'an environment',
      { scope: 'github-env', owner: 'acme', app: 'web', targetEnvironmentId: 'live system' },
      '/repos/acme/web/environments/live system',
    ],
    ['an organization', { scope: 'github-org', owner: 'acme' }, '/orgs/acme/actions'],
  ])('gets secrets into %s in a box that only it can open', async (_, target, place) => {
    const id = await project.integrate('github', { accessToken: github.token }, target);
    await synced(project, id);
    expect(github.values(place)).toEqual(SECRETS);
  });

  it('gets the visibility of secrets of an organization', async () => {
    const id = await project.integrate(
      'github',
      { accessToken: github.token },
      {
        scope: 'github-org',
        owner: 'acme',
        metadata: { githubVisibility: 'selected', githubVisibilityRepoIds: ['17', '4'] },
      },
    );
    await synced(project, id);
    expect(github.at('/orgs/acme/actions').get('URL')).toMatchObject({ visibility: 'selected', repositories: [17, 4] });
  });

  it('is updated when the visibility of organization secrets changes', async () => {
    const target = { scope: 'github-org', owner: 'acme' };
    const id = await project.integrate('github', { accessToken: github.token }, target);
    await synced(project, id);
    const metadata = { githubVisibility: 'all' };
    expect((await test.admin('PATCH', `/api/v1/integration/${id}`, { metadata })).status).toBe(200);
    await synced(project, id);
    const visibilities = [...github.at('/orgs/acme/actions').values()].map(({ visibility }) => visibility);
    expect(visibilities).toEqual(['all', 'all', 'all']);
  });

  it('is written to where something changed, although nothing can be read there', async () => {
    const id = await project.integrate('github', { accessToken: github.token }, { owner: 'acme', app: 'web' });
    await synced(project, id);
    github.calls.length = 0;
    await project.write({ URL: 'other' });
    await synced(project, id);
    const base = '/repos/acme/web/actions/secrets';
    expect(github.calls).toEqual([`GET ${base}`, `GET ${base}/public-key`, `PUT ${base}/URL`]);
    github.at('/repos/acme/web/actions').delete('UMLAUT');
    await synced(project, id);
    expect(github.values('/repos/acme/web/actions')).toEqual({ ...SECRETS, URL: 'other' });
  });

  it('keeps deleted secrets by default, and never changes items of others', async () => {
    const place = '/repos/acme/web/actions';
    github.at(place).set('THEIRS', { value: 'x' });
    const id = await project.integrate('github', { accessToken: github.token }, { owner: 'acme', app: 'web' });
    await synced(project, id);
    await project.write({ EMPTY: null });
    await synced(project, id);
    expect(Object.keys(github.values(place)).toSorted()).toEqual(['EMPTY', 'THEIRS', 'UMLAUT', 'URL']);
    await test.admin('PATCH', `/api/v1/integration/${id}`, { metadata: { shouldEnableDelete: true } });
    await synced(project, id);
    expect(Object.keys(github.values(place)).toSorted()).toEqual(['THEIRS', 'UMLAUT', 'URL']);
  });

  it('gets names in upper case, once each, and no reserved ones', async () => {
    await project.write({ lower: 'l', url: 'twin', GITHUB_TOKEN: 'x' });
    const id = await project.integrate('github', { accessToken: github.token }, { owner: 'acme', app: 'web' });
    const { isSynced, syncMessage } = await project.sync(id);
    expect(isSynced).toBe(false);
    expect(syncMessage).toContain('2 of 6 secrets');
    expect(github.values('/repos/acme/web/actions')).toMatchObject({ LOWER: 'l' });
  });

  it('may be a server of an enterprise', async () => {
    const enterprise = new GitHub(github.token, '/api/v3');
    await standIns.serve('github.acme.example', enterprise.listener);
    const auth = { accessToken: github.token, url: 'https://github.acme.example/' };
    const id = await project.integrate('github', auth, { owner: 'acme', app: 'web' });
    await synced(project, id);
    expect(enterprise.values('/repos/acme/web/actions')).toEqual(SECRETS);
    expect(github.calls).toEqual([]);
  });

  it.each(['https://github.com', 'https://github.com/', 'https://api.github.com'])('is itself as %s', async (url) => {
    const auth = { accessToken: github.token, url };
    await synced(project, await project.integrate('github', auth, { owner: 'acme', app: 'web' }));
    expect(github.values('/repos/acme/web/actions')).toEqual(SECRETS);
  });

  it('may be an enterprise with a host of its own', async () => {
    const resident = new GitHub(github.token);
    await standIns.serve('api.acme.ghe.com', resident.listener);
    const auth = { accessToken: github.token, url: 'https://acme.ghe.com' };
    await synced(project, await project.integrate('github', auth, { owner: 'acme', app: 'web' }));
    expect(resident.values('/repos/acme/web/actions')).toEqual(SECRETS);
  });
});

describe('HashiCorp Vault', () => {
  const serve = async (namespace?: string) => {
    const vault = new Vault(`hvs.${project.id}`, namespace);
    vault.two.set('secret', new Map());
    vault.one.set('team/kv', new Map());
    await standIns.serve('vault.acme.example', vault.listener);
    return vault;
  };
  const url = 'https://vault.acme.example';

  it('gets all secrets at one path of kv version 2, beside other entries', async () => {
    const vault = await serve();
    vault.two.get('secret')!.set('app/dev', { version: 4, data: { theirs: { a: 1 }, URL: 'old' } });
    const id = await project.integrate(
      'hashicorp-vault',
      { accessToken: vault.token, url },
      { app: 'secret', path: '/app/dev/' },
    );
    await synced(project, id);
    expect(vault.two.get('secret')!.get('app/dev')).toEqual({ version: 5, data: { ...SECRETS, theirs: { a: 1 } } });
  });

  it('gets them at one path of kv version 1, in a namespace, with an AppRole', async () => {
    const vault = await serve('acme/web');
    const auth = { accessId: vault.role.roleId, accessToken: vault.role.secretId, url, namespace: 'acme/web' };
    const id = await project.integrate('hashicorp-vault', auth, { app: 'team/kv', path: 'app/dev' });
    await synced(project, id);
    expect(vault.one.get('team/kv')!.get('app/dev')).toEqual(SECRETS);
    expect(vault.calls[0]).toBe('POST auth/approle/login');
  });

  it('is written again after a deletion, and does not overwrite concurrent writes', async () => {
    const vault = await serve();
    const secrets = vault.two.get('secret')!;
    secrets.set('app/dev', { version: 2, data: null });
    const id = await project.integrate(
      'hashicorp-vault',
      { accessToken: vault.token, url },
      { app: 'secret', path: 'app/dev' },
    );
    await synced(project, id);
    expect(secrets.get('app/dev')).toEqual({ version: 3, data: SECRETS });
    vault.fault = (method) => {
      if (method === 'POST') secrets.set('app/dev', { version: 4, data: { theirs: 'new' } });
      return false;
    };
    await project.write({ URL: 'changed' });
    const { isSynced, syncMessage } = await project.sync(id);
    expect([isSynced, syncMessage]).toEqual([false, expect.stringContaining('check-and-set')]);
    vault.fault = () => false;
    await synced(project, id);
    expect(secrets.get('app/dev')!.data).toEqual({ ...SECRETS, URL: 'changed', theirs: 'new' });
  });

  it('reports a missing engine or permission', async () => {
    const vault = await serve();
    const id = await project.integrate(
      'hashicorp-vault',
      { accessToken: vault.token, url },
      { app: 'other', path: 'x' },
    );
    expect((await project.sync(id)).syncMessage).toContain('preflight capability check returned 403');
    const wrong = await project.integrate(
      'hashicorp-vault',
      { accessToken: 'hvs.wrong', url },
      { app: 'secret', path: 'x' },
    );
    expect((await project.sync(wrong)).syncMessage).toContain('403: permission denied');
  });
});
