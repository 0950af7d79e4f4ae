import { X509Certificate } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import {
  addressMatcher,
  DEFAULT_SETTINGS,
  parseCidrs,
  parseDuration,
  parseRootKey,
  SHORTEST_PASSWORD,
  SHORTEST_SESSION,
  type TrustedAddress,
} from '@coffer/domain/offline';
import { z } from 'zod';
import { readHost } from '../http/host.ts';
import { appVariables } from './apps.ts';
import { exportVariables } from './audit-exports.ts';
import { readBy } from './read-by.ts';
import { MAX_WORKERS, MIN_POOL, workersOf } from './workers.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const whole = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `expected an integer from ${min} to ${max}`,
    )
    .transform(Number);

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, `expected one of ${words.join(', ')}`);

const flag = (byDefault: boolean) =>
  oneOf(['true', 'false'])
    .default(byDefault ? 'true' : 'false')
    .transform((word) => word === 'true');

/** A duration such as 30m or 90d, in seconds. */
const seconds = (text: string): number => (parseDuration(text) ?? 0) / 1000;
/** A duration; by default so many seconds. */
const lifetime = (byDefault: number) =>
  z
    .string()
    .refine(
      (text) => seconds(text) >= SHORTEST_SESSION && seconds(text) <= 366 * 24 * 3600,
      'expected a duration from 5m to 366d, such as 12h or 30d',
    )
    .default(`${byDefault / 86_400}d`)
    .transform((text) => Math.round(seconds(text)));

const isUrl = (text: string, ...protocols: string[]) =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);

/** Whether a URL ends with its path and has no credentials: paths are appended to it. */
const isBare = (text: string) => !/[?#@]/.test(text);

/** A list with commas between its elements. */
const list = (fits: (element: string) => boolean, advice: string) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((element) => element.trim())
        .filter(Boolean),
    )
    .refine((elements) => elements.every(fits), advice);

