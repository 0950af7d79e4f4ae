import { Random } from '../chaos/random.ts';
import { ENVIRONMENT, folderOf, secretOf } from '../subject/world.ts';
import { ACCOUNT, makeCallerFolder, type Fixtures } from './fixtures.ts';
import { Ended, type Requests } from './requests.ts';

/** How often each work is chosen; most have several requests. */
const WEIGHTS = {
  read: 300,
  list: 60,
  listRecursive: 10,
  listReferences: 20,
  listImport: 20,
  page: 40,
  listIdentities: 10,
  missing: 10,
  refused: 10,
  foreign: 10,
  update: 60,
  secret: 25,
  batch: 10,
  folder: 5,
  login: 40,
  personLogin: 2,
  encrypt: 40,
  sign: 20,
  lease: 15,
  certificate: 5,
  member: 5,
} as const;
type Work = keyof typeof WEIGHTS;

const SECRETS = '/api/v4/secrets';
const OWN = 20;

interface Read {
  readonly secret: { readonly secretValue: string };
}

/** One caller: one request after the other. Whatever a work creates, it deletes. */
export class Caller {
  readonly #name: string;
  readonly #fixtures: Fixtures;
  readonly #requests: Requests;
  readonly #random: Random;
  /** The values of its own secrets, which nobody else changes. */
  readonly #values = new Map<string, string>();
  #count = 0;
  readonly #works: Readonly<Record<Work, () => Promise<unknown>>>;

