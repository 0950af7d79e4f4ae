import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver of webhooks got. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface Receiver {
  /** Without a slash at its end. */
  readonly url: string;
  readonly received: Received[];
  /** Sets the response to the following complete requests; default: 200. */
  answer(how?: RequestListener): void;
  close(): Promise<void>;
}

/** A server on 127.0.0.1 that stores its requests. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const well: RequestListener = (_req, res) => res.end('ok');
  let how = well;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { method = '', url = '', headers } = req;
      received.push({ method, url, headers, text, body: text ? JSON.parse(text) : undefined });
      how(req, res);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next = well) => void (how = next),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What the signature of a call must be, as its receiver computes it. */
export const signatureOf = (key: string, { text, body }: Received): string =>
  `t=${body.timestamp};${createHmac('sha256', key).update(text).digest('hex')}`;
