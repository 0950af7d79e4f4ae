import { readdir, readFile, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onDatabase } from '../subject/stage.ts';
import { freePorts } from '../subject/server.ts';
import { startHaproxy } from './haproxy.ts';
import { POSTGRES, PASSWORD } from './postgres.ts';
import { giveTo, startSystem, unprivileged, untilOpen, type Owner, type Program } from './programs.ts';

export const ETCD = '/usr/bin/etcd';
export const PATRONI = '/usr/bin/patroni';
const PATIENCE_MS = 90_000;

/** As short as three programs on a loaded machine allow; docs/scaling.md names what they add up to. */
const TIMES = { ttl: 8, loop_wait: 1, retry_timeout: 3 };

/** What can happen to the primary. */
export type Harm = 'postgres' | 'machine' | 'freeze';

interface Node {
  readonly name: string;
  readonly data: string;
  readonly file: string;
  readonly port: number;
  readonly restPort: number;
  patroni: Program | undefined;
}

/** Three PostgreSQL servers under Patroni with one etcd, and HAProxy before them, which leads to the primary. */
export class PatroniCluster implements Pick<Program, 'stop'> {
  /** Where HAProxy leads to the primary. */
  readonly port: number;
  readonly #directory: string;
  readonly #owner: Owner;
  readonly #nodes: readonly Node[];
  readonly #programs: Program[] = [];
  /** The processes that are stopped and not yet killed. */
  #frozen: number[] = [];

  private constructor(directory: string, owner: Owner, port: number, nodes: readonly Node[]) {
    this.#directory = directory;
    this.#owner = owner;
    this.port = port;
    this.#nodes = nodes;
  }

