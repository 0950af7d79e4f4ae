import { failure } from '../exit.ts';
import { readIfThere } from '../files.ts';
import { DeliveredFile } from './delivered-file.ts';

/** A lease of a dynamic secret that this agent has ordered. Nothing in it is secret. */
export interface StoredLease {
  readonly id: string;
  readonly projectSlug: string;
  readonly environmentSlug: string;
  readonly path: string;
  /** Milliseconds since 1970: when it was ordered, and when it ends; the latter is unknown until it is issued. */
  readonly orderedAt: number;
  readonly expiresAt?: number;
}

/** A certificate request that waits for its authority, and a digest of what it is for. */
export interface StoredRequest {
  readonly id: string;
  readonly of: string;
}

interface Stored {
  readonly leases: readonly StoredLease[];
  /** By the file of the certificate. */
  readonly requests: Readonly<Record<string, StoredRequest>>;
  /** Files after whose change a command is still to be run. */
  readonly due: readonly string[];
}

const NOTHING: Stored = { leases: [], requests: {}, due: [] };

/** What an agent has to know after it was killed. Each change is on the disk before the next step. Its directory is that of the socket. */
export class State {
  readonly #file: DeliveredFile;
  #stored: Stored;

  /** @throws CommandError if the file cannot be read. */
  constructor(path: string) {
    this.#file = new DeliveredFile(path, { permission: 0o600 });
    this.#file.clean();
    this.#stored = { ...NOTHING, ...read(path) };
  }

  get leases(): readonly StoredLease[] {
    return this.#stored.leases;
  }

  keepLease(lease: StoredLease): void {
    this.#write({ leases: [...this.#others(lease.id), lease] });
  }

  dropLease(id: string): void {
    if (this.leases.some((one) => one.id === id)) this.#write({ leases: this.#others(id) });
  }

  /** What waits for the certificate of a file. */
  requestFor = (file: string): StoredRequest | undefined => this.#stored.requests[file];

  keepRequest(file: string, request: StoredRequest | undefined): void {
    const before = this.requestFor(file);
    if (before?.id === request?.id && before?.of === request?.of) return;
    const { [file]: _, ...others } = this.#stored.requests;
    this.#write({ requests: request ? { ...others, [file]: request } : others });
  }

  isDue = (file: string): boolean => this.#stored.due.includes(file);

  setDue(file: string, isDue: boolean): void {
    if (isDue === this.isDue(file)) return;
    const others = this.#stored.due.filter((one) => one !== file);
    this.#write({ due: isDue ? [...others, file] : others });
  }

  #others = (id: string): StoredLease[] => this.leases.filter((one) => one.id !== id);

  #write(change: Partial<Stored>): void {
    const next = { ...this.#stored, ...change };
    this.#file.write(`${JSON.stringify(next)}\n`);
    this.#stored = next;
  }
}

function read(path: string): Partial<Stored> {
  const text = readIfThere(path);
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as Partial<Stored>;
  } catch {
    throw failure(
      `${path} is damaged`,
      'It names the leases that are to be revoked, and orders that wait: correct it, or delete it',
    );
  }
}
