import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import type { Pool } from 'pg';

/**
 * What shows the database that Coffer itself stores or removes a segment of the audit log, not somebody with its
 * connection: the database cannot look into a segment, but the key for these proofs is derived from the key that signs
 * the log, which is sealed under the root key.
 */
export class ArchiveProofs {
  readonly #key: Buffer;

  /** @param signingKey The Ed25519 key of `auditSigningKey`. */
  constructor(signingKey: KeyObject) {
    const secret = signingKey.export({ type: 'pkcs8', format: 'der' });
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'coffer.audit.archive.v1', 32));
  }

  prove(message: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(message).digest();
  }

  /** Whether the database accepts proofs of this key. */
  async areAccepted(pool: Pick<Pool, 'query'>): Promise<boolean> {
    const { rows } = await pool.query<{ accepted: boolean }>('select audit_is_proven($1, $2) as accepted', [
      PROBE,
      this.prove(PROBE),
    ]);
    return rows[0]!.accepted;
  }

  /** Stores the key where only the owner of the tables, and its functions, can read it. */
  async register(owner: Pick<Pool, 'query'>): Promise<void> {
    await owner.query(
      `insert into audit_archive_key (inner_key, outer_key) values ($1, $2)
       on conflict (one) do update set inner_key = excluded.inner_key, outer_key = excluded.outer_key`,
      [this.#padded(0x36), this.#padded(0x5c)],
    );
  }

  /** The two keys that HMAC makes of one. */
  #padded(byte: number): Buffer {
    return Buffer.alloc(64, byte).map((pad, index) => pad ^ (this.#key[index] ?? 0)) as Buffer;
  }
}

const PROBE = Buffer.from('coffer.audit.probe.v1');
