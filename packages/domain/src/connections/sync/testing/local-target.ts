import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StandIns } from '../../../identities/auth-method/testing/stand-ins.ts';
import type { SyncTarget } from './example.ts';

/** Lets a request be answered, or not. */
export type Pass = (answer: () => void) => void;

/** A target for a server in another process: without TLS, at ports to which that is led by `COFFER_SERVICE_URLS`. */
export class LocalTarget {
  /** For `COFFER_SERVICE_URLS`. */
  readonly serviceUrls: string[] = [];
  /** All requests, such as `PUT /v1/secret/data/app`, without their query. */
  readonly requests: string[] = [];
  readonly #servers: Server[] = [];
  readonly #pass: Pass;

  private constructor(pass: Pass) {
    this.#pass = pass;
  }

  static async open(target: SyncTarget, pass: Pass = (answer) => answer()): Promise<LocalTarget> {
    const local = new LocalTarget(pass);
    const serve = (host: string, listener: RequestListener) => local.#serve(host, listener);
    await target.serve({ serve } as unknown as StandIns);
    return local;
  }

  async #serve(host: string, listener: RequestListener): Promise<void> {
    const server = createServer((request, response) => {
      this.requests.push(`${request.method} ${request.url?.replace(/\?.*/, '')}`);
      // What is signed has it.
      request.headers.host = host;
      this.#pass(() => listener(request, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#servers.push(server);
    this.serviceUrls.push(`${host}=http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}
