import { isIPv6 } from 'node:net';

/**
 * The origin of a server that is asked by HTTP: HTTPS unless the host has a scheme, because credentials must not be sent in
 * plaintext by default.
 */
export function originOf({ host, port }: { readonly host: string; readonly port: number }): string {
  if (/^https?:/.test(host)) return `${host}:${port}`;
  return `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
