import type { RootKey, SmtpOptions } from '@coffer/domain';
import type { z } from 'zod';
import { contradictions } from './config/contradictions.ts';
import { Environment } from './config/environment.ts';
import { PLACES_OF_WORKER, POOL_OF_WORKER } from './config/workers.ts';

export type Config = z.output<typeof Environment> & {
  readonly DATABASE_URL: string | undefined;
  readonly COFFER_ROOT_KEY: RootKey | undefined;
};

/** Prefixes of Coffer's own variables. */
const OURS = /^(?:COFFER|SMTP)_/;

/** Set by our own tests. */
const OTHERS = new Set(['COFFER_TEST_DATABASE_URL', 'COFFER_TEST_SERVING_URL']);

/** All faults of the configuration, in one message for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(faults: readonly string[]) {
    super(
      `the configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  }
}

/**
 * Reads the configuration. Values stay out of the messages: some are secrets.
 *
 * @throws ConfigError
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): {
  config: Config;
  warnings: string[];
} {
  const set = Object.fromEntries(Object.entries(environment).filter(([, text]) => text?.trim()));
  const result = Environment.safeParse(set);
  const faults = [
    ...(result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []),
    ...contradictions(set),
  ];
  if (!result.success || faults.length > 0) throw new ConfigError(faults);
  const unknown = Object.keys(set).filter(
    (name) => OURS.test(name) && !(name in Environment.shape) && !OTHERS.has(name),
  );
  const known = Object.keys(Environment.shape).filter((name) => OURS.test(name));
  const slips = unknown.map(
    (name) =>
      `${name} is set, but Coffer knows no such variable: is it a slip of the pen? It reads ${known.join(', ')}`,
  );
  const config = forWorkers(result.data as Config, set);
  return { config, warnings: [...slips, ...(leadsNowhere(config) ? [LEADS_NOWHERE] : [])] };
}

/** What all workers share is more by default, where they are many. */
const forWorkers = (config: Config, set: Readonly<Record<string, string | undefined>>): Config => ({
  ...config,
  ...(set['COFFER_DATABASE_POOL'] === undefined && {
    COFFER_DATABASE_POOL: Math.max(config.COFFER_DATABASE_POOL, POOL_OF_WORKER * config.COFFER_WORKERS),
  }),
  ...(set['COFFER_CONCURRENCY'] === undefined && {
    COFFER_CONCURRENCY: Math.max(config.COFFER_CONCURRENCY, PLACES_OF_WORKER * config.COFFER_WORKERS),
  }),
});

const LEADS_NOWHERE =
  'SMTP_HOST is set, but not COFFER_SITE_URL: the links in messages lead to where Coffer listens, which people may not reach';

const leadsNowhere = ({ SMTP_HOST, COFFER_SITE_URL }: Config) =>
  SMTP_HOST !== undefined && COFFER_SITE_URL === undefined;

/** The configuration of the mail server; absent if there is none. */
export function smtpOf(config: Config): SmtpOptions | undefined {
  const { SMTP_HOST: host, SMTP_FROM_ADDRESS: address } = config;
  if (host === undefined || address === undefined) return undefined;
  return {
    host,
    port: config.SMTP_PORT,
    username: config.SMTP_USERNAME,
    password: config.SMTP_PASSWORD,
    from: { name: config.SMTP_FROM_NAME, address },
    ignoreTls: config.SMTP_IGNORE_TLS,
    requireTls: config.SMTP_REQUIRE_TLS,
    rejectUnauthorized: config.SMTP_TLS_REJECT_UNAUTHORIZED,
    ca: config.SMTP_CUSTOM_CA_CERT,
  };
}

/** The default site URL: the address where the server listens. */
export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
