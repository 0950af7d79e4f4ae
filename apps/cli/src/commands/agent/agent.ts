import { agentAction, patiently, type Agent, type Machine } from '../../daemon/agent-process.ts';
import { DeliveredFile } from '../../daemon/delivered-file.ts';
import { messageOf } from '../../daemon/failure.ts';
import type { Health } from '../../daemon/health.ts';
import { failure } from '../../exit.ts';
import { pathOf } from '../../files.ts';
import { readAgentConfig, type AgentConfig } from './config.ts';
import { Leases } from './leases.ts';
import { Streams } from './streams.ts';
import { inTemplate, TemplateJob } from './template-job.ts';

export const runAgent = agentAction(readAgentConfig, (config, machine) => new SecretsAgent(config, machine));

class SecretsAgent implements Agent {
  readonly #config: AgentConfig;
  readonly #machine: Machine;
  readonly #leases: Leases;
  readonly #streams: Streams;
  readonly #jobs: readonly TemplateJob[];
  readonly #sinks: readonly DeliveredFile[];
  #sinkFault: string | undefined;

  constructor(config: AgentConfig, machine: Machine) {
    this.#config = config;
    this.#machine = machine;
    const { io } = machine;
    this.#sinks = config.sinks.map(
      ({ path, permission = 0o600 }) => new DeliveredFile(pathOf(path, io.cwd), { permission }),
    );
    for (const sink of this.#sinks) sink.clean();
    const templates = config.templates.length;
    this.#leases = new Leases({ ...machine, templates, onEnded: () => this.#notify(() => true) });
    this.#streams = new Streams({
      ...machine,
      onChange: (projectId) => this.#notify((job) => job.readsFrom(projectId)),
    });
    this.#jobs = config.templates.map((template) => this.#job(template));
  }

  #job(template: AgentConfig['templates'][number]): TemplateJob {
    const onRead = (projectIds: readonly string[], isBack: boolean): void => {
      if (isBack) this.#streams.reopen();
      this.#streams.follow(projectIds);
    };
    try {
      return new TemplateJob(template, { ...this.#machine, leases: this.#leases, onRead });
    } catch (error) {
      throw inTemplate(template.destination, error);
    }
  }

  async run(): Promise<void> {
    const { keeper, signal, anonymous } = this.#machine;
    await Promise.all([keeper.keep(signal), this.#leases.keep(signal), ...this.#jobs.map((job) => job.keep(signal))]);
    await this.#streams.ended();
    const { revokes } = this.#config.server;
    if (revokes === false) return;
    await this.#leases.revokeAll();
    if (revokes) await anonymous.accessTokens.revoke.mutate({ accessToken: await keeper.token() });
  }

  /** Its leases stay, as their credentials are in use; the next start replaces them. */
  async once(): Promise<void> {
    await patiently(this.#machine, () => this.#machine.keeper.token());
    if (this.#sinkFault) throw failure(this.#sinkFault);
    for (const job of this.#jobs) await patiently(this.#machine, () => job.refresh());
    await this.#leases.revokeUnused();
  }

  #notify(isMeant: (job: TemplateJob) => boolean): void {
    for (const job of this.#jobs) if (isMeant(job)) job.notify();
  }

  onToken(token: string): void {
    this.#sinkFault = undefined;
    for (const sink of this.#sinks)
      try {
        if (!sink.has(token)) sink.write(token);
      } catch (error) {
        this.#sinkFault = messageOf(error);
        this.#machine.io.say('error', this.#sinkFault);
      }
  }

  health(): Health {
    const jobs = this.#jobs;
    const templates = jobs.map(({ config, deliveredAt, fault }) => ({
      destination: config.destination,
      deliveredAt: deliveredAt === undefined ? null : new Date(deliveredAt).toISOString(),
      fault: fault ?? null,
    }));
    const perTemplate = (value: (job: TemplateJob) => number) =>
      jobs.map((job) => ({ labels: { destination: job.config.destination }, value: value(job) }));
    const isDelivered = jobs.every(({ deliveredAt, fault }) => deliveredAt !== undefined && !fault);
    return {
      isHealthy: this.#sinkFault === undefined && isDelivered,
      report: { sinkFault: this.#sinkFault ?? null, leases: this.#leases.count, templates },
      metrics: [
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
