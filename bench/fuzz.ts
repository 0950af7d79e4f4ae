/**
 * Fuzzes a running server with requests generated from its OpenAPI document: valid ones, invalid ones, the same over
 * tRPC, bytes that are not HTTP, and concurrent equal changes. It looks for 5xx responses, undocumented responses, an
 * end of the process, a blocked event loop, and rows that violate invariants.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Coffer } from '@coffer/domain';
import { Random } from './chaos/random.ts';
import { operationsIn, type Document, type Operation } from './fuzz/document.ts';
import { Findings, Recent } from './fuzz/findings.ts';
import { RESERVED_NAMES } from './fuzz/hostile.ts';
import { brokenInvariants, fingerprintOf } from './fuzz/invariants.ts';
import { Judge } from './fuzz/judge.ts';
import { sendRaw } from './fuzz/protocol.ts';
import { Requests, type Request } from './fuzz/requests.ts';
import { Stage, type Attacked } from './fuzz/stage.ts';
import { Values } from './fuzz/values.ts';
import { Run } from './subject/stage.ts';

const HELP = `pnpm fuzz [options]
  --requests N     how many (20000)
  --concurrency N  at once (8)
  --seed N         the same decisions again; printed at the start
  --large          large rules, keys, certificates and lists alone
  --only TEXT      only operations whose method and path contain this
  --keep           leaves the data directory and the log of the server`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    concurrency: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    large: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Requests per world: after that, much of it is deleted. */
const WORLD = 1500;
const KINDS = { fitting: 29, spoiled: 43, trpc: 12, race: 6, raw: 3, names: 1, huge: 0.5, large: 1.5 };
/** Milliseconds after which a stall is noted. */
const NOTED = 20;
/** How often a stall has to come back with a request. */
const CONFIRMATIONS = 2;
/** Milliseconds after which uses of tokens are written, and work in the background has begun. */
const SETTLED = 3000;
/** How often that is waited for. */
const SETTLINGS = 20;

const run = new Run();
run.endOnSignals();
try {
  if (values.help) console.log(HELP);
  else process.exitCode = (await fuzz(Number(values.requests), Number(values.seed))) ? 0 : 1;
} finally {
  await run.close({ keep: values.keep });
}

