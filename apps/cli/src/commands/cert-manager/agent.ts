import { agentAction, patiently, type Agent, type Machine } from '../../daemon/agent-process.ts';
import type { Health } from '../../daemon/health.ts';
import { CertificateJob } from './certificate-job.ts';
import { readCertificateAgentConfig, type CertificateAgentConfig } from './config.ts';

export const runCertificateAgent = agentAction(
  readCertificateAgentConfig,
  (config, machine) => new CertificateAgent(config, machine),
);

class CertificateAgent implements Agent {
  readonly #machine: Machine;
  readonly #jobs: readonly CertificateJob[];

  constructor(config: CertificateAgentConfig, machine: Machine) {
    this.#machine = machine;
    this.#jobs = config.certificates.map((certificate) => new CertificateJob(certificate, machine));
  }

  async run(): Promise<void> {
    const { keeper, signal } = this.#machine;
    await Promise.all([keeper.keep(signal), ...this.#jobs.map((job) => job.keep())]);
  }

  async once(): Promise<void> {
    for (const job of this.#jobs) await patiently(this.#machine, () => job.refresh());
  }

  health(): Health {
    const jobs = this.#jobs;
    const labelsOf = ({ config }: CertificateJob) => ({ path: config.certificate.path });
    return {
      isHealthy: jobs.every(({ endsAt, fault }) => endsAt !== undefined && !fault),
      report: {
        certificates: jobs.map(({ config, endsAt, fault }) => ({
          path: config.certificate.path,
          endsAt: endsAt === undefined ? null : new Date(endsAt).toISOString(),
          fault: fault ?? null,
        })),
      },
      metrics: [
        {
          name: 'coffer_agent_certificate_seconds_left',
          type: 'gauge',
          help: 'Seconds until a certificate ends.',
          values: jobs.flatMap((job) =>
            job.endsAt === undefined
              ? []
              : [{ labels: labelsOf(job), value: Math.round((job.endsAt - Date.now()) / 1000) }],
          ),
        },
        {
          name: 'coffer_agent_certificate_failing',
          type: 'gauge',
          help: '1 while a certificate cannot be brought up to date.',
          values: jobs.map((job) => ({ labels: labelsOf(job), value: job.fault ? 1 : 0 })),
        },
      ],
    };
  }
}
