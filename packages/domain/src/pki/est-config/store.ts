import { organizationOf } from '../../access/index.ts';
import { explainConstraint, isId, newId, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { EstAccess } from './est-config.ts';
import type { KeptPassphrase } from './passphrase.ts';

explainConstraint('est_configs_template_unique', 'The template already has EST settings; update them');
explainConstraint('est_configs_profile_unique', 'The profile already has EST settings; update them');

/** What clients enrol on: a certificate template, or a certificate profile. */
export type EstPlace =
  | { readonly projectId: string; readonly certificateTemplateId: string; readonly profileId?: undefined }
  | { readonly projectId: string; readonly certificateTemplateId?: undefined; readonly profileId: string };

export interface StoredEstConfig extends EstAccess {
  readonly id: string;
  readonly isEnabled: boolean;
}

const COLUMNS = `id, is_enabled as "isEnabled", disable_bootstrap_cert_validation as "isOpen", ca_chain as "caChain"`;
const FIND = statement(
  'est_configs.find',
  `select ${COLUMNS} from est_configs
   where organization_id = $1 and (certificate_template_id = $2 or profile_id = $2)`,
);
const INSERT = statement(
  'est_configs.insert',
  `insert into est_configs (id, organization_id, project_id, certificate_template_id, profile_id, is_enabled,
     passphrase, passphrase_check_hash, disable_bootstrap_cert_validation, ca_chain, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning ${COLUMNS}`,
);
const UPDATE = statement(
  'est_configs.update',
  `update est_configs set is_enabled = coalesce($3, is_enabled), passphrase = coalesce($4, passphrase),
     passphrase_check_hash = case when $4::text is null then passphrase_check_hash else $5 end,
     disable_bootstrap_cert_validation = coalesce($6, disable_bootstrap_cert_validation),
     ca_chain = nullif(coalesce($7, ca_chain), ''), updated_at = $8
   where organization_id = $1 and (certificate_template_id = $2 or profile_id = $2) returning ${COLUMNS}`,
);
const DELETE = statement(
  'est_configs.delete',
  'delete from est_configs where organization_id = $1 and (certificate_template_id = $2 or profile_id = $2)',
);
const ENROLLING = statement(
  'est_configs.enrolling',
  `select id as "configId", updated_at as "configUpdatedAt", organization_id as "organizationId", certificate_template_id as "certificateTemplateId",
     profile_id as "profileId", passphrase, passphrase_check_hash as "check", disable_bootstrap_cert_validation as "isOpen", ca_chain as "caChain"
   from est_configs where is_enabled and (certificate_template_id = $1 or profile_id = $1)`,
);

/** The configuration of a template or profile, by the id of that. */
export async function findEstConfig(ctx: Context, placeId: string): Promise<StoredEstConfig | undefined> {
  const [config] = await ctx.sql<StoredEstConfig>(FIND, [organizationOf(ctx), placeId]);
  return config;
}

export type NewEstConfig = Omit<StoredEstConfig, 'id'> & { readonly passphrase: KeptPassphrase };

/** @throws DomainError 400 `est_configs_template_unique`, `est_configs_profile_unique` if one exists already. */
export async function insertEstConfig(
  tx: Transaction,
  { projectId, certificateTemplateId, profileId }: EstPlace,
  { isEnabled, passphrase, isOpen, caChain }: NewEstConfig,
): Promise<StoredEstConfig> {
  const [config] = await tx.sql<StoredEstConfig>(INSERT, [
    ...[newId(), organizationOf(tx), projectId, certificateTemplateId ?? null, profileId ?? null],
    ...[isEnabled, passphrase.passphrase, passphrase.check, isOpen, caChain || null, tx.now()],
  ]);
  return config!;
}

/** `undefined` fields are unchanged; an empty chain removes it. Returns `undefined` if there is no configuration. */
export async function changeEstConfig(
  tx: Transaction,
  placeId: string,
  { isEnabled, passphrase, isOpen, caChain }: { readonly [F in keyof NewEstConfig]?: NewEstConfig[F] | undefined },
): Promise<StoredEstConfig | undefined> {
  const changes = [isEnabled, passphrase?.passphrase, passphrase?.check, isOpen, caChain].map((value) => value ?? null);
  const [config] = await tx.sql<StoredEstConfig>(UPDATE, [organizationOf(tx), placeId, ...changes, tx.now()]);
  return config;
}

export const deleteEstConfig = async (tx: Transaction, placeId: string): Promise<void> =>
  void (await tx.sql(DELETE, [organizationOf(tx), placeId]));

/** The data of an EST label for clients, in any organization. */
export interface EstEnrolling extends EstAccess, KeptPassphrase {
  readonly configId: string;
  readonly configUpdatedAt: string;
  readonly organizationId: string;
  readonly certificateTemplateId: string | null;
  readonly profileId: string | null;
}

/** `undefined` for IDs without EST, and while it is disabled. */
export async function findEstEnrolling(ctx: Context, placeId: string): Promise<EstEnrolling | undefined> {
  const [enrolling] = isId(placeId) ? await ctx.sql<EstEnrolling>(ENROLLING, [placeId]) : [];
  return enrolling;
}
