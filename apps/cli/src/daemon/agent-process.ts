import { realpathSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { CofferClient } from '@coffer/client';
import { failure } from '../exit.ts';
import { pathOf, readText } from '../files.ts';
import type { Io } from '../io.ts';
import { firstSet, type Environment } from '../parse.ts';
import { clientFor } from '../client.ts';
import { agentDomain, type Caller } from '../session.ts';
import type { Action } from '../table/command.ts';
import { loginBy } from './auth.ts';
import { Backoff, type RetryStrategy } from './backoff.ts';
import { asCommandError, isAway, messageOf } from './failure.ts';
import type { machineFlags } from './flags.ts';
import { healthListener, processHealth, type Health } from './health.ts';
import { ownPlace } from './own-place.ts';
import { takeSocket } from './own-socket.ts';
import type { MachineConfig } from './server-config.ts';
import { State } from './state.ts';
import { TokenKeeper } from './token-keeper.ts';
import { wait } from './wait.ts';

const INLINE = ['COFFER_AGENT_CONFIG_BASE64', 'INFISICAL_AGENT_CONFIG_BASE64'] as const;

/** The text of a configuration, its name for messages, and what tells it from others. */
interface ConfigSource {
  readonly name: string;
  readonly text: string;
  readonly identity: string;
}

/** Reads the configuration of an agent: a variable with base64 comes before the file. @throws CommandError if there is none. */
function configSource(given: string, io: Pick<Io, 'env' | 'cwd'>): ConfigSource {
  const inline = firstSet(io.env, INLINE);
  if (inline !== undefined) {
    const text = Buffer.from(inline, 'base64').toString();
    return { name: INLINE[0], text, identity: text };
  }
  const path = pathOf(given, io.cwd);
  return { name: given, text: readText(path, 'Pass --config with the configuration'), identity: realpathSync(path) };
}

/** A machine identity that is logged in, for an agent of one kind. */
export interface Machine {
  readonly client: CofferClient;
  /** A client without a token. */
  readonly anonymous: CofferClient;
  readonly keeper: TokenKeeper;
  readonly state: State;
  readonly io: Io;
  /** Aborted when the agent is to end. */
  readonly signal: AbortSignal;
  readonly retry: RetryStrategy;
}

/** An agent of one kind. */
export interface Agent {
  /** Brings everything up to date. */
  once(): Promise<void>;
  /** Runs until it is asked to end. */
  run(): Promise<void>;
  /** Of what it does; that of its login is added. */
  health(): Health;
  onToken?(token: string): void;
}

/**
 * What the command of a kind of agents does.
 *
 * @param read Reads its configuration. It throws a CommandError with all faults.
 */
export const agentAction =
  <Config extends MachineConfig>(
    read: (name: string, text: string, env: Environment) => Config,
    create: (config: Config, machine: Machine) => Agent,
  ): Action<ReturnType<typeof machineFlags>> =>
  async (caller) => {
    const { flags, io } = caller;
    const source = configSource(flags.config, io);
    const config = read(source.name, source.text, io.env);
    await runAsMachine({ caller, source, config, once: flags.once, create: (machine) => create(config, machine) });
  };

interface AgentRun {
  readonly caller: Caller;
  readonly source: ConfigSource;
  readonly config: MachineConfig;
  readonly once: boolean;
  readonly create: (machine: Machine) => Agent;
}

/** Runs an agent to its end: alone with its configuration, and with its health on a socket. */
async function runAsMachine({ caller, source, config, once, create }: AgentRun): Promise<void> {
  const { io } = caller;
  const { stateDirectory, healthPort, server } = config;
  const domain = agentDomain(caller, server.address);
  const place = ownPlace(io.env, source.identity, stateDirectory && pathOf(stateDirectory, io.cwd));
  const { signal, release } = endingSignal(io);
  let agent: Agent | undefined;
  let keeper: TokenKeeper | undefined;
  const listener = healthListener(() => [keeper && tokenHealth(keeper), agent?.health(), processHealth()]);
  const servers = [await takeSocket(place.socket, listener)];
  try {
    const anonymous = clientFor(io, domain, { retries: 0 });
    keeper = new TokenKeeper({
      logIn: loginBy(config.auth, anonymous, io),
      client: anonymous,
      retry: server.retry,
      io,
      onToken: (token) => agent?.onToken?.(token),
    });
    const client = clientFor(io, domain, { token: keeper, retries: Math.min(server.retry.maxRetries, 1) });
    agent = create({ client, anonymous, keeper, state: new State(place.state), io, signal, retry: server.retry });
    if (healthPort !== undefined) servers.push(await listenLocally(healthPort, listener));
    await (once || server.exitAfterAuth ? agent.once() : agent.run());
  } catch (error) {
    throw asCommandError(error);
  } finally {
    rmSync(place.socket, { force: true });
    for (const one of servers) one.close();
    release();
  }
}

/** Tries again while the server is away, as often as the strategy says. */
export async function patiently(
  { retry, io, signal }: Pick<Machine, 'retry' | 'io' | 'signal'>,
  work: () => Promise<unknown>,
): Promise<void> {
  const backoff = new Backoff(retry);
  for (let attempt = 0; ; attempt++)
    try {
      await work();
      return;
    } catch (error) {
      if (!isAway(error) || attempt >= retry.maxRetries || signal.aborted) throw error;
      io.say('warn', messageOf(error));
      await wait(backoff.next(), signal);
    }
}

/** What the health of every agent begins with. */
function tokenHealth({ endsAt }: TokenKeeper): Health {
  const isHealthy = endsAt !== undefined && Date.now() < endsAt;
  const hasEnd = endsAt !== undefined && endsAt !== Infinity;
  return {
    isHealthy,
    report: { isLoggedIn: isHealthy, tokenEndsAt: hasEnd ? new Date(endsAt).toISOString() : null },
    metrics: [
      {
        name: 'coffer_agent_token_seconds_left',
        type: 'gauge',
        help: 'Seconds until the access token ends.',
        values: hasEnd ? [{ value: Math.round((endsAt - Date.now()) / 1000) }] : [],
      },
    ],
  };
}

/** Ends in order at the first of these signals, and at once at the second. */
function endingSignal(io: Pick<Io, 'say'>): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const end = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(1);
    io.say('info', `${signal}: ending`);
    controller.abort();
  };
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const one of signals) process.on(one, end);
  return {
    signal: controller.signal,
    release: () => {
      for (const one of signals) process.off(one, end);
    },
  };
}

/** Serves health and metrics on a port of this machine, too. @throws CommandError if the port is taken. */
const listenLocally = (port: number, listener: RequestListener): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(listener);
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(failure(`The port ${port} of health-port cannot be used (${error.code})`)),
    );
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