  /** Starts all; resolves when there is a primary with a synchronous standby. `directory` is made, with a short path. */
  static async start(directory: string): Promise<PatroniCluster> {
    const owner = await unprivileged();
    await mkdir(directory, { mode: 0o700 });
    await giveTo(owner, directory);
    const [port, etcdPort, peerPort, ...ports] = (await freePorts(9)) as [number, number, number, ...number[]];
    const nodes = ['one', 'two', 'three'].map((name, i) => ({
      name,
      data: join(directory, name),
      file: join(directory, `${name}.json`),
      port: ports[2 * i]!,
      restPort: ports[2 * i + 1]!,
      patroni: undefined,
    }));
    const cluster = new PatroniCluster(directory, owner, port, nodes);
    try {
      await cluster.#startEtcd(etcdPort, peerPort);
      for (const node of nodes) await writeFile(node.file, JSON.stringify(configOf(node, etcdPort)));
      for (const node of nodes) await giveTo(owner, node.file);
      await Promise.all(nodes.map((node) => cluster.#startNode(node)));
      await cluster.#startProxy();
      await cluster.settled();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  urlOf(role: string, database = 'coffer'): string {
    return `postgres://${role}:${PASSWORD}@127.0.0.1:${this.port}/${database}`;
  }

  /** Harms the primary; resolves with its name, as soon as it is done. */
  async harm(how: Harm): Promise<string> {
    const node = (await this.#primary())!;
    const pids = await processesOf(node);
    if (how !== 'postgres') pids.push(node.patroni!.child.pid!);
    for (const pid of pids) signal(pid, how === 'freeze' ? 'SIGSTOP' : 'SIGKILL');
    if (how === 'freeze') this.#frozen = pids;
    return node.name;
  }

  /** Kills what is frozen, starts Patroni again where it has ended, and waits until three servers are in order. */
  async repair(): Promise<void> {
    for (const pid of this.#frozen.splice(0)) signal(pid, 'SIGKILL');
    await sleep(200);
    for (const node of this.#nodes) {
      const { child } = node.patroni!;
      if (child.exitCode !== null || child.signalCode !== null) await this.#startNode(node);
    }
    await this.settled();
  }

  /** Until there is a primary with two streaming standbys, one of them synchronous. */
  async settled(): Promise<void> {
    for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(200)) {
      const states = await this.#states();
      if (states === '2 1') return;
      if (performance.now() > deadline)
        throw new Error(`The cluster is not in order: ${states} (standbys, synchronous)`);
    }
  }

  async stop(): Promise<void> {
    for (const pid of this.#frozen.splice(0)) signal(pid, 'SIGKILL');
    for (const program of this.#programs.toReversed()) await program.stop();
    for (const node of this.#nodes) {
      // First Patroni, which would start its server again.
      await node.patroni?.stop();
      for (const pid of await processesOf(node)) signal(pid, 'SIGKILL');
    }
  }

  async #startEtcd(port: number, peerPort: number): Promise<void> {
    const client = `http://127.0.0.1:${port}`;
    const peer = `http://127.0.0.1:${peerPort}`;
    const args = ['--data-dir', join(this.#directory, 'etcd'), '--listen-client-urls', client];
    args.push('--advertise-client-urls', client, '--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer);
    args.push('--initial-cluster', `default=${peer}`, '--log-level', 'error', '--unsafe-no-fsync');
    const logFile = `${this.#directory}-etcd.log`;
    const etcd = await startSystem({ program: ETCD, args, logFile, owner: this.#owner });
    this.#programs.push(etcd);
    await untilOpen(port, etcd);
  }

  async #startNode(node: Node): Promise<void> {
    node.patroni = await startSystem({
      program: PATRONI,
      args: [node.file],
      logFile: `${this.#directory}-${node.name}.log`,
      owner: this.#owner,
    });
  }

  async #startProxy(): Promise<void> {
    const addresses = Object.fromEntries(
      this.#nodes.map(({ port, restPort }, i) => [
        `10.0.0.2${i + 1}:5432 check port 8008`,
        `127.0.0.1:${port} check port ${restPort}`,
      ]),
    );
    const all = { ...addresses, '10.0.0.20:5432': `127.0.0.1:${this.port}` };
    this.#programs.push(await startHaproxy('postgres', all, `${this.#directory}-haproxy.cfg`));
  }

  async #primary(): Promise<Node | undefined> {
    for (const node of this.#nodes) {
      const isPrimary = await fetch(`http://127.0.0.1:${node.restPort}/primary`, {
        signal: AbortSignal.timeout(2_000),
      }).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isPrimary) return node;
    }
    return undefined;
  }

  /** How many standbys stream, and how many of them are synchronous. */
  async #states(): Promise<string> {
    const text = `select count(*) || ' ' || count(*) filter (where sync_state = 'sync') as states from pg_stat_replication where state = 'streaming' and usename = 'replicator'`;
    return onDatabase(this.urlOf('postgres', 'postgres'), async (client) => {
      const { rows } = await client.query<{ states: string }>(text);
      return rows[0]!.states;
    }).catch((error: unknown) => (error as Error).message);
  }
}

/** Signals a process, which may have ended since it was found. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The configuration of Patroni on one machine; JSON is YAML. */
const configOf = ({ name, data, port, restPort }: Node, etcdPort: number): object => ({
  scope: 'coffer',
  name,
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
  log: { level: 'INFO' },
  bootstrap: {
    dcs: {
      ...TIMES,
      // Nothing is acknowledged that only one server has.
      synchronous_mode: true,
      synchronous_mode_strict: true,
      // The one that is ahead of the others takes over, so that the other one can follow it without being rewound.
      synchronous_node_count: 2,
      // A crashed primary is not waited for.
      primary_start_timeout: 0,
      postgresql: {
        use_pg_rewind: true,
        use_slots: true,
        parameters: {
          max_connections: 150,
          wal_keep_size: '256MB',
          wal_log_hints: 'on',
          // Until a standby follows the new primary, no write is acknowledged.
          wal_retrieve_retry_interval: '500ms',
        },
      },
    },
    initdb: [{ encoding: 'UTF8' }, 'no-sync'],
    pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: data,
    bin_dir: POSTGRES,
    pgpass: `${data}.pgpass`,
    authentication: {
      superuser: { username: 'postgres', password: PASSWORD },
      replication: { username: 'replicator', password: PASSWORD },
    },
    parameters: { unix_socket_directories: '', shared_buffers: '64MB' },
  },
});

/** The postmaster of a server that this run started, and its children. */
async function processesOf({ data }: Node): Promise<number[]> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = Number(text.split('\n')[0]);
  if (!postmaster) return [];
  const command = await readFile(`/proc/${postmaster}/cmdline`, 'utf8').catch(() => '');
  if (!command.includes(data)) return [];
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const children: number[] = [];
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(parent) === postmaster) children.push(Number(pid));
  }
  return [postmaster, ...children];
}
