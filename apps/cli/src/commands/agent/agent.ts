import type { CofferClient } from '@coffer/client';
import { configSource, endingSignal, listenLocally } from '../../daemon/agent-process.ts';
import { loginBy } from '../../daemon/auth.ts';
import { DeliveredFile } from '../../daemon/delivered-file.ts';
import { asCommandError, isAway, messageOf } from '../../daemon/failure.ts';
import { healthListener, type Health } from '../../daemon/health.ts';
import { ownPlace } from '../../daemon/own-place.ts';
import { takeSocket } from '../../daemon/own-socket.ts';
import { State } from '../../daemon/state.ts';
import { TokenKeeper } from '../../daemon/token-keeper.ts';
import { wait } from '../../daemon/wait.ts';
import { Backoff } from '../../daemon/backoff.ts';
import { pathOf } from '../../files.ts';
import type { Io } from '../../io.ts';
import { agentDomain, clientFor } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import { readAgentConfig, type AgentConfig, type SinkConfig } from './config.ts';
import type { agentFlags } from './flags.ts';
import { Leases } from './leases.ts';
import { Streams } from './streams.ts';
import { inTemplate, TemplateJob } from './template-job.ts';

export const runAgent: Action<typeof agentFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const source = configSource(flags.config, io);
  const config = readAgentConfig(source.name, source.text, io.env);
  const domain = agentDomain(invocation, config.server.address);
  const place = ownPlace(io.env, source.identity, config.stateDirectory && pathOf(config.stateDirectory, io.cwd));
  const { signal, release } = endingSignal(io);
  let agent: Agent | undefined;
  const listener = healthListener(() => agent?.health() ?? { isHealthy: false, report: {}, metrics: [] });
  const servers = [await takeSocket(place.socket, listener)];
  try {
    agent = new Agent(config, domain, new State(place.state), io, signal);
    if (config.healthPort !== undefined) servers.push(await listenLocally(config.healthPort, listener));
    if (flags.once || config.server.exitAfterAuth) await agent.once();
    else await agent.run();
  } catch (error) {
    throw asCommandError(error);
  } finally {
    for (const server of servers) server.close();
    release();
  }
};

class Agent {
  readonly #config: AgentConfig;
  readonly #io: Io;
  readonly #signal: AbortSignal;
  readonly #anonymous: CofferClient;
  readonly #client: CofferClient;
  readonly #keeper: TokenKeeper;
  readonly #leases: Leases;
  readonly #streams: Streams;
  readonly #jobs: readonly TemplateJob[];
  readonly #sinks: readonly DeliveredFile[];
  #sinkFault: string | undefined;

  constructor(config: AgentConfig, domain: string, state: State, io: Io, signal: AbortSignal) {
    this.#config = config;
    this.#io = io;
    this.#signal = signal;
    const { retry } = config.server;
    this.#anonymous = clientFor(io, domain, { retries: 0 });
    const logIn = loginBy(config.auth, this.#anonymous, io);
    const keeper = new TokenKeeper({
      logIn,
      client: this.#anonymous,
      retry,
      io,
      onToken: (token) => this.#deliver(token),
    });
    this.#keeper = keeper;
    this.#client = clientFor(io, domain, { token: keeper, retries: Math.min(retry.maxRetries, 1) });
    const client = this.#client;
    this.#sinks = config.sinks.map(
      ({ path, permission }: SinkConfig) => new DeliveredFile(pathOf(path, io.cwd), { permission }),
    );
    for (const sink of this.#sinks) sink.clean();
    const templates = config.templates.length;
    this.#leases = new Leases({ client, state, retry, io, templates, onEnded: () => this.#notifyAll() });
    this.#streams = new Streams({
      client,
      io,
      signal,
      onChange: (projectId) => {
        for (const job of this.#jobs) if (job.readsFrom(projectId)) job.notify();
      },
    });
    const onRead = (projectIds: readonly string[], isBack: boolean): void => {
      if (isBack) this.#streams.reopen();
      this.#streams.follow(projectIds);
    };
    this.#jobs = config.templates.map((template) => {
      try {
        return new TemplateJob(template, { client, leases: this.#leases, io, state, retry, onRead });
      } catch (error) {
        throw inTemplate(template.destination, error);
      }
    });
  }

