/** Storage of the key that signs checkpoints of the audit log, sealed by the root key. */
export const AUDIT_KEY = {
  column: 'instance.audit_private_key',
  owner: 'instance',
  row: 'instance',
  version: 0,
} as const;
