import { contradictionsOfApps } from './apps.ts';
import { contradictionsOfExports } from './audit-exports.ts';
import { MIN_POOL, workersOf } from './workers.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Contradictions between variables that are valid individually. */
export function contradictions(set: Variables): string[] {
  return [
    ...contradictionsOfDatabases(set),
    ...contradictionsOfWorkers(set),
    ...contradictionsOfKeys(set),
    ...contradictionsOfExports(set),
    ...contradictionsOfProxies(set),
    ...contradictionsOfMail(set),
    ...contradictionsOfApps(set),
  ];
}

function contradictionsOfDatabases(set: Variables): string[] {
  if (!set['COFFER_MIGRATION_DATABASE_URL'] || set['DATABASE_URL']) return [];
  return ['COFFER_MIGRATION_DATABASE_URL: requires DATABASE_URL, which is not set'];
}

function contradictionsOfWorkers({ COFFER_WORKERS: text = '1', COFFER_DATABASE_POOL: pool }: Variables): string[] {
  const workers = workersOf(text) ?? 1;
  if (workers === 1 || !pool || Number.isNaN(Number(pool)) || Number(pool) >= MIN_POOL * workers) return [];
  return [
    `COFFER_DATABASE_POOL: ${workers} workers (COFFER_WORKERS) need at least ${MIN_POOL * workers} connections together`,
  ];
}

/** If the header were accepted from anyone, any client that reaches the server could send it. */
function contradictionsOfProxies(set: Variables): string[] {
  const { COFFER_TLS_CLIENT_CERT_HEADER: header, COFFER_TRUSTED_PROXIES: proxies } = set;
  if (!header || proxies) return [];
  return [
    'COFFER_TLS_CLIENT_CERT_HEADER: requires COFFER_TRUSTED_PROXIES, because it is accepted from trusted proxies only',
  ];
}

function contradictionsOfKeys(set: Variables): string[] {
  const { DATABASE_URL: database, COFFER_ROOT_KEY: key, COFFER_ROOT_KEY_FILE: file } = set;
  if (key && file) return ['COFFER_ROOT_KEY_FILE: COFFER_ROOT_KEY is also set; set only one of them'];
  if (database && !key && !file) {
    return [
      'COFFER_ROOT_KEY: required with DATABASE_URL. For a new database create one with: openssl rand -base64 32 (store it apart from the database: without it nobody can read the data)',
    ];
  }
  return [];
}

function contradictionsOfMail(set: Variables): string[] {
  const { SMTP_HOST: host, SMTP_FROM_ADDRESS: from, SMTP_USERNAME: username, SMTP_PASSWORD: password } = set;
  const faults: string[] = [];
  if (host && !from) faults.push('SMTP_FROM_ADDRESS: required with SMTP_HOST: the sender address of messages');
  if (!host && (from || username || password))
    faults.push('SMTP_HOST: required to send e-mail; other SMTP_ variables are set');
  if (!username && password) faults.push('SMTP_USERNAME: required with SMTP_PASSWORD');
  if (username && !password) faults.push('SMTP_PASSWORD: required with SMTP_USERNAME');
  if (set['SMTP_IGNORE_TLS'] === 'true' && set['SMTP_REQUIRE_TLS'] === 'true')
    faults.push('SMTP_IGNORE_TLS: contradicts SMTP_REQUIRE_TLS; set only one of them');
  return faults;
}
