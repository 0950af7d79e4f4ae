import { generateKeyPairSync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { makeAuthority } from '@coffer/domain/testing';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, smtpOf } from './config.ts';
import { appSettingsOf } from './config/apps.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

const faultsOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

describe('readConfig', () => {
  it('needs nothing', () => {
    const { config, warnings } = readConfig({});
    expect(config).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      COFFER_DATA_DIR: '.coffer',
      LOG_LEVEL: 'info',
      COFFER_RATE_LIMIT: 0,
      COFFER_LOGIN_RATE_LIMIT: 60,
      COFFER_REFUSED_TOKEN_LIMIT: 600,
      COFFER_CONCURRENCY: 32,
    });
    expect(config.DATABASE_URL).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('reads every variable', () => {
    const { config } = readConfig({
      HOST: '::',
      PORT: '0',
      DATABASE_URL: 'postgres://a:b@db/coffer',
      COFFER_ROOT_KEY: KEY,
      COFFER_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      COFFER_TLS_CLIENT_CERT_HEADER: 'X-Client-Cert',
      COFFER_OUTBOUND_ALLOW: '192.168.0.0/16',
      COFFER_DNS_SERVERS: '10.0.0.53, 10.0.0.54:5353, ::1, [::1]:5353',
      COFFER_SITE_URL: 'https://coffer.example.com//',
      COFFER_CORS_ORIGINS: 'https://a.example.com, http://localhost:3000',
      COFFER_RATE_LIMIT: '0',
    });
    expect(config).toMatchObject({
      PORT: 0,
      COFFER_TLS_CLIENT_CERT_HEADER: 'x-client-cert',
      COFFER_SITE_URL: 'https://coffer.example.com',
      COFFER_CORS_ORIGINS: ['https://a.example.com', 'http://localhost:3000'],
      COFFER_OUTBOUND_ALLOW: [{ ipAddress: '192.168.0.0', type: 'ipv4', prefix: 16 }],
      COFFER_DNS_SERVERS: ['10.0.0.53', '10.0.0.54:5353', '::1', '[::1]:5353'],
      COFFER_RATE_LIMIT: 0,
    });
    expect(config.COFFER_TRUSTED_PROXIES?.('10.1.2.3')).toBe(true);
    expect(config.COFFER_TRUSTED_PROXIES?.('11.1.2.3')).toBe(false);
    expect(config.COFFER_ROOT_KEY?.fingerprint).toMatch(/^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/);
  });

  it('never turns off the limits of refused logins and tokens', () => {
    const { config } = readConfig({ COFFER_RATE_LIMIT: '0', COFFER_LOGIN_RATE_LIMIT: '0' });
    expect(config.COFFER_LOGIN_RATE_LIMIT).toBe(60);
    expect(() => readConfig({ COFFER_REFUSED_TOKEN_LIMIT: '0' })).toThrow('COFFER_REFUSED_TOKEN_LIMIT');
  });

  it('accepts only addresses of name servers', () => {
    for (const wrong of [
      'ns.example.com',
      '10.0.0.53:0',
      '10.0.0.53:65536',
      '10.0.0',
      '[10.0.0.53]',
      '::1:5353x',
      'a b',
    ])
      expect(() => readConfig({ COFFER_DNS_SERVERS: wrong }), wrong).toThrow(
        'expected comma-separated addresses of name servers',
      );
  });

  it('reads lifetimes, hosts and where metrics are', () => {
    const { config } = readConfig({
      COFFER_SESSION_LIFETIME: '12h',
      COFFER_SESSION_IDLE_LIFETIME: '30 minutes',
      COFFER_MIN_PASSWORD_LENGTH: '16',
      COFFER_HOSTS: 'coffer.internal, 10.0.0.5, [fd00::5]',
      COFFER_METRICS_ADDRESS: '[::1]:9464',
    });
    expect(config).toMatchObject({
      COFFER_SESSION_LIFETIME: 43_200,
      COFFER_SESSION_IDLE_LIFETIME: 1800,
      COFFER_MIN_PASSWORD_LENGTH: 16,
      COFFER_HOSTS: ['coffer.internal', '10.0.0.5', '[fd00::5]'],
      COFFER_METRICS_ADDRESS: { host: '::1', port: 9464 },
    });
    expect(readConfig({}).config).toMatchObject({
      COFFER_SESSION_LIFETIME: 90 * 86_400,
      COFFER_SESSION_IDLE_LIFETIME: 30 * 86_400,
      COFFER_MIN_PASSWORD_LENGTH: 12,
      COFFER_HOSTS: [],
    });
    for (const wrong of ['4m', '2y', 'forever', '-1h'])
      expect(faultsOf({ COFFER_SESSION_LIFETIME: wrong })).toContain('5m');
    for (const wrong of ['7', '129', 'x'])
      expect(faultsOf({ COFFER_MIN_PASSWORD_LENGTH: wrong })).toContain('8 to 128');
    for (const wrong of ['a b', 'a:80', 'https://a', 'a/b', '*@a'])
      expect(faultsOf({ COFFER_HOSTS: wrong })).toContain('without ports');
    for (const wrong of ['9464', '127.0.0.1', '127.0.0.1:99999', '::1:9464', '[x]:1', ':1'])
      expect(faultsOf({ COFFER_METRICS_ADDRESS: wrong })).toContain('127.0.0.1:9464');
  });

  it('reads the number of workers, and refuses what is none', () => {
    const workersOf = (text: string) => readConfig({ COFFER_WORKERS: text }).config.COFFER_WORKERS;
    expect(readConfig({}).config.COFFER_WORKERS).toBe(1);
    expect([workersOf('1'), workersOf('2'), workersOf('64')]).toEqual([1, 2, 64]);
    expect(workersOf('auto')).toBe(Math.min(availableParallelism(), 64));
    for (const wrong of ['0', '65', '-1', '1.5', '2x', 'all', 'AUTO', '0x2', '1e1'])
      expect(faultsOf({ COFFER_WORKERS: wrong }), wrong).toContain(
        'COFFER_WORKERS: expected an integer from 1 to 64, or auto',
      );
  });

  it('has enough connections and places for each worker, where the default is not enough, and refuses too few', () => {
    const poolOf = (environment: Record<string, string>) => readConfig(environment).config.COFFER_DATABASE_POOL;
    const placesOf = (environment: Record<string, string>) => readConfig(environment).config.COFFER_CONCURRENCY;
    const workers = ['1', '2', '4', '8'].map((text) => ({ COFFER_WORKERS: text }));
    expect([workers.map(poolOf), workers.map(placesOf)]).toEqual([
      [16, 16, 24, 48],
      [32, 32, 32, 64],
    ]);
    expect(poolOf({ COFFER_WORKERS: '8', COFFER_DATABASE_POOL: '32' })).toBe(32);
    expect(placesOf({ COFFER_WORKERS: '8', COFFER_CONCURRENCY: '0' })).toBe(0);
    expect(faultsOf({ COFFER_WORKERS: '8', COFFER_DATABASE_POOL: '31' })).toContain(
      'COFFER_DATABASE_POOL: 8 workers (COFFER_WORKERS) need at least 32 connections together',
    );
    expect(faultsOf({ COFFER_DATABASE_POOL: '3' })).toContain(
      'COFFER_DATABASE_POOL: expected an integer from 4 to 1000',
    );
  });

  it('reads where the audit log is exported, and refuses half of it', () => {
    const bucket = {
      COFFER_AUDIT_MAX_BYTES: '67108864',
      COFFER_AUDIT_EXPORT_S3_BUCKET: 'audit-exports',
      COFFER_AUDIT_EXPORT_S3_REGION: 'eu-central-1',
      COFFER_AUDIT_EXPORT_S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      COFFER_AUDIT_EXPORT_S3_SECRET_ACCESS_KEY: 'secret',
    };
    expect(readConfig(bucket).config).toMatchObject({
      ...bucket,
      COFFER_AUDIT_MAX_BYTES: 67_108_864,
      COFFER_AUDIT_EXPORT_S3_PREFIX: '',
    });
    const at = {
      ...bucket,
      COFFER_AUDIT_EXPORT_S3_REGION: '',
      COFFER_AUDIT_EXPORT_S3_URL: 'https://minio.internal:9000/',
    };
    expect(readConfig({ ...at, COFFER_AUDIT_EXPORT_S3_PREFIX: 'a/b' }).config).toMatchObject({
      COFFER_AUDIT_EXPORT_S3_URL: 'https://minio.internal:9000',
      COFFER_AUDIT_EXPORT_S3_PREFIX: 'a/b/',
    });
    for (const name of ['BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'])
      expect(faultsOf({ ...bucket, [`COFFER_AUDIT_EXPORT_S3_${name}`]: '' })).toContain(
        `COFFER_AUDIT_EXPORT_S3_${name}: required with COFFER_AUDIT_EXPORT_S3_`,
      );
    expect(faultsOf({ ...bucket, COFFER_AUDIT_EXPORT_S3_REGION: 'eu' })).toContain('a region of AWS');
    expect(faultsOf({ ...bucket, COFFER_AUDIT_EXPORT_DIRECTORY: '/exports' })).toContain('set only one of them');
    expect(faultsOf({ ...bucket, COFFER_AUDIT_MAX_BYTES: '' })).toContain('requires COFFER_AUDIT_MAX_BYTES');
    expect(faultsOf({ COFFER_AUDIT_EXPORT_DIRECTORY: '/exports' })).toContain('requires COFFER_AUDIT_MAX_BYTES');
    for (const wrong of ['../a', 'a/../b', 'a//b', '/a', 'a b', 'a?b', './a'])
      expect(faultsOf({ ...bucket, COFFER_AUDIT_EXPORT_S3_PREFIX: wrong }), wrong).toContain(
        'EXPORT_S3_PREFIX: expected',
      );
    for (const wrong of ['minio:9000', 'https://a@b', 'https://a/?b', 'ftp://a'])
      expect(faultsOf({ ...at, COFFER_AUDIT_EXPORT_S3_URL: wrong }), wrong).toContain('EXPORT_S3_URL: expected');
    for (const wrong of ['A', 'a', 'a/b', '-ab', 'a_b'])
      expect(faultsOf({ ...bucket, COFFER_AUDIT_EXPORT_S3_BUCKET: wrong }), wrong).toContain(
        'EXPORT_S3_BUCKET: expected',
      );
  });

  it('treats empty variables as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', COFFER_ROOT_KEY: '' }).config.PORT).toBe(8080);
  });

  it('names every fault in one message, and what to do', () => {
    const message = faultsOf({
      PORT: '80x',
      DATABASE_URL: 'mysql://db',
      LOG_LEVEL: 'loud',
      COFFER_TRUSTED_PROXIES: '10.0.0.0/99',
      COFFER_CORS_ORIGINS: 'example.com',
      COFFER_BODY_LIMIT: '-1',
    });
    expect(message.split('\n')).toHaveLength(8);
    expect(message).toContain('7 faults');
    expect(message).toContain('PORT: expected an integer from 0 to 65535');
    expect(message).toContain('DATABASE_URL: expected a URL such as postgres://');
    expect(message).toContain('LOG_LEVEL: expected one of fatal, error');
    expect(message).toContain('COFFER_TRUSTED_PROXIES: "10.0.0.0/99" is neither an IP address nor a range');
    expect(message).toContain('openssl rand -base64 32');
  });

  it('keeps secrets out of its messages', () => {
    const message = faultsOf({
      COFFER_ROOT_KEY: 'canary-key',
      DATABASE_URL: 'postgrez://u:canary-password@db/x',
      COFFER_METRICS_TOKEN: 'canary',
    });
    expect(message).toContain('3 faults');
    expect(message).not.toContain('canary');
  });

  it('requires a root key with an external database, and exactly one source', () => {
    expect(faultsOf({ DATABASE_URL: 'postgres://db/x' })).toContain('COFFER_ROOT_KEY: required with DATABASE_URL');
    expect(faultsOf({ DATABASE_URL: 'postgres://db/x', COFFER_ROOT_KEY_FILE: '/run/key' })).toBe('');
    expect(faultsOf({ COFFER_ROOT_KEY: KEY, COFFER_ROOT_KEY_FILE: '/run/key' })).toContain('set only one of them');
  });

  it('accepts client certificates from configured proxies only', () => {
    expect(faultsOf({ COFFER_TLS_CLIENT_CERT_HEADER: 'X-Client-Cert' })).toContain('COFFER_TRUSTED_PROXIES');
    for (const name of ['X Client', 'x:y', '-', 'x'.repeat(101)])
      expect(faultsOf({ COFFER_TLS_CLIENT_CERT_HEADER: name, COFFER_TRUSTED_PROXIES: '::1' })).toContain(
        'the name of a header',
      );
  });

  it('warns about unknown variables', () => {
    const { warnings } = readConfig({ COFFER_DATADIR: '/x', PATH: '/bin' });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('COFFER_DATADIR');
    expect(warnings[0]).toContain('COFFER_DATA_DIR');
  });
});

