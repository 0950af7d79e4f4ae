import type { SecretReferenceError } from '../secret.ts';
import { failureOf, type Failure } from './failure.ts';
import { targetKey, type Target } from './reference.ts';

/** Maximum number of reported references of one secret. */
const MAX_ERRORS = 100;

/** The references of a value that could not be resolved: some of them, and of each kind the first. */
export class ReferenceErrors {
  readonly #known = new Map<string, SecretReferenceError>();
  readonly #codes = new Set<Failure>();

  add(code: Failure, reference: string, holder: Target): void {
    if (this.#isFull(code)) return;
    this.#keep(`${targetKey(holder)} ${reference}`, failureOf(code, reference, holder));
  }

  addAll(others: ReferenceErrors): void {
    for (const [name, error] of others.#known) if (!this.#isFull(error.code)) this.#keep(name, error);
  }

  get size(): number {
    return this.#known.size;
  }

  /** In the order in which they were found; `briefly`, only the first of each kind. */
  list(briefly = false): SecretReferenceError[] {
    const all = [...this.#known.values()];
    if (!briefly) return all;
    return [...new Map(all.toReversed().map((error) => [error.code, error])).values()].toReversed();
  }

  #isFull(code: Failure): boolean {
    return this.#known.size >= MAX_ERRORS && this.#codes.has(code);
  }

  #keep(name: string, error: SecretReferenceError): void {
    if (this.#known.has(name)) return;
    this.#known.set(name, error);
    this.#codes.add(error.code);
  }
}
