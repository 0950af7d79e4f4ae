import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePorts } from './server-process.ts';

/** A proxy to a real server that can be stopped, to test failures and slowness. */
export interface Gate {
  /** The target. */
  readonly to: { readonly port: number };
  readonly host: string;
  readonly port: number;
  /** Connections that were made through it so far. */
  readonly passed: number;
  /** Closes its connections, and refuses new ones. */
  shut(): Promise<void>;
  /** Accepts connections and bytes, and forwards nothing, on new and existing connections. */
  stall(): void;
  /** Stalls when this text is sent, with or without forwarding it. Resolves when that has happened. */
  stallAt(text: string, isHeard: boolean): Promise<void>;
  /** Forwards again; held data is lost, and its connections are closed. */
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

  /** Whether the request is forwarded. */
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

  const listen = async (at: number): Promise<Server> => {
    const listening = createServer(enter).listen(at, HOST);
    await once(listening, 'listening');
    return listening;
  };

  const [port] = (await freePorts(1)) as [number];
  let server: Server | undefined = await listen(port);
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