describe('the public URL', () => {
  it.each([
    'HTTPS://Coffer.Example.com',
    ' https://coffer.example.com/ ',
    'https:coffer.example.com',
    'https://coffer.example.com:443',
  ])('is https://coffer.example.com as %j, too: cookies and links go by its text', (url) => {
    expect(readConfig({ COFFER_SITE_URL: url }).config.COFFER_SITE_URL).toBe('https://coffer.example.com');
  });

  it.each(['https://a.example.com/?x=1', 'https://a.example.com/#x', 'https://me:canary@a.example.com', 'ftp://a'])(
    'is not %s: paths are written behind it',
    (url) => {
      expect(faultsOf({ COFFER_SITE_URL: url })).toMatch(/^\s*COFFER_SITE_URL: expected a URL such as/m);
      expect(faultsOf({ COFFER_SITE_URL: url })).not.toContain('canary');
    },
  );

  it('is required for mail with links', () => {
    const mail = { SMTP_HOST: 'mail.example.com', SMTP_FROM_ADDRESS: 'coffer@example.com' };
    expect(readConfig(mail).warnings).toEqual([expect.stringContaining('COFFER_SITE_URL')]);
    expect(readConfig({ ...mail, COFFER_SITE_URL: 'https://coffer.example.com/vault/' })).toMatchObject({
      config: { COFFER_SITE_URL: 'https://coffer.example.com/vault' },
      warnings: [],
    });
  });
});

