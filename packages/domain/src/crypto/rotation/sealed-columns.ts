/** A column whose values are sealed under the key of a project or an organization. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column name in the associated data, if it differs. */
  readonly sealedAs: `${string}.${string}`;
  /** The ID in the associated data; together with the version, it must identify one row. */
  readonly idColumn: string;
  /** Whose key, and the owner in the associated data. */
  readonly ownerColumn: 'project_id' | 'organization_id';
  /** The version in the associated data; 0 for rows that have none. */
  readonly versionColumn: string | undefined;
  /** SQL: which rows these are, where others of the same owner are sealed under another key. */
  readonly where?: string;
}

type Definition = Omit<SealedColumn, 'sealedAs' | 'versionColumn'> & Partial<SealedColumn>;

export const defineSealedColumn = (column: Definition): SealedColumn => ({
  sealedAs: `${column.table}.${column.column}`,
  versionColumn: undefined,
  ...column,
});

const ofSecret = (column: string) => [
  defineSealedColumn({ table: 'secrets', column, idColumn: 'id', ownerColumn: 'project_id', versionColumn: 'version' }),
  // A replaced version is sealed for the location where it was written.
  defineSealedColumn({
    table: 'secret_versions',
    column,
    sealedAs: `secrets.${column}`,
    idColumn: 'secret_id',
    ownerColumn: 'project_id',
    versionColumn: 'version',
  }),
];

/**
 * Every sealed column. Add each new one here, or rotation can never retire keys: it refuses while the schema has a
 * column of bytes that is neither listed here nor known to contain something else.
 */
export const sealedColumns: readonly SealedColumn[] = [
  ...ofSecret('value'),
  ...ofSecret('comment'),
  ...ofSecret('encrypted_metadata'),
  defineSealedColumn({
    table: 'identity_auth_methods',
    column: 'sealed',
    idColumn: 'id',
    ownerColumn: 'organization_id',
  }),
  // The columns of connections and syncs had other names when their first rows were sealed.
  defineSealedColumn({
    table: 'app_connections',
    column: 'credentials',
    sealedAs: 'integration_auths.sealed',
    idColumn: 'id',
    ownerColumn: 'project_id',
  }),
  defineSealedColumn({
    table: 'app_connections',
    column: 'credentials',
    sealedAs: 'integration_auths.sealed',
    idColumn: 'id',
    ownerColumn: 'organization_id',
    where: 'project_id is null',
  }),
  defineSealedColumn({
    table: 'app_connections',
    column: 'next_credentials',
    idColumn: 'id',
    ownerColumn: 'project_id',
  }),
  defineSealedColumn({
    table: 'app_connections',
    column: 'next_credentials',
    idColumn: 'id',
    ownerColumn: 'organization_id',
    where: 'project_id is null',
  }),
  defineSealedColumn({
    table: 'secret_syncs',
    column: 'hash_key',
    sealedAs: 'integrations.sealed',
    idColumn: 'id',
    ownerColumn: 'project_id',
  }),
  defineSealedColumn({
    table: 'secret_rotation_credentials',
    column: 'sealed',
    idColumn: 'id',
    ownerColumn: 'project_id',
  }),
  defineSealedColumn({ table: 'dynamic_secrets', column: 'inputs', idColumn: 'id', ownerColumn: 'project_id' }),
  defineSealedColumn({
    table: 'secret_approval_requests',
    column: 'input',
    idColumn: 'id',
    ownerColumn: 'project_id',
    versionColumn: 'content_version',
  }),
  defineSealedColumn({
    table: 'secret_approval_changes',
    column: 'content',
    idColumn: 'id',
    ownerColumn: 'project_id',
  }),
  defineSealedColumn({ table: 'webhooks', column: 'url', idColumn: 'id', ownerColumn: 'project_id' }),
  defineSealedColumn({ table: 'webhooks', column: 'secret_key', idColumn: 'id', ownerColumn: 'project_id' }),
  defineSealedColumn({
    table: 'acme_external_keys',
    column: 'secret',
    idColumn: 'profile_id',
    ownerColumn: 'project_id',
  }),
  defineSealedColumn({
    table: 'external_authorities',
    column: 'credentials',
    idColumn: 'id',
    ownerColumn: 'project_id',
  }),
  defineSealedColumn({ table: 'certificate_orders', column: 'private_key', idColumn: 'id', ownerColumn: 'project_id' }),
  defineSealedColumn({ table: 'certificates', column: 'private_key', idColumn: 'id', ownerColumn: 'project_id' }),
  defineSealedColumn({ table: 'pki_alert_channels', column: 'config', idColumn: 'id', ownerColumn: 'project_id' }),
  defineSealedColumn({ table: 'ca_keys', column: 'private_key', idColumn: 'id', ownerColumn: 'project_id' }),
  defineSealedColumn({ table: 'ssh_ca_keys', column: 'private_key', idColumn: 'id', ownerColumn: 'project_id' }),
  defineSealedColumn({ table: 'ocsp_responders', column: 'private_key', idColumn: 'id', ownerColumn: 'project_id' }),
  defineSealedColumn({
    table: 'kms_key_versions',
    column: 'material',
    idColumn: 'kms_key_id',
    ownerColumn: 'project_id',
    versionColumn: 'version',
  }),
  defineSealedColumn({ table: 'kms_import_keys', column: 'private_key', idColumn: 'id', ownerColumn: 'project_id' }),
  defineSealedColumn({
    table: 'retired_ca_keys',
    column: 'responder_key',
    idColumn: 'id',
    ownerColumn: 'organization_id',
  }),
];

/**
 * Columns of bytes that hold hashes and signatures, what certificates show to everybody, or what the root key and the
 * organizations' keys wrap.
 */
const NOT_SEALED =
  /(^|[._])(hash|hashes|signature)$|^data_keys\.wrapped$|^audit_(segments\.(content|terms)|archive_key\.(inner|outer)_key)$|^instance\.|^(ca_keys\.(public_key|key_id)|ssh_(retired_)?ca_keys\.public_key|ssh_certificates\.body|ca_certificates\.body|certificates\.(body|fingerprint_sha256)|certificate_orders\.(csr|revoked_fingerprint)|revocation_entries\.entry|revocation_lists\.(body|fingerprint_sha256)|ssh_revocation_lists\.body|ocsp_responders\.body|(kms_key_versions|kms_import_keys)\.public_key|retired_ca_keys\.(issuer_name|public_key|body|fingerprint_sha256|responder_certificate))$/;

/** Columns of bytes (`table.column`) that rotation does not know. */
export function unknownColumns(columns: readonly string[], known: readonly SealedColumn[]): string[] {
  const names = new Set(known.map(({ table, column }) => `${table}.${column}`));
  return columns.filter((column) => !names.has(column) && !NOT_SEALED.test(column));
}
