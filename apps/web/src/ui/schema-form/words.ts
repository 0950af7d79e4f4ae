import { words } from '../words.texts.ts';

const ABBREVIATIONS = new Set(
  'acl acme api arn arns aws ca cpu crl csr dn dns eab est gcp http https hmac iam id ids ip ips jwks jwt kms ldap ldif oauth oidc otp pem rsa sql ssh ssl tls totp ttl uri url utc uuid'.split(
    ' ',
  ),
);

/** The name of a field as a label: `sslRejectUnauthorized` → `SSL reject unauthorized`, `isForced` → `Forced`, `access-key` → `Access key`. */
export function labelOf(name: string): string {
  const parts = name
    .replace(/^is(?=[A-Z])/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) =>
      ABBREVIATIONS.has(word.toLowerCase()) ? word.toUpperCase().replace(/^(ARN|ID|IP)S$/, '$1s') : word.toLowerCase(),
    );
  const text = parts.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value of a configuration, for people; `undefined` for none. */
export function valueText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'string') return value;
  return isList(value) ? value.join(', ') || undefined : JSON.stringify(value);
}

const isList = (value: unknown): value is readonly (string | number)[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number');

/** A value of a choice: words are put as such, everything else stays as it is. */
export const optionLabel = (value: string): string => (/^[a-z]+(?:-[a-z]+)+$/.test(value) ? labelOf(value) : value);
