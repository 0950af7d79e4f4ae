import { migration } from './migration.ts';

/** A search by a common name read every certificate of its project: seconds for a million. */
export const m0112CertificateNames = migration(
  '0112-certificate-names',
  'create index certificates_common_name on certificates (project_id, common_name, created_at desc);',
);
