import { hashPassword } from '../../crypto/index.ts';
import { badRequest, type Transaction } from '../../kernel/index.ts';
import { changeEstConfig, insertEstConfig, requireAnchors } from '../est-config/index.ts';
import type { ChangeProfileEstConfig } from './profile.ts';

/** argon2id, outside of transactions: it takes its time. */
export const hashedPassphrase = async (config: ChangeProfileEstConfig | null | undefined) =>
  config?.passphrase === undefined ? undefined : hashPassword(config.passphrase);

/**
 * Keeps what is given of a profile's configuration for EST; the passphrase is its hash.
 *
 * @throws DomainError 400 `certificate_profile.est_config` where there is none yet and no passphrase;
 * `est_config.no_chain`, `est_config.chain`
 */
export async function keepEstConfig(
  tx: Transaction,
  { id: profileId, projectId }: { id: string; projectId: string },
  { passphrase, caChain, disableBootstrapCaValidation: isOpen }: ChangeProfileEstConfig,
): Promise<void> {
  const config =
    (await changeEstConfig(tx, profileId, { passphrase, isOpen, caChain })) ??
    (passphrase &&
      (await insertEstConfig(
        tx,
        { projectId, profileId },
        { isEnabled: true, passphrase, isOpen: isOpen ?? false, caChain: caChain ?? null },
      )));
  if (!config)
    throw badRequest('certificate_profile.est_config', 'Clients enrol with a passphrase: give estConfig.passphrase');
  requireAnchors(config, 'estConfig.disableBootstrapCaValidation');
}