describe('the mail server', () => {
  const SMTP = { SMTP_HOST: 'mail.example.com', SMTP_FROM_ADDRESS: 'coffer@example.com' };

  it('is none where none is named', () => {
    expect(smtpOf(readConfig({}).config)).toBeUndefined();
  });

  it('requires TLS with a trusted certificate by default', () => {
    expect(smtpOf(readConfig(SMTP).config)).toMatchObject({
      host: 'mail.example.com',
      port: 587,
      from: { name: 'Coffer', address: 'coffer@example.com' },
      ignoreTls: false,
      requireTls: true,
      rejectUnauthorized: true,
    });
    const pem = [makeAuthority('one'), makeAuthority('two')].map(({ cert }) => cert).join('\n');
    const more = {
      SMTP_PORT: '25',
      SMTP_USERNAME: 'u',
      SMTP_PASSWORD: 'p',
      SMTP_FROM_NAME: 'Vault',
      SMTP_REQUIRE_TLS: 'false',
      SMTP_TLS_REJECT_UNAUTHORIZED: 'false',
      SMTP_CUSTOM_CA_CERT: Buffer.from(pem).toString('base64'),
    };
    expect(smtpOf(readConfig({ ...SMTP, ...more }).config)).toEqual({
      host: 'mail.example.com',
      port: 25,
      username: 'u',
      password: 'p',
      from: { name: 'Vault', address: 'coffer@example.com' },
      ignoreTls: false,
      requireTls: false,
      rejectUnauthorized: false,
      ca: pem,
    });
  });

  it('is refused where a part is missing, wrong or contradicts another, without the password in the message', () => {
    expect(faultsOf({ SMTP_HOST: 'mail' })).toContain('SMTP_FROM_ADDRESS: required with SMTP_HOST');
    expect(faultsOf({ SMTP_FROM_ADDRESS: 'a@example.com' })).toContain('SMTP_HOST: required');
    expect(faultsOf({ ...SMTP, SMTP_IGNORE_TLS: 'true', SMTP_REQUIRE_TLS: 'true' })).toContain('set only one of them');
    expect(faultsOf({ ...SMTP, SMTP_USERNAME: 'me' })).toContain('SMTP_PASSWORD: required with SMTP_USERNAME');
    expect(faultsOf({ ...SMTP, SMTP_HOST: 'mail.example.com:587' })).toContain(
      'SMTP_HOST: expected the name or address',
    );
    expect(faultsOf({ ...SMTP, SMTP_HOST: '::1' })).toBe('');
    const noCertificate = '-----BEGIN CERTIFICATE-----\ncanary\n-----END CERTIFICATE-----';
    expect(faultsOf({ ...SMTP, SMTP_CUSTOM_CA_CERT: Buffer.from(noCertificate).toString('base64') })).toMatch(
      /^\s*SMTP_CUSTOM_CA_CERT: expected certificates/m,
    );
    const message = faultsOf({
      SMTP_HOST: 'a b',
      SMTP_PORT: '0',
      SMTP_FROM_ADDRESS: 'nobody',
      SMTP_FROM_NAME: 'a\r\nBcc: x',
      SMTP_PASSWORD: 'canary',
      SMTP_REQUIRE_TLS: 'yes',
      SMTP_CUSTOM_CA_CERT: 'canary',
    });
    expect(message).toContain('7 faults');
    expect(message).not.toContain('canary');
  });

  it('is warned of where a variable is of another program', () => {
    expect(readConfig({ SMTP_SECURE: 'true' }).warnings[0]).toContain('SMTP_SECURE');
  });
});

