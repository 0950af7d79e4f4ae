/**
 * The floor: what the machine, Node, Fastify, the driver and PostgreSQL cost by themselves. It does the work of Coffer's
 * hot operations (a select by key, AES-256-GCM, JSON) with no login, rules, audit or validation. `bench.ts` starts it.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  generateKeyPairSync,
  hash,
  randomBytes,
  randomFillSync,
  randomUUID,
  sign,
} from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';

const { DATABASE_URL, PORT } = process.env;
if (!DATABASE_URL || !PORT) throw new Error('The floor needs DATABASE_URL and PORT; bench.ts sets them');

const FOLDER = '00000000-0000-7000-8000-000000000001';
const METHOD = '00000000-0000-7000-8000-000000000002';
const ACTOR = JSON.stringify({
  actorId: METHOD,
  actorType: 'identity',
  name: 'Bench',
  membershipId: null,
  groupId: null,
});

// Times stay the text that they come as.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, String);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 16 });
const query = async <Result extends object>(name: string, text: string, values: unknown[]): Promise<Result[]> =>
  (await pool.query<Result>({ name, text, values })).rows;

/** The tables of Coffer that the measured operations touch, without what ties them to others. */
await pool.query(`
create table secrets (
  id uuid primary key, organization_id uuid not null, project_id uuid not null, folder_id uuid not null, user_id uuid,
  key text not null, version integer not null, version_id uuid not null, value bytea not null, comment bytea,
  metadata jsonb not null default '[]', encrypted_metadata bytea, legacy_metadata jsonb, tag_ids uuid[] not null default '{}',
  skip_multiline_encoding boolean, reminder_note text, reminder_repeat_days integer, reminder_recipients jsonb,
  actor jsonb not null, created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()
);
create unique index on secrets (folder_id, key) where user_id is null;
create unique index on secrets (folder_id, key, user_id) where user_id is not null;
create index on secrets (folder_id, updated_at);
create index on secrets (project_id, id);
create index on secrets using gin (tag_ids) where tag_ids <> '{}';
create table client_secrets (
  id uuid primary key, client_id uuid not null, hash bytea not null, ttl integer not null default 0,
  is_revoked boolean not null default false, unique (client_id, hash)
);
create table tokens (
  id uuid primary key, method_id uuid not null, hash bytea not null unique, name text, ttl integer not null,
  num_uses integer not null default 0, is_revoked boolean not null default false, expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()
);
create index on tokens (method_id, updated_at desc, id desc);
`);

const key = createSecretKey(randomBytes(32));
const nonces = Buffer.allocUnsafe(12 * 512);
let nonceAt = nonces.length;
function nextNonce(): Buffer {
  if (nonceAt === nonces.length) {
    randomFillSync(nonces);
    nonceAt = 0;
  }
  return nonces.subarray(nonceAt, (nonceAt += 12));
}

function seal(text: string): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = cipher.update(text, 'utf8');
  cipher.final();
  return Buffer.concat([nonce, body, cipher.getAuthTag()]);
}

function open(sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(sealed.length - 16));
  const text = decipher.update(sealed.subarray(12, sealed.length - 16)).toString('utf8');
  decipher.final();
  return text;
}

interface Row {
  value: Buffer;
}

const COLUMNS = `id, project_id, folder_id, user_id, key, version, value, comment, metadata, encrypted_metadata, legacy_metadata,
  tag_ids, skip_multiline_encoding, reminder_note, reminder_repeat_days, reminder_recipients, actor, created_at, updated_at`;
const shown = (row: Row) => ({ ...row, value: open(row.value) });

const app = fastify({ logger: false });
app.get('/ready', () => ({ ready: true }));

async function read(name: string) {
  const text = `select ${COLUMNS} from secrets where folder_id = $1 and key = $2 and user_id is null`;
  const [row] = await query<Row>('read', text, [FOLDER, name]);
  return { secret: shown(row!) };
}

app.get<{ Params: { key: string } }>('/secrets/:key', (req) => read(req.params.key));

app.get('/secrets', async () => {
  const rows = await query<Row>(
    'list',
    `select ${COLUMNS} from secrets where folder_id = $1 and user_id is null order by key`,
    [FOLDER],
  );
  return { secrets: rows.map(shown) };
});

app.get('/search', async () => {
  const text = `select id, key from secrets where folder_id = $1 and key like $2 and user_id is null order by key limit 20`;
  return { secrets: await query('search', text, [FOLDER, 'SECRET_0%']) };
});

