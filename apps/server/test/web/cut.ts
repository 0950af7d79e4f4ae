import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePorts } from '@coffer/domain/testing';

/** Another address of a server, that can go away with all connections, and come back. */
export class Cut {
  readonly url: string;
  readonly #port: number;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server;

  private constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.#target = target;
    this.#port = port;
    this.url = `http://127.0.0.1:${this.#port}`;
    this.#serve();
  }

  static async before(url: string): Promise<Cut> {
    const [port] = (await freePorts(1)) as [number];
    return new Cut(await listening(port), port, Number(new URL(url).port));
  }

  /** Nobody listens any more: what a browser sees of a server that was killed. */
  async away(): Promise<void> {
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async back(): Promise<void> {
    this.#server = await listening(this.#port);
    this.#serve();
  }

  #serve(): void {
    this.#server.on('connection', (socket) => {
      const onward = connect(this.#target, '127.0.0.1');
      for (const [one, other] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
  }
}

async function listening(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  return server;
}