/** Whether nothing was found. */
async function fuzz(total: number, seed: number): Promise<boolean> {
  console.log(`seed ${seed}: ${total} requests`);
  const random = new Random(seed);
  const stage = await Stage.open(run);
  const { coffer, server } = stage;
  const document = (await (await fetch(`${server.url}/api/docs/json`)).json()) as Document;
  const operations = operationsIn(document).filter(({ method, url }) => `${method} ${url}`.includes(values.only));
  if (operations.length === 0) throw new Error(`--only: no operation's method and path contain ${values.only}`);
  const requests = new Requests(random, new Values(random, document), operations);
  const [judge, findings] = [new Judge(document), new Findings()];
  const victim = await stage.world('victim');
  const before = await settledContents(coffer.pool, victim);
  const started = Date.now();
  const asked = new Set<Operation>();
  const recent = new Recent<Attacked>();
  let sent = 0;

  for (let at = 0; sent < total && !stage.hasEnded; at++) {
    const world = await stage.world(`w${at}`);
    requests.clear();
    const end = Math.min(total, sent + WORLD);
    const worker = async () => {
      while (sent < end && !stage.hasEnded) {
        const count = await step(world);
        sent += count;
      }
    };
    await Promise.all(Array.from({ length: Number(values.concurrency) }, worker));
  }

  if (stage.hasEnded) findings.addOther('The process of the server ended');
  for (const table of changedTables(before, await fingerprintOf(coffer.pool, victim.organizationId)))
    findings.addOther(`${table}: rows of an organization changed that nobody asked in`);
  for (const broken of await brokenInvariants(coffer.pool)) findings.addOther(broken);
  for (const { at, ms } of await stage.stallsSince(started)) await confirmStall(at - ms, at);
  for (const fault of (await stage.faults()).slice(0, 20)) findings.addOther(fault);
  await coffer.close();
  report(sent, operations.length, asked.size, findings);
  return findings.all.length === 0;

  /** Sends one request, or several concurrent ones; returns their number. */
  async function step(world: Attacked): Promise<number> {
    switch (values.large ? 'large' : random.weighted(KINDS)) {
      case 'fitting':
        return rest(world, false);
      case 'spoiled':
        return rest(world, true);
      case 'trpc': {
        const operation = requests.pickOperation();
        const caller = requests.pickCaller(operation);
        await ask(
          requests.overTrpc(operation, caller, requests.input(operation, world, victim), random.next() < 0.6),
          world,
        );
        return 1;
      }
      case 'race':
        return race(world);
      case 'raw': {
        const raw = await sendRaw(random, new URL(server.url), world.machineToken);
        for (const status of raw.statuses) {
          findings.count({ status });
          if (status >= 500 && status !== 505)
            findings.addOther(`an answer of ${status} to ${JSON.stringify(raw.sent.slice(0, 2000))}`);
        }
        return 1;
      }
      case 'huge': {
        const operation = requests.pickOperation();
        if (operation.method === 'GET') return 0;
        await ask(requests.huge(operation, requests.input(operation, world, victim)), world);
        return 1;
      }
      case 'large': {
        const operation = requests.pickOperation();
        const request = requests.large(operation, requests.input(operation, world, victim));
        if (!request) return 0;
        await ask(request, world);
        return 1;
      }
      case 'names': {
        const [path, method] = [`/api/trpc/${random.pick(RESERVED_NAMES)}`, random.pick(['GET', 'POST'])];
        const post = { headers: { 'content-type': 'application/json' }, body: '{}' };
        const content = method === 'POST' ? post : { headers: {}, body: undefined };
        await ask({ operation: undefined, method, path, caller: 'machine', ...content }, world);
        return 1;
      }
    }
  }

  async function rest(world: Attacked, isSpoiled: boolean): Promise<number> {
    const operation = requests.pickOperation();
    asked.add(operation);
    const input = requests.input(operation, world, victim);
    await ask(requests.overRest(operation, requests.pickCaller(operation), input, isSpoiled), world);
    return 1;
  }

  /**
   * Sends each request again, alone, that was under way while the event loop stood still. Collections of garbage, work
   * in the background and much that arrived at once do not come back with it.
   */
  async function confirmStall(from: number, to: number): Promise<void> {
    for (const { request, world } of recent.at(from, to)) {
      let least = Infinity;
      for (let n = 0; n < CONFIRMATIONS && least > 0; n++) least = Math.min(least, await stallBy(request, world));
      if (least > 0) findings.add(request, undefined, `the event loop worked ${least} ms in one turn`);
    }
  }

  /** The longest stall while a request is answered, in milliseconds; 0 for none. */
  async function stallBy(request: Request, world: Attacked): Promise<number> {
    const start = Date.now();
    await stage.send(request, world).catch(() => undefined);
    await sleep(NOTED);
    return Math.max(0, ...(await stage.stallsSince(start)).map(({ ms }) => ms));
  }

  /** Several concurrent equal changes. */
  async function race(world: Attacked): Promise<number> {
    const operation = requests.pickOperation();
    if (operation.method === 'GET') return 0;
    const request = requests.overRest(operation, 'machine', requests.input(operation, world, victim), false);
    const times = random.whole(2, 6);
    await Promise.all(Array.from({ length: times }, () => ask(request, world)));
    return times;
  }

  async function ask(request: Request, world: Attacked): Promise<void> {
    const start = Date.now();
    try {
      const answer = await stage.send(request, world).finally(() => recent.add(request, world, start));
      findings.count(answer);
      const fault = judge.faultOf(request.operation, answer);
      if (fault) findings.add(request, answer, fault);
      else if (answer.status === 200 && answer.type.startsWith('application/json'))
        requests.learn(JSON.parse(answer.text));
    } catch (error) {
      const { message, cause } = error as Error;
      findings.add(request, undefined, `no answer: ${message} ${cause instanceof Error ? cause.message : ''}`);
    }
  }
}

/** The contents of a new organization, once nothing of its creation is under way, however long that takes here. */
async function settledContents(pool: Coffer['pool'], { organizationId }: Attacked): Promise<Map<string, string>> {
  let before = await fingerprintOf(pool, organizationId);
  for (let n = 0; n < SETTLINGS; n++) {
    await sleep(SETTLED);
    const after = await fingerprintOf(pool, organizationId);
    if (changedTables(before, after).length === 0) return after;
    before = after;
  }
  throw new Error('The contents of an organization go on changing while nobody asks in it');
}

function changedTables(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].flatMap(([table, sum]) => (before.get(table) === sum ? [] : [table]));
}

function report(sent: number, known: number, asked: number, { counts, all }: Findings): void {
  const statuses = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`${sent} requests to ${asked} of ${known} operations. Answers: ${statuses.join(', ')}`);
  for (const one of all) console.log(`\n${one}`);
  console.log(all.length === 0 ? 'Nothing was found' : `\n${all.length} findings`);
}
