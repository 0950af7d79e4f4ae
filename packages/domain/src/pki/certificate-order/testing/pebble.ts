import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCidrs, type OutboundFetch } from '../../../kernel/index.ts';
import { createOutbound } from '../../../outbound/index.ts';
import { makeAuthority } from '../../../outbound/testing/certificates.ts';
import { debianProgram, freePorts, startServer, temporaryDirectory } from '../../../outbound/testing/server-process.ts';

const COMMAND = '/usr/bin/pebble';
/** Tests with it are skipped if it is missing; in CI, where it is installed, they then fail. */
export const pebble = debianProgram(COMMAND, 'pebble');

/** An ACME authority that others have written: https://github.com/letsencrypt/pebble */
export interface Pebble {
  readonly directoryUrl: string;
  /** PEM of its root. */
  readonly root: string;
  readonly externalAccount: { readonly eabKid: string; readonly eabHmacKey: string };
  /** Whether a URL is one of its. */
  isAt(url: string): boolean;
  /** The real outbound client, which trusts its certificate for TLS. */
  readonly fetch: OutboundFetch;
  stop(): Promise<void>;
}

/**
 * Starts pebble on free ports of 127.0.0.1. It rejects every tenth nonce, and asks a name server (`address:port`) for the
 * records of challenges.
 */
export async function startPebble(nameServer: string, { needsExternalAccount = false } = {}): Promise<Pebble> {
  pebble.require();
  const [port, management] = (await freePorts(2)) as [number, number];
  const directory = await temporaryDirectory('pebble');
  const authority = makeAuthority('pebble');
  const { cert, key } = authority.issue('127.0.0.1');
  const externalAccount = { eabKid: 'coffer', eabHmacKey: randomBytes(32).toString('base64url') };
  const file = (name: string) => join(directory, name);
  await writeFile(file('cert.pem'), cert);
  await writeFile(file('key.pem'), key);
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: file('cert.pem'),
      privateKey: file('key.pem'),
      httpPort: 5002,
      tlsPort: 5001,
      ocspResponderURL: '',
      externalAccountBindingRequired: needsExternalAccount,
      externalAccountMACKeys: { [externalAccount.eabKid]: externalAccount.eabHmacKey },
    },
  };
  await writeFile(file('config.json'), JSON.stringify(config));
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '10' } as Record<string, string>;
  const args = ['-config', file('config.json'), '-dnsserver', nameServer, '-strict'];
  const server = await startServer(COMMAND, args, { port, directory, env });
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  const origin = `https://127.0.0.1:${port}`;
  const call: OutboundFetch = (url, request = {}) => outbound.fetch(url, { ...request, ca: authority.cert });
  return {
    directoryUrl: `${origin}/dir`,
    root: (await call(`https://127.0.0.1:${management}/roots/0`)).text(),
    externalAccount,
    isAt: (url) => url.startsWith(`${origin}/`),
    fetch: call,
    async stop() {
      await server.stop();
      await outbound.close();
    },
  };
}
