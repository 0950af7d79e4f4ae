import type { Environment } from './parse.ts';

/** Variables with credentials of Coffer itself: tokens, passwords, passphrases, and headers for a proxy. A program does not inherit them. */
const OWN = new Set(
  [
    ...['TOKEN', 'JWT', 'PASSWORD', 'LDAP_PASSWORD', 'ADMIN_PASSWORD', 'SETUP_CODE', 'CUSTOM_HEADERS'],
    ...['UNIVERSAL_AUTH_CLIENT_ID', 'UNIVERSAL_AUTH_CLIENT_SECRET', 'UNIVERSAL_CLIENT_SECRET', 'AGENT_CONFIG_BASE64'],
    ...['VAULT_FILE_PASSPHRASE', 'CACHE_PASSPHRASE'],
  ].flatMap((name) => [`COFFER_${name}`, `INFISICAL_${name}`]),
);

/** The environment of every program that is started. */
export function withoutCredentials(env: Environment, { keepsCredentials = false } = {}): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (keepsCredentials || !OWN.has(name))) kept[name] = value;
  return kept;
}