describe('the applications at other services', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = {
    ...{ type: 'service_account', project_id: 'acme', private_key_id: 'k1', client_id: '1' },
    client_email: 'coffer@acme.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };

  it('are those that are set', () => {
    expect(appSettingsOf(readConfig({}).config)).toEqual({ oauth: {}, serviceUrls: [] });
    const { config } = readConfig({
      COFFER_AZURE_CLIENT_ID: 'id',
      COFFER_AZURE_CLIENT_SECRET: 'secret',
      COFFER_SERVICE_URLS: 'graph.microsoft.com=https://graph.example.com/',
      COFFER_GCP_SERVICE_ACCOUNT: JSON.stringify(key),
      COFFER_GITHUB_APP_ID: '4711',
      COFFER_GITHUB_APP_PRIVATE_KEY: String(key.private_key).replaceAll('\n', String.raw`\n`),
    });
    expect(appSettingsOf(config)).toEqual({
      oauth: { azure: { clientId: 'id', clientSecret: 'secret' } },
      serviceUrls: [{ host: 'graph.microsoft.com', url: 'https://graph.example.com' }],
      gcpServiceAccount: { clientEmail: key.client_email, privateKeyId: 'k1', privateKey: key.private_key },
      githubApp: { appId: '4711', privateKey: String(key.private_key).trim() },
    });
  });

  it.each([
    [{ COFFER_GITHUB_CLIENT_ID: 'id' }, 'COFFER_GITHUB_CLIENT_SECRET: required'],
    [{ COFFER_GITHUB_APP_CLIENT_ID: 'id' }, 'COFFER_GITHUB_APP_CLIENT_SECRET: required'],
    [{ COFFER_GITHUB_APP_ID: '4711' }, 'COFFER_GITHUB_APP_PRIVATE_KEY: required'],
    [{ COFFER_GITHUB_APP_PRIVATE_KEY: 'x' }, 'COFFER_GITHUB_APP_PRIVATE_KEY: expected the RSA private key'],
    [{ COFFER_AZURE_CLIENT_SECRET: 'secret' }, 'COFFER_AZURE_CLIENT_ID: required'],
    [{ COFFER_SERVICE_URLS: 'graph.microsoft.com' }, 'COFFER_SERVICE_URLS: expected the host of a service'],
    [{ COFFER_GCP_SERVICE_ACCOUNT: '{"type":"service_account"}' }, 'COFFER_GCP_SERVICE_ACCOUNT: expected the JSON key'],
    [{ COFFER_GCP_SERVICE_ACCOUNT: JSON.stringify({ ...key, private_key: 'x' }) }, 'COFFER_GCP_SERVICE_ACCOUNT'],
  ])('are complete: %o', (set, fault) => {
    expect(() => readConfig(set)).toThrow(fault);
  });
});
