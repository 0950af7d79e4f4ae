import { spawn } from 'node:child_process';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface } from 'node:readline/promises';
import { CommandError, EXIT } from '../../exit.ts';
import type { Io } from '../../io.ts';
import { withoutCredentials } from '../../own-credentials.ts';
import { userAtOtherEnd } from './peer.ts';

/** What the browser brings back, and what shows that this process has asked for it (RFC 7636). */
interface Code {
  readonly code: string;
  readonly codeVerifier: string;
}

const PATIENCE_MS = 10 * 60_000;

/**
 * Sends the user to the console, and waits for the code that comes to a port of this machine, or is pasted (RFC 8252).
 *
 * @throws CommandError if the user refuses, or nothing comes within ten minutes.
 */
export async function codeFromBrowser(io: Io, domain: string): Promise<Code> {
  const [codeVerifier, state] = [randomBytes(48).toString('base64url'), randomBytes(24).toString('base64url')];
  const listener = new Listener(state);
  const asking = new AbortController();
  try {
    const address = addressOf(domain, await listener.port(), codeVerifier, state);
    io.say('info', `Log in at this address, which is opened in your browser:\n\n  ${address}\n`);
    openBrowser(await listener.startAt(address), io);
    const code = await Promise.race([listener.code, pasted(io, asking.signal), patience(asking.signal)]);
    return { code, codeVerifier };
  } finally {
    asking.abort();
    listener.close();
  }
}

function addressOf(domain: string, port: number, codeVerifier: string, state: string): string {
  const query = new URLSearchParams({
    callback_port: String(port),
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
  });
  return `${domain}/login?${query}`;
}

/** Listens on this machine only, on a port that is free. */
class Listener {
  readonly #server = createServer((request, response) => this.#answer(request, response));
  readonly #state: Buffer;
  /** The path from which a browser is sent to the server, once, and where to. */
  readonly #start = `/${randomBytes(24).toString('base64url')}`;
  #address: string | undefined;
  readonly code: Promise<string>;
  #found!: (code: string) => void;
  #refused!: (error: CommandError) => void;

  constructor(state: string) {
    this.#state = Buffer.from(state);
    this.code = new Promise((found, refused) => {
      this.#found = found;
      this.#refused = refused;
    });
  }

  async port(): Promise<number> {
    if (!this.#server.listening) await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * An address that leads to this one. It stands in the arguments of the browser, which other users of this machine can read, so that it works once
   * and for programs of this user: whoever has the state could end the login with an account of their own.
   */
  async startAt(address: string): Promise<string> {
    this.#address = address;
    return `http://127.0.0.1:${await this.port()}${this.#start}`;
  }

  /** Stops listening as soon as the browser has its page. */
  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
    this.#server.unref();
  }

  /** Anybody can send requests here: what has not the state of this login is answered, and means nothing. */
  #answer(request: IncomingMessage, response: ServerResponse): void {
    // Anything may stand there, also what is no address.
    const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'GET' && url?.pathname === this.#start) return this.#redirect(request.socket, response);
    const query = request.method === 'GET' && url?.pathname === '/callback' ? url.searchParams : undefined;
    const isOurs = this.#isState(query?.get('state') ?? '');
    const code = isOurs ? query?.get('code') : undefined;
    const error = isOurs ? query?.get('error') : undefined;
    if (code) reply(response, 200, 'You are logged in. You can close this window.');
    else if (error) reply(response, 200, 'The login was refused. You can close this window.');
    else return reply(response, 404, 'There is nothing here.');
    response.once('finish', () => {
      if (code) this.#found(code);
      else this.#refused(new CommandError('The login was refused in the browser', EXIT.notLoggedIn));
    });
  }

  #redirect(socket: Socket, response: ServerResponse): void {
    const [address, user] = [this.#address, userAtOtherEnd(socket)];
    const isOwn = user === undefined || user === process.getuid?.();
    if (address === undefined || !isOwn) return reply(response, 404, 'There is nothing here.');
    this.#address = undefined;
    response.writeHead(302, { ...HEADERS, location: address }).end();
  }

  #isState(given: string): boolean {
    const bytes = Buffer.from(given);
    return bytes.length === this.#state.length && timingSafeEqual(bytes, this.#state);
  }
}

const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

function reply(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><html lang="en"><title>Coffer</title><p>${message}</p></html>\n`);
}

/** The browser may be on another machine: the page shows the code there, and it is typed here. */
async function pasted(io: Io, signal: AbortSignal): Promise<string> {
  if (!io.isInteractive) return new Promise(() => undefined);
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  signal.addEventListener('abort', () => lines.close());
  for (;;) {
    const code = (await lines.question('Or paste the code that the page shows: ', { signal })).trim();
    if (code) return code;
  }
}

function patience(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const expired = () => reject(new CommandError('Nobody has logged in within ten minutes', EXIT.notLoggedIn));
    const timer = setTimeout(expired, PATIENCE_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** `BROWSER`, else what the platform has. A machine without one only shows the address. */
function openBrowser(address: string, { env }: Io): void {
  const [program, ...args] = env['BROWSER'] ? [env['BROWSER']] : (OPENERS[process.platform] ?? ['xdg-open']);
  spawn(program, [...args, address], { stdio: 'ignore', detached: true, env: withoutCredentials(env) })
    .on('error', () => undefined)
    .unref();
}
