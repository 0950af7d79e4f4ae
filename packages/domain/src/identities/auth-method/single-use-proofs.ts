import { hashOf } from '../../crypto/index.ts';
import { statement, unauthenticated, type Transaction } from '../../kernel/index.ts';

const USE = statement(
  'used_login_proofs.use',
  'insert into used_login_proofs (hash, expires_at) values ($1, $2) on conflict do nothing returning hash',
);

/** The single-use proofs of one login; see `LoginAttempt.useOnce`. */
export class SingleUseProofs {
  readonly #proofs: { id: string; expiresAt: Date }[] = [];

  add(proof: { id: string; expiresAt: Date }): void {
    this.#proofs.push(proof);
  }

  /**
   * Consumes them together with the writes of the login: of parallel logins with one proof, one succeeds.
   *
   * @throws DomainError 401 `auth.proof_used`
   */
  async use(tx: Transaction): Promise<void> {
    for (const { id, expiresAt } of this.#proofs) {
      const used = await tx.sql(USE, [hashOf(id), expiresAt]);
      if (used.length === 0)
        throw unauthenticated('auth.proof_used', 'This login proof was already used: create a new one');
    }
  }
}
