import { badRequest, type Context, type Transaction } from '../../kernel/index.ts';
import {
  changeEstConfig,
  insertEstConfig,
  preparePassphrase,
  requireAnchors,
  type PreparedPassphrase,
} from '../est-config/index.ts';
import type { CertificateProfile, ChangeProfileEstConfig } from './profile.ts';

/** The given passphrase, or a new one if the profile becomes an EST profile or a rotation is requested. */
export const passphraseFor = async (
  ctx: Context,
  config: ChangeProfileEstConfig | null | undefined,
  becomesEst: boolean,
): Promise<PreparedPassphrase | undefined> =>
  config && (config.passphrase !== undefined || config.rotatePassphrase || becomesEst)
    ? preparePassphrase(ctx, config)
    : undefined;

/**
 * Stores the given fields of a profile's EST configuration.
 *
 * @throws DomainError 400 `certificate_profile.est_config` if there is none yet and none is given;
 * `est_config.no_chain`, `est_config.chain`
 */
export async function keepEstConfig(
  tx: Transaction,
  { id: profileId, projectId }: { id: string; projectId: string },
  { caChain, disableBootstrapCaValidation: isOpen }: Omit<ChangeProfileEstConfig, 'passphrase'>,
  prepared: PreparedPassphrase | undefined,
): Promise<void> {
  const passphrase = prepared?.kept;
  const config =
    (await changeEstConfig(tx, profileId, { passphrase, isOpen, caChain })) ??
    (passphrase &&
      (await insertEstConfig(
        tx,
        { projectId, profileId },
        { isEnabled: true, passphrase, isOpen: isOpen ?? false, caChain: caChain ?? null },
      )));
  if (!config) throw badRequest('certificate_profile.est_config', 'estConfig is required: how clients authenticate');
  requireAnchors(config, 'estConfig.disableBootstrapCaValidation');
}

/** A profile with the passphrase that was generated for it. */
export const showing = (profile: CertificateProfile, prepared: PreparedPassphrase | undefined): CertificateProfile =>
  profile.estConfig && prepared?.generated !== undefined
    ? { ...profile, estConfig: { ...profile.estConfig, passphrase: prepared.generated } }
    : profile;