const TREE = '00000000-0000-7000-8000-000000000004';
app.get('/thousand', async () => {
  const text = `select ${COLUMNS} from secrets where folder_id = $1 and user_id is null order by key`;
  return { secrets: (await query<Row>('list', text, [TREE])).map(shown) };
});
app.patch<{ Params: { key: string }; Body: { secretValue: string } }>('/secrets/:key', async ({ params, body }) => {
  const text = `update secrets set value = $3, version = version + 1, updated_at = now()
    where folder_id = $1 and key = $2 and user_id is null returning id, version`;
  return { secret: (await query('update', text, [FOLDER, params.key, seal(body.secretValue)]))[0] };
});

interface Batch {
  secrets: { secretKey: string; secretValue: string }[];
}

const INSERT = `insert into secrets (id, organization_id, project_id, folder_id, key, version, version_id, value, actor)
  select id, $1, $1, $2, key, 1, version_id, value, $3::jsonb
  from unnest($4::uuid[], $5::uuid[], $6::text[], $7::bytea[]) as s (id, version_id, key, value)`;

async function insert({ secrets }: Batch, folder: string, write: (text: string) => Buffer) {
  const ids = secrets.map(() => randomUUID());
  const versions = secrets.map(() => randomUUID());
  const values = [
    FOLDER,
    folder,
    ACTOR,
    ids,
    versions,
    secrets.map((one) => one.secretKey),
    secrets.map((one) => write(one.secretValue)),
  ];
  await query('insert', INSERT, values);
  return { ids };
}

const HEAP = '00000000-0000-7000-8000-000000000003';
app.post<{ Body: Batch }>('/batch', (req) => insert(req.body, HEAP, (text) => Buffer.from(text, 'utf8')));
app.post<{ Body: Batch }>('/sealed-batch', (req) => insert(req.body, HEAP, seal));
app.delete<{ Body: Batch }>('/batch', async ({ body: { secrets } }) => {
  const text = 'delete from secrets where folder_id = $1 and key = any($2) and user_id is null returning id';
  return { ids: await query('delete', text, [HEAP, secrets.map((one) => one.secretKey)]) };
});
app.post<{ Body: Batch }>('/seed', async ({ body }) => {
  const thousand = Array.from({ length: 1_000 }, (_, n) => ({
    ...body.secrets[n % body.secrets.length]!,
    secretKey: `K${n}`,
  }));
  await insert({ secrets: thousand }, TREE, seal);
  return insert(body, FOLDER, seal);
});

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

app.post<{ Body: { clientId: string; clientSecret: string } }>('/login', async ({ body }) => {
  const [known] = await query<{ ttl: number }>(
    'login',
    'select id, ttl, is_revoked from client_secrets where client_id = $1 and hash = $2',
    [body.clientId, sha256(body.clientSecret)],
  );
  const token = randomBytes(32).toString('base64url');
  await query('token', 'insert into tokens (id, method_id, hash, ttl, expires_at) values ($1, $2, $3, $4, $5)', [
    randomUUID(),
    METHOD,
    sha256(token),
    known!.ttl,
    new Date(Date.now() + 3_600_000),
  ]);
  return { accessToken: token, expiresIn: 3600, accessTokenMaxTTL: 3600, tokenType: 'Bearer' };
});

app.get('/tokens', async () => ({
  tokens: await query(
    'tokens',
    'select * from tokens where method_id = $1 order by updated_at desc, id desc limit 20',
    [FOLDER],
  ),
}));

// A new login for each request, created like Coffer does: in a transaction, on a pooled connection.
await pool.query('create table leases (id uuid primary key, name text not null, expire_at timestamptz(3) not null)');
app.post('/lease', async () => {
  const [name, password] = [`l${randomBytes(12).toString('hex')}`, randomBytes(36).toString('base64url')];
  const expireAt = new Date(Date.now() + 3_600_000).toISOString();
  const id = randomUUID();
  await query('lease', 'insert into leases (id, name, expire_at) values ($1, $2, $3)', [id, name, expireAt]);
  await pool.query(`begin; create role "${name}" login password '${password}' valid until '${expireAt}'; commit`);
  return { lease: { id, externalEntityId: name, expireAt }, data: { DB_USERNAME: name, DB_PASSWORD: password } };
});

// A new key, a signature over as many bytes as a certificate has, and one row: not a real certificate.
await pool.query('create table certificates (id uuid primary key, serial bytea not null unique, body bytea not null)');
const authority = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
const TBS_LENGTH = 740;
app.post('/certificate', async () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  // It ends with the public key.
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'der' });
  const tbs = Buffer.alloc(TBS_LENGTH, privateKey.subarray(-64));
  const body = Buffer.concat([tbs, sign('sha256', tbs, authority)]);
  const [id, serial] = [randomUUID(), randomBytes(20)];
  await query('certificate', 'insert into certificates (id, serial, body) values ($1, $2, $3)', [id, serial, body]);
  return {
    certificateId: id,
    serialNumber: serial.toString('hex'),
    certificate: body.toString('base64'),
    privateKey: privateKey.toString('base64'),
  };
});

