import { createCofferClient, type CofferClient, type CofferClientOptions } from '@coffer/client';
import { usage } from './exit.ts';
import { fetch } from './fetch.ts';
import type { Io } from './io.ts';
import { firstSet } from './parse.ts';

const HEADERS = ['COFFER_CUSTOM_HEADERS', 'INFISICAL_CUSTOM_HEADERS'] as const;

/** Headers for each request, for servers behind an authenticating proxy: `Name=value` or `Name: value`, separated by commas or lines. */
export function headersIn(written: string, where: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of written.split(/[,\n]/)) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (name) headers[name] = value!;
    else if (line.trim()) throw usage(`${where} has to be a list such as: Name=value,Other=value`);
  }
  return headers;
}

/** A client of the server at a domain. */
export const clientFor = (
  io: Io,
  domain: string,
  options: Pick<CofferClientOptions, 'token' | 'auth' | 'fetch' | 'headers' | 'retries'> = {},
): CofferClient =>
  createCofferClient({
    url: domain,
    retries: 2,
    fetch,
    ...options,
    headers: { 'user-agent': 'cli', ...headersIn(firstSet(io.env, HEADERS) ?? '', HEADERS[0]), ...options.headers },
  });
