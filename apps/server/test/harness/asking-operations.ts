import { AsyncLocalStorage } from 'node:async_hooks';
import type { OutboundConnect, OutboundFetch } from '@coffer/domain';

/**
 * The operations that ask another system while their caller waits, and what becomes of a right that ends meanwhile; `*` is
 * one part of a path. A test server fails its tests where another operation does so.
 */
export const ASKING_OPERATIONS: Readonly<Record<string, 'asked again' | 'ends something' | 'login'>> = {
  'POST /api/v1/dynamic-secrets': 'asked again',
  'PATCH /api/v1/dynamic-secrets/*': 'asked again',
  'POST /api/v1/dynamic-secrets/entra-id/users': 'asked again',
  'POST /api/v1/dynamic-secrets/leases': 'asked again',
  'POST /api/v1/dynamic-secrets/leases/kubernetes': 'asked again',
  'POST /api/v1/dynamic-secrets/leases/*/renew': 'asked again',
  'POST /api/v1/app-connections/*': 'asked again',
  'PATCH /api/v1/app-connections/*/*': 'asked again',
  'POST /api/v1/app-connections/*/*/check': 'asked again',
  'GET /api/v1/app-connections/*/*/*': 'asked again',
  'GET /api/v1/integration-auth/*/apps': 'asked again',
  'GET /api/v1/integration-auth/*/*/*': 'asked again',
  'POST /api/v2/secret-rotations/*': 'asked again',
  'POST /api/v2/secret-rotations/*/*/rotate-secrets': 'asked again',
  'POST /api/v2/secret-rotations/*/*/reconcile': 'asked again',
  'POST /api/v1/secret-syncs/*/*/plan': 'asked again',
  'POST /api/v1/cert-manager/syncs/*/*/plan': 'asked again',
  'POST /api/v1/cert-manager/ca/*': 'asked again',
  'PATCH /api/v1/cert-manager/ca/*/*': 'asked again',
  'POST /api/v1/webhooks/*/test': 'asked again',
  'POST /api/v1/cert-manager/certificates/*/revoke': 'ends something',
  'POST /api/v1/pki/certificates/*/revoke': 'ends something',
  'DELETE /api/v1/dynamic-secrets/leases/*': 'ends something',
  'DELETE /api/v1/integration/*': 'ends something',
  'DELETE /api/v1/secret-syncs/*/*': 'ends something',
  'DELETE /api/v2/secret-rotations/*/*': 'ends something',
  'DELETE /api/v1/projects/*': 'ends something',
  'POST /api/v1/auth/*/login': 'login',
};

const PATTERNS = Object.keys(ASKING_OPERATIONS).map(
  (pattern) => new RegExp(`^${pattern.replaceAll('/', String.raw`\/`).replaceAll('*', '[^/]+')}$`),
);

const requests = new AsyncLocalStorage<string>();

/** Makes a request whose calls to other systems are noted. */
export const asking = <T>(request: string, work: () => Promise<T>): Promise<T> =>
  requests.run(request.replace(/\?.*/, ''), work);

/** The ways out of a server, and the requests that took them without being among `ASKING_OPERATIONS`. */
export class NotedWaysOut {
  readonly unknown = new Set<string>();

  fetch(fetch: OutboundFetch): OutboundFetch {
    return (...request) => {
      this.#note();
      return fetch(...request);
    };
  }

  connect(connect: OutboundConnect): OutboundConnect {
    return (target) => {
      this.#note();
      return connect(target);
    };
  }

  #note(): void {
    const request = requests.getStore();
    if (request !== undefined && !PATTERNS.some((pattern) => pattern.test(request))) this.unknown.add(request);
  }
}