// The same AES or signature as the KMS, and an event of its use; many wait for one commit, as reads do there.
await pool.query(
  'create table events (id uuid primary key, organization_id uuid not null, project_id uuid, type text not null, data jsonb not null, created_at timestamptz(3) not null)',
);
await pool.query('create index on events (organization_id, id)');
let waiting: { row: object; done: () => void }[] = [];
let isWriting = false;
async function writeEvents(): Promise<void> {
  isWriting = true;
  await new Promise(setImmediate);
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await query(
      'events',
      `insert into events (id, organization_id, project_id, type, data, created_at)
       select id, organization_id, project_id, type, data, created_at from jsonb_to_recordset($1::jsonb)
         as e (id uuid, organization_id uuid, project_id uuid, type text, data jsonb, created_at timestamptz)`,
      [JSON.stringify(batch.map(({ row }) => row))],
    );
    for (const { done } of batch) done();
  }
  isWriting = false;
}
const storeEvent = (type: string, data: object): Promise<void> =>
  new Promise((done) => {
    const row = { id: randomUUID(), organization_id: FOLDER, project_id: FOLDER, type, data, created_at: new Date() };
    waiting.push({ row, done });
    if (!isWriting) writeEvents().catch(() => process.exit(1));
  });

const USED = { keyId: METHOD, keyName: 'bench', keyVersion: 1 };
const sealBase64 = (plaintext: string): string =>
  seal(Buffer.from(plaintext, 'base64').toString('latin1')).toString('base64');
app.post<{ Body: { plaintext: string } }>('/kms/encrypt', { bodyLimit: 2 ** 26 }, async ({ body }) => {
  const ciphertext = sealBase64(body.plaintext);
  await storeEvent('encrypted', USED);
  return { ciphertext };
});
app.post<{ Body: { items: { plaintext: string }[] } }>(
  '/kms/encrypt/batch',
  { bodyLimit: 2 ** 26 },
  async ({ body }) => {
    const results = body.items.map(({ plaintext }) => ({ ciphertext: sealBase64(plaintext) }));
    await storeEvent('encrypted', { ...USED, items: results.length });
    return { results };
  },
);
const sealed = seal('x'.repeat(1_024)).toString('base64');
app.post('/kms/decrypt', async () => {
  const plaintext = Buffer.from(open(Buffer.from(sealed, 'base64')), 'latin1').toString('base64');
  await storeEvent('decrypted', USED);
  return { plaintext };
});
app.post<{ Body: { data: string } }>('/kms/sign', async ({ body }) => {
  const signature = sign('sha256', Buffer.from(body.data, 'base64'), authority).toString('base64');
  await storeEvent('signed', USED);
  return { signature, keyId: METHOD, signingAlgorithm: 'ECDSA_SHA_256' };
});

// A new Ed25519 key, a signature over as many bytes as a certificate of SSH has, and one row.
await pool.query(
  'create table ssh_certificates (id uuid primary key, serial bigint not null unique, body bytea not null)',
);
const sshAuthority = generateKeyPairSync('ed25519').privateKey;
const SSH_TBS_LENGTH = 390;
app.post('/ssh-certificate', async () => {
  const pair = generateKeyPairSync('ed25519');
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'der' });
  const tbs = Buffer.alloc(SSH_TBS_LENGTH, pair.publicKey.export({ type: 'spki', format: 'der' }));
  const body = Buffer.concat([tbs, sign(null, tbs, sshAuthority)]);
  const [id, serial] = [randomUUID(), BigInt.asUintN(63, randomBytes(8).readBigUInt64BE()).toString()];
  await query('ssh', 'insert into ssh_certificates (id, serial, body) values ($1, $2, $3)', [id, serial, body]);
  return { serialNumber: serial, signedKey: body.toString('base64'), privateKey: privateKey.toString('base64') };
});

await query('client', 'insert into client_secrets (id, client_id, hash) values ($1, $1, $2)', [
  METHOD,
  sha256('a secret'),
]);
for (let i = 0; i < 20; i++) {
  await query(
    'seed',
    'insert into tokens (id, method_id, hash, name, ttl, expires_at) values ($1, $2, $3, $4, 3600, now())',
    [randomUUID(), FOLDER, randomBytes(32), `token ${i}`],
  );
}
await app.listen({ host: '127.0.0.1', port: Number(PORT) });

process.once('SIGTERM', () => {
  app
    .close()
    .then(() => pool.end())
    .catch(() => process.exit(1));
});
