import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a server that can be shut: in front of a real one, to see what comes of it when it is down or slow. */
export interface Gate {
  /** Where it leads. */
  readonly to: { readonly port: number };
  readonly host: string;
  readonly port: number;
  /** Connections that were made through it so far. */
  readonly passed: number;
  /** Ends what goes through it, and refuses connections. */
  shut(): Promise<void>;
  /** Takes connections and bytes, and passes nothing on, neither of the new nor of the old. */
  stall(): void;
  /**
   * Stalls when something with this text is asked, of which the target hears or does not. Resolves when that has come
   * about.
   */
  stallAt(text: string, isHeard: boolean): Promise<void>;
  /** Lets everything through again; what was held back is lost, and its connections are ended. */
  open(): Promise<void>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

interface Catch {
  readonly text: string;
  readonly isHeard: boolean;
  readonly caught: () => void;
}

/** Opens a gate on a free port of 127.0.0.1 to a server there. */
export async function openGate(to: { readonly port: number; readonly host?: string }): Promise<Gate> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  let waitingFor: Catch | undefined;
  let passed = 0;

  const add = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    return socket;
  };

  /** Whether what is asked goes on. */
  function hears(data: Buffer): boolean {
    if (isStalled || !waitingFor || !data.includes(waitingFor.text)) return !isStalled;
    const { isHeard, caught } = waitingFor;
    isStalled = true;
    waitingFor = undefined;
    caught();
    return isHeard;
  }

  function pass(from: Socket, into: Socket, goesOn: (data: Buffer) => boolean): void {
    from.on('data', (data: Buffer) => void (goesOn(data) && into.write(data)));
    from.once('close', () => into.destroy());
  }

  function enter(incoming: Socket): void {
    add(incoming);
    if (isStalled) return;
    passed++;
    const outgoing = add(connect({ port: to.port, host: to.host ?? HOST }));
    pass(incoming, outgoing, hears);
    pass(outgoing, incoming, () => !isStalled);
  }

  const listen = async (port: number): Promise<Server> => {
    const server = createServer(enter).listen(port, HOST);
    await once(server, 'listening');
    return server;
  };

  let server: Server | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;
  const shut = async () => {
    const ended = server && once(server, 'close');
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await ended;
  };
  return {
    to,
    host: HOST,
    port,
    shut,
    get passed() {
      return passed;
    },
    stall: () => void (isStalled = true),
    stallAt: (text, isHeard) => new Promise((caught) => (waitingFor = { text, isHeard, caught })),
    async open() {
      if (isStalled) for (const socket of sockets) socket.destroy();
      isStalled = false;
      waitingFor = undefined;
      server ??= await listen(port);
    },
    close: shut,
  };
}