/** An address with an optional port; an IPv6 address with a port is in brackets. */
function isNameServer(text: string): boolean {
  const [, bracketed, dotted, port = '53'] = /^(?:\[([^\]]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (Number(port) < 1 || Number(port) > 65_535) return false;
  return isIPv6(bracketed ?? text) || isIPv4(dotted ?? '');
}

/** An address to listen at: IPv6 in brackets, and a port. */
function readListener(text: string): { host: string; port: number } | undefined {
  const [, bracketed, host, port = ''] = /^(?:\[([^\]]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535 || (bracketed !== undefined && !isIPv6(bracketed))) return undefined;
  return { host: bracketed ?? host!, port: Number(port) };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function areCertificates(pem: string): boolean {
  const certificates = pem.match(CERTIFICATE) ?? [];
  try {
    return certificates.length > 0 && certificates.every((one) => new X509Certificate(one));
  } catch {
    return false;
  }
}

/** This limit is never off: it is what guessing meets. */
const LOGINS = 60;

/** Every variable of Coffer. Empty variables count as unset. */
export const Environment = z.object({
  HOST: z.string().default('127.0.0.1').describe('The address on which it listens'),
  PORT: whole(0, 65_535).default(8080),
  DATABASE_URL: z
    .string()
    .refine(
      (text) => isUrl(text, 'postgres:', 'postgresql:'),
      'expected a URL such as postgres://user:password@host:5432/database',
    )
    .optional()
    .describe('An external PostgreSQL; Coffer runs its own where it is absent'),
  COFFER_MIGRATION_DATABASE_URL: z
    .string()
    .refine(
      (text) => isUrl(text, 'postgres:', 'postgresql:'),
      'expected a URL such as postgres://owner:password@host:5432/database',
    )
    .optional()
    .describe('DATABASE_URL for the owner of the tables, who migrates; with it, the user of DATABASE_URL only serves'),
  COFFER_DATABASE_POOL: whole(MIN_POOL, 1000)
    .default(16)
    .describe('Maximum number of connections, of all workers together'),
  COFFER_WORKERS: z
    .string()
    .default('1')
    .refine((text) => workersOf(text) !== undefined, `expected an integer from 1 to ${MAX_WORKERS}, or auto`)
    .transform((text) => workersOf(text) ?? 1)
    .describe('Processes that serve the port together; auto: one for each available core'),
  COFFER_DATABASE_WAIT: whole(0, 3600).default(20).describe('Seconds to wait at the start for an unreachable database'),
  COFFER_DATA_DIR: z.string().default('.coffer'),
  COFFER_ROOT_KEY: readBy(parseRootKey).optional().describe('32 bytes in base64'),
  COFFER_ROOT_KEY_FILE: z
    .string()
    .optional()
    .describe('A file that contains the root key, as container platforms mount secrets'),
  COFFER_TRUSTED_PROXIES: readBy((text) => addressMatcher(parseCidrs(text)))
    .optional()
    .describe('Proxies whose X-Forwarded-For is trusted'),
  COFFER_TLS_CLIENT_CERT_HEADER: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,99}$/i, 'expected the name of a header, such as X-Client-Cert')
    .transform((name) => name.toLowerCase())
    .optional()
    .describe('The header in which these proxies forward client certificates'),
  COFFER_OUTBOUND_ALLOW: readBy((text): TrustedAddress[] => parseCidrs(text))
    .default([])
    .describe('Private hosts that it may call'),
  COFFER_DNS_SERVERS: list(
    isNameServer,
    'expected comma-separated addresses of name servers, such as 10.0.0.53 or 10.0.0.53:5353',
  )
    .default([])
    .describe("Whom to ask where the ownership of names is proved (ACME); the machine's name servers, if absent"),
  COFFER_SITE_URL: z
    .string()
    .refine(
      (text) => isUrl(text, 'http:', 'https:') && isBare(text),
      'expected a URL such as https://coffer.example.com',
    )
    // As clients read it: the scheme and the host in lower case, without spaces around it.
    .transform((text) => new URL(text).href.replace(/\/+$/, ''))
    .optional()
    .describe('Under which people reach it; where it listens, if absent'),
  COFFER_CORS_ORIGINS: list(
    (origin) => isUrl(origin, 'http:', 'https:') && new URL(origin).origin === origin,
    'expected comma-separated origins such as https://app.example.com',
  ).default([]),
  COFFER_BODY_LIMIT: whole(1024, 1024 * 1024 * 1024)
    .default(10 * 1024 * 1024)
    .describe('Maximum size of a request body in bytes'),
  COFFER_RATE_LIMIT: whole(0, 1_000_000_000).default(0).describe('Requests per minute and caller; 0: unlimited'),
  COFFER_LOGIN_RATE_LIMIT: whole(0, 1_000_000_000)
    .default(LOGINS)
    .transform((limit) => limit || LOGINS)
    .describe('Failed logins per minute, address and subject, and sign-ups; 0: the default'),
  COFFER_REFUSED_TOKEN_LIMIT: whole(1, 1_000_000_000).default(600).describe('Rejected tokens per minute and address'),
  COFFER_CONCURRENCY: whole(0, 100_000)
    .default(32)
    .describe('Maximum number of concurrent requests; further ones are queued, and callers alternate; 0: unlimited'),
  COFFER_AUDIT_MAX_BYTES: whole(64 * 1024 * 1024, 999_999_999_999_999)
    .optional()
    .describe('Maximum size of the audit log in the database; unlimited, if absent'),
  COFFER_AUDIT_EXPORT_DIRECTORY: z
    .string()
    .optional()
    .describe('Where its oldest events are exported at that size; requests are refused, if absent'),
  ...exportVariables,
  COFFER_MAX_LEASES: whole(1, 1_000_000)
    .default(DEFAULT_SETTINGS.maxLeases)
    .describe('Maximum number of leases of a dynamic secret'),
  COFFER_SESSION_LIFETIME: lifetime(DEFAULT_SETTINGS.sessionSeconds).describe(
    'Maximum lifetime of a session of a user',
  ),
  COFFER_SESSION_IDLE_LIFETIME: lifetime(DEFAULT_SETTINGS.sessionIdleSeconds).describe(
    'Maximum time without use of a session of a user',
  ),
  COFFER_MIN_PASSWORD_LENGTH: whole(SHORTEST_PASSWORD, 128)
    .default(DEFAULT_SETTINGS.minPasswordLength)
    .describe('Minimum length of new passwords'),
  COFFER_HOSTS: list(
    (authority) => readHost(authority) !== undefined && !/:\d+$/.test(authority),
    'expected comma-separated names or addresses without ports, such as coffer.internal or 10.0.0.5',
  )
    .default([])
    .describe('Further names and addresses of this server, besides COFFER_SITE_URL and the names of the host'),
  COFFER_METRICS_ADDRESS: z
    .string()
    .transform((text, ctx): { host: string; port: number } => {
      const address = readListener(text);
      if (address) return address;
      ctx.addIssue({ code: 'custom', message: 'expected an address and a port, such as 127.0.0.1:9464 or [::1]:9464' });
      return z.NEVER;
    })
    .optional()
    .describe('The address that serves /metrics and nothing else'),
  COFFER_METRICS_TOKEN: z
    .string()
    .refine((text) => text.length >= 16, 'expected at least 16 characters')
    .optional()
    .describe('The bearer token for /metrics'),
  COFFER_STOP_TIMEOUT: whole(1, 3600).default(20).describe('Seconds that requests in progress get to finish'),
  COFFER_STOP_DELAY: whole(0, 3600)
    .default(0)
    .describe('Seconds to continue to serve after SIGTERM, while /readyz answers 503'),
  ...appVariables,
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  SMTP_HOST: z
    .string()
    .refine(
      (text) => /^[\w.-]{1,255}$/.test(text) || isIPv6(text),
      'expected the name or address of a host, without a port',
    )
    .optional()
    .describe('The mail server; nothing is sent where it is absent'),
  SMTP_PORT: whole(1, 65_535).default(587).describe('465: TLS from the first byte'),
  SMTP_USERNAME: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  SMTP_FROM_ADDRESS: z.email('expected an address such as coffer@example.com').optional(),
  SMTP_FROM_NAME: z
    .string()
    .refine((text) => !/\p{Cc}/u.test(text), 'expected one line of text')
    .default('Coffer'),
  SMTP_IGNORE_TLS: flag(false).describe('Never uses STARTTLS'),
  SMTP_REQUIRE_TLS: flag(true).describe('Requires TLS'),
  SMTP_TLS_REJECT_UNAUTHORIZED: flag(true).describe('Whether the certificate must be trusted'),
  SMTP_CUSTOM_CA_CERT: z
    .string()
    .transform((text) => Buffer.from(text, 'base64').toString('utf8'))
    .refine(areCertificates, 'expected certificates in PEM form, encoded in base64')
    .optional()
    .describe('The only trusted root certificates for the mail server'),
});