  /** Runs until it is asked to end. */
  async run(): Promise<void> {
    const signal = this.#signal;
    await Promise.all([
      this.#keeper.keep(signal),
      this.#leases.keep(signal),
      ...this.#jobs.map((job) => job.keep(signal)),
    ]);
    await this.#streams.ended();
    const { revokes } = this.#config.server;
    if (revokes === false) return;
    await this.#leases.revokeAll();
    if (revokes) await this.#anonymous.accessTokens.revoke.mutate({ accessToken: await this.#keeper.token() });
  }

  /** Delivers everything once. Leases stay, as their credentials are in use; the next start replaces them. */
  async once(): Promise<void> {
    await this.#patiently(() => this.#keeper.token());
    if (this.#sinkFault) throw new Error(this.#sinkFault);
    for (const job of this.#jobs) await this.#patiently(() => job.refresh());
  }

  async #patiently(work: () => Promise<unknown>): Promise<void> {
    const { retry } = this.#config.server;
    const backoff = new Backoff(retry);
    for (let attempt = 0; ; attempt++)
      try {
        await work();
        return;
      } catch (error) {
        if (!isAway(error) || attempt >= retry.maxRetries || this.#signal.aborted) throw error;
        this.#io.say('warn', messageOf(error));
        await wait(backoff.next(), this.#signal);
      }
  }

  #notifyAll(): void {
    for (const job of this.#jobs) job.notify();
  }

  #deliver(token: string): void {
    this.#sinkFault = undefined;
    for (const sink of this.#sinks)
      try {
        if (!sink.has(token)) sink.write(token);
      } catch (error) {
        this.#sinkFault = messageOf(error);
        this.#io.say('error', this.#sinkFault);
      }
  }

  health(): Health {
    const { endsAt } = this.#keeper;
    const jobs = this.#jobs ?? [];
    const isLoggedIn = endsAt !== undefined && Date.now() < endsAt;
    const templates = jobs.map(({ config, deliveredAt, fault }) => ({
      destination: config.destination,
      deliveredAt: deliveredAt === undefined ? null : new Date(deliveredAt).toISOString(),
      fault: fault ?? null,
    }));
    const perTemplate = (value: (job: TemplateJob) => number) =>
      jobs.map((job) => ({ labels: { destination: job.config.destination }, value: value(job) }));
    return {
      isHealthy:
        isLoggedIn && this.#sinkFault === undefined && jobs.every((job) => job.deliveredAt !== undefined && !job.fault),
      report: {
        isLoggedIn,
        tokenEndsAt: endsAt === undefined || endsAt === Infinity ? null : new Date(endsAt).toISOString(),
        sinkFault: this.#sinkFault ?? null,
        leases: this.#leases.count,
        templates,
      },
      metrics: [
        {
          name: 'coffer_agent_token_seconds_left',
          type: 'gauge',
          help: 'Seconds until the access token ends.',
          values:
            endsAt === undefined || endsAt === Infinity ? [] : [{ value: Math.round((endsAt - Date.now()) / 1000) }],
        },
        {
          name: 'coffer_agent_leases',
          type: 'gauge',
          help: 'Leases that are kept.',
          values: [{ value: this.#leases.count }],
        },
        {
          name: 'coffer_agent_template_writes_total',
          type: 'counter',
          help: 'Times that a file was written.',
          values: perTemplate(({ writes }) => writes),
        },
        {
          name: 'coffer_agent_template_failing',
          type: 'gauge',
          help: '1 while a file cannot be brought up to date.',
          values: perTemplate(({ fault }) => (fault ? 1 : 0)),
        },
      ],
    };
  }
}
