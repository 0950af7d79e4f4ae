import { createServer, connect, type Socket } from 'node:net';
import { freePorts } from '@coffer/domain/testing';

/** A way to a server that can be closed, as if the server were away. */
export interface Gate {
  readonly url: string;
  /** Ends all connections and accepts no more. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function gateTo(target: string): Promise<Gate> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  const [port] = (await freePorts(1)) as [number];
  const open = (): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await open();
  return {
    url: `http://127.0.0.1:${port}`,
    open,
    shut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