  private constructor(name: string, fixtures: Fixtures, requests: Requests, random: Random) {
    this.#name = name;
    this.#fixtures = fixtures;
    this.#requests = requests;
    this.#random = random;
    const { organizationId, token } = fixtures.world;
    this.#works = {
      read: () => this.#read('read', '/', this.#random.pick(fixtures.keys)),
      list: () => this.#list('list 100', '/', fixtures.keys.length),
      listRecursive: () => this.#list('list recursively', `/${name}`, OWN, '&recursive=true'),
      listReferences: () => this.#list('list with references', '/references', 10, '&expandSecretReferences=true'),
      listImport: () => this.#list('list with an import', '/imports', 0, '&includeImports=true'),
      page: () => this.#get('audit page', '/api/v1/organization/audit-logs?limit=20'),
      listIdentities: () =>
        this.#get('list identities', `/api/v2/organizations/${organizationId}/identity-memberships?limit=20`),
      missing: () => this.#get('read nothing', this.#at('/', 'NOTHING'), token, 404),
      refused: () => this.#get('refused token', this.#at('/', fixtures.keys[0]), `${token}x`, 401),
      foreign: () => this.#get('foreign project', this.#at('/', fixtures.keys[0]), fixtures.stranger.token, 404),
      update: () => this.#update(),
      secret: () => this.#secret(),
      batch: () => this.#batch(),
      folder: () => this.#folder(),
      login: () => this.#login(),
      personLogin: () => this.#personLogin(),
      encrypt: () => this.#encrypt(),
      sign: () => this.#sign(),
      lease: () => this.#lease(),
      certificate: () => this.#certificate(),
      member: () => this.#member(),
    };
  }

  static async make(name: string, fixtures: Fixtures, requests: Requests, seed: number): Promise<Caller> {
    const caller = new Caller(name, fixtures, requests, new Random(seed));
    const keys = Array.from({ length: OWN }, (_, n) => `OWN_${n}`);
    await makeCallerFolder(fixtures.world, name, keys);
    for (const key of keys) caller.#values.set(key, secretOf(key).secretValue);
    return caller;
  }

  /** Until the signal aborts, and the work at that time is done. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#count++;
      await this.#works[this.#random.weighted(WEIGHTS)]().catch((error: unknown) => {
        if (!(error instanceof Ended)) throw error;
      });
    }
  }

  get #place(): ReturnType<typeof folderOf> {
    return folderOf(this.#fixtures.world, `/${this.#name}`);
  }

  #at(folder: string, key = ''): string {
    const place = new URLSearchParams(folderOf(this.#fixtures.world, folder));
    return `${SECRETS}${key && `/${key}`}?${place.toString()}`;
  }

  #get<Body>(kind: string, path: string, token = this.#fixtures.world.token, status = 200): Promise<Body> {
    return this.#requests.ask({ kind, method: 'GET', path, token, status });
  }

  #change<Body>(kind: string, method: string, path: string, body?: object): Promise<Body> {
    const { token } = this.#fixtures.world;
    return this.#requests.ask({ kind, method, path, token, ...(body && { body }) });
  }

  /** @throws Ended if an answer of 200 does not say what it has to */
  #expect(isRight: boolean, method: string, path: string, text: string): void {
    if (!isRight) throw this.#requests.note({ method, path, status: 200, text });
  }

  async #read(kind: string, folder: string, key: string, wanted = secretOf(key).secretValue, token?: string) {
    const path = this.#at(folder, key);
    const { secret } = await this.#get<Read>(kind, path, token);
    this.#expect(secret.secretValue === wanted, 'GET', path, `the value ${secret.secretValue}, not ${wanted}`);
  }

  async #list(kind: string, folder: string, wanted: number, query = ''): Promise<void> {
    const path = `${this.#at(folder)}${query}`;
    const { secrets } = await this.#get<{ secrets: unknown[] }>(kind, path);
    this.#expect(secrets.length === wanted, 'GET', path, `${secrets.length} secrets, not ${wanted}`);
  }

  async #update(): Promise<void> {
    const key = this.#random.pick([...this.#values.keys()]);
    const secretValue = `${this.#name} ${this.#count}`.padEnd(32, 'x');
    await this.#change('update', 'PATCH', `${SECRETS}/${key}`, { ...this.#place, secretValue });
    this.#values.set(key, secretValue);
    await this.#read('read', `/${this.#name}`, key, secretValue);
  }

  /** In a folder of its own, so that an end in the middle leaves the others as they are. */
  async #inFolder(work: (folder: string) => Promise<void>): Promise<void> {
    const name = `at-${this.#count}`;
    const path = `/${this.#name}`;
    const { projectId } = this.#fixtures.world;
    const here = { projectId, environment: ENVIRONMENT, path };
    const { folder } = await this.#change<{ folder: { id: string } }>('create a folder', 'POST', '/api/v2/folders', {
      ...here,
      name,
    });
    try {
      await work(`${path}/${name}`);
    } finally {
      await this.#change('delete a folder', 'DELETE', `/api/v2/folders/${folder.id}`, here);
    }
  }

  #folder(): Promise<void> {
    return this.#inFolder(async (secretPath) => {
      const body = { ...folderOf(this.#fixtures.world, secretPath), secretValue: 'value' };
      await this.#change('create', 'POST', `${SECRETS}/ONE`, body);
    });
  }

  async #secret(): Promise<void> {
    const key = `NEW_${this.#count}`;
    const path = `${SECRETS}/${key}`;
    await this.#change('create', 'POST', path, { ...this.#place, secretValue: 'first' });
    await this.#read('read', `/${this.#name}`, key, 'first');
    await this.#change('update', 'PATCH', path, { ...this.#place, secretValue: 'second' });
    await this.#change('delete', 'DELETE', path, this.#place);
  }

  async #batch(): Promise<void> {
    const keys = Array.from({ length: OWN }, (_, n) => `BATCH_${this.#count}_${n}`);
    const path = `${SECRETS}/batch`;
    const secrets = keys.map((key) => secretOf(key));
    await this.#change('create 20', 'POST', path, { ...this.#place, secrets });
    await this.#change('update 20', 'PATCH', path, { ...this.#place, secrets });
    const gone = { ...this.#place, secrets: keys.map((secretKey) => ({ secretKey })) };
    await this.#change('delete 20', 'DELETE', path, gone);
  }

  async #login(): Promise<void> {
    const path = '/api/v1/auth/universal-auth/login';
    const { accessToken } = await this.#requests.ask<{ accessToken: string }>({
      ...{ kind: 'login', method: 'POST', path },
      body: this.#fixtures.login,
    });
    const key = this.#random.pick(this.#fixtures.keys);
    await this.#read('first read', '/', key, undefined, accessToken);
    await this.#requests.ask({
      ...{ kind: 'revoke a token', method: 'POST', path: '/api/v1/auth/token/revoke' },
      body: { accessToken },
    });
  }

  async #personLogin(): Promise<void> {
    const { accessToken: token } = await this.#requests.ask<{ accessToken: string }>({
      ...{ kind: 'login of a person', method: 'POST', path: '/api/v3/auth/login' },
      body: ACCOUNT,
    });
    await this.#requests.ask({ kind: 'logout', method: 'POST', path: '/api/v1/auth/logout', token });
  }

  async #encrypt(): Promise<void> {
    const base = `/api/v1/kms/keys/${this.#fixtures.encryptionKey}`;
    const plaintext = Buffer.alloc(1_024, `${this.#name} ${this.#count} `).toString('base64');
    const encrypted = await this.#change<object>('encrypt', 'POST', `${base}/encrypt`, { plaintext });
    const opened = await this.#change<{ plaintext: string }>('decrypt', 'POST', `${base}/decrypt`, encrypted);
    this.#expect(opened.plaintext === plaintext, 'POST', `${base}/decrypt`, 'another plaintext');
  }

  async #sign(): Promise<void> {
    const base = `/api/v1/kms/keys/${this.#fixtures.signingKey}`;
    const data = Buffer.from(`${this.#name} ${this.#count}`).toString('base64');
    const { signature } = await this.#change<{ signature: string }>('sign', 'POST', `${base}/sign`, { data });
    const verified = await this.#change<{ signatureValid: boolean }>('verify', 'POST', `${base}/verify`, {
      data,
      signature,
    });
    this.#expect(verified.signatureValid, 'POST', `${base}/verify`, 'an invalid signature');
  }

  async #lease(): Promise<void> {
    const { projectSlug } = this.#fixtures.world;
    const here = { projectSlug, environmentSlug: ENVIRONMENT, path: '/' };
    const dynamicSecretName = this.#random.pick(this.#fixtures.dynamic);
    const leases = '/api/v1/dynamic-secrets/leases';
    const { lease } = await this.#change<{ lease: { id: string } }>(`lease ${dynamicSecretName}`, 'POST', leases, {
      ...here,
      dynamicSecretName,
    });
    await this.#change('renew a lease', 'POST', `${leases}/${lease.id}/renew`, { ...here, ttl: '5m' });
    await this.#change('revoke a lease', 'DELETE', `${leases}/${lease.id}`, { ...here, isForced: false });
  }

  async #certificate(): Promise<void> {
    const path = '/api/v1/pki/certificates';
    const { serialNumber } = await this.#change<{ serialNumber: string }>(
      'issue a certificate',
      'POST',
      `${path}/issue-certificate`,
      { caId: this.#fixtures.authority, commonName: `${this.#name}.example.com`, ttl: '10m' },
    );
    await this.#get('read a certificate', `${path}/${serialNumber}`);
    await this.#change('revoke a certificate', 'POST', `${path}/${serialNumber}/revoke`, {
      revocationReason: 'SUPERSEDED',
    });
    await this.#change('delete a certificate', 'DELETE', `${path}/${serialNumber}`);
  }

  /** A machine identity enters a project of its own and leaves it: what is cached of its rights ends. */
  async #member(): Promise<void> {
    const { project } = await this.#change<{ project: { id: string } }>(
      'create a project',
      'POST',
      '/api/v1/projects',
      {
        projectName: `${this.#name} ${this.#count}`,
      },
    );
    const membership = `/api/v1/projects/${project.id}/memberships/identities/${this.#fixtures.stranger.id}`;
    await this.#change('add a member', 'POST', membership, { role: 'viewer' });
    await this.#get('list members', `/api/v1/projects/${project.id}/memberships/identities?limit=20`);
    await this.#change('remove a member', 'DELETE', membership);
    await this.#change('delete a project', 'DELETE', `/api/v1/projects/${project.id}`);
  }
}
