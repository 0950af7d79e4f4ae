import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server of the test, on 127.0.0.1; it and its connections end with the test. */
export interface TestServer {
  port: number;
  origin: string;
  /** All connections that were ever made. */
  sockets: Socket[];
}

export const serve = (listener: RequestListener) => start(createHttp(listener), 'http');

export const serveTls = (options: ServerOptions, listener: RequestListener) =>
  start(createHttps(options, listener), 'https');

/** For responses that no HTTP server sends. */
export const serveRaw = (listener: (socket: Socket) => void) => start(createTcp(listener), 'http');

async function start(server: Server | TcpServer, scheme: string): Promise<TestServer> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `${scheme}://127.0.0.1:${port}`, sockets };
}
