import type { Answer } from './judge.ts';
import type { Request } from './requests.ts';

const SHOWN = 2000;

/** What was found, each kind once for each operation. */
export class Findings {
  readonly #found = new Map<string, string>();
  readonly counts = new Map<number, number>();

  count({ status }: { readonly status: number }): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
  }

  add(request: Request, answer: Answer | undefined, fault: string): void {
    const { operation, method, path, caller, body } = request;
    const where = operation ? `${operation.method} ${operation.url}` : `${method} ${path.split('?')[0]}`;
    const key = `${where}: ${fault}${answer ? ` (${answer.status})` : ''}`;
    if (this.#found.has(key)) return;
    const lines = [key, `  ${caller}: ${method} ${path.slice(0, SHOWN)}`];
    if (body !== undefined) lines.push(`  ${body.slice(0, SHOWN)}`);
    if (answer) lines.push(`  answered ${answer.status}: ${answer.text.slice(0, SHOWN)}`);
    this.#found.set(key, lines.join('\n'));
  }

  addOther(fault: string): void {
    this.#found.set(fault, fault);
  }

  get all(): readonly string[] {
    return [...this.#found.values()];
  }
}

const REMEMBERED = 20_000;

interface Asked<World> {
  readonly request: Request;
  readonly world: World;
  readonly start: number;
  readonly end: number;
}

/** Recent requests with their time in milliseconds. */
export class Recent<World> {
  #asked: Asked<World>[] = [];

  add(request: Request, world: World, start: number): void {
    if (this.#asked.length >= 2 * REMEMBERED) this.#asked = this.#asked.slice(-REMEMBERED);
    this.#asked.push({ request, world, start, end: Date.now() });
  }

  /** What was under way in a span. */
  at(start: number, end: number): readonly Asked<World>[] {
    return this.#asked.filter((one) => one.end >= start && one.start <= end);
  }
}
