import { migration } from './migration.ts';

/** Who answers OCSP for an authority, what is left of one that was deleted, and keys that are certified no more. */
export const m0034CertificateEnds = migration(
  '0034-certificate-ends',
  `
-- authority: the key of the authority itself. delegated: a responder with a certificate of its own.
alter table certificate_authorities add column ocsp_responder text not null default 'authority',
  add constraint certificate_authorities_ocsp_responder check (ocsp_responder in ('authority', 'delegated'));

-- The delegated responder of each key of an authority; the next one takes its place.
create table ocsp_responders (
  id uuid primary key,
  ca_key_id uuid not null references ca_keys on delete cascade,
  organization_id uuid not null,
  project_id uuid not null,
  key_algorithm text not null,
  -- PKCS #8, sealed.
  private_key bytea not null,
  -- Its certificate, DER.
  body bytea not null,
  not_before timestamptz(3) not null,
  not_after timestamptz(3) not null,
  constraint ocsp_responders_key_unique unique (ca_key_id)
);

-- A key of an authority that was deleted: what is still said of the certificates that it signed. The key itself is gone.
create table retired_ca_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null,
  ca_id uuid not null,
  -- DER of the name and of the SubjectPublicKeyInfo, by which questions name it.
  issuer_name bytea not null,
  public_key bytea not null,
  -- The last revocation list, DER.
  number bigint not null,
  body bytea not null,
  fingerprint_sha256 bytea not null,
  this_update timestamptz(3) not null,
  -- When the last of its certificates ends; then this row goes, too.
  next_update timestamptz(3) not null,
  -- Of the last OCSP responder: PKCS #8, sealed by the organization, since the project may be gone; and its certificate.
  responder_algorithm text not null,
  responder_key bytea not null,
  responder_certificate bytea not null,
  created_at timestamptz(3) not null default now()
);
alter table retired_ca_keys alter column body set storage external;
create index retired_ca_keys_ends on retired_ca_keys (next_update);
create index retired_ca_keys_organization on retired_ca_keys (organization_id);

create table retired_certificates (
  ca_key_id uuid not null references retired_ca_keys on delete cascade,
  serial_number text not null,
  revoked_at timestamptz(3) not null,
  reason integer not null,
  primary key (ca_key_id, serial_number)
);

-- SHA-256 of SubjectPublicKeyInfo of what was revoked as compromised: it is certified no more in the organization.
create table compromised_keys (
  organization_id uuid not null references organizations on delete cascade,
  spki_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, spki_hash)
);
`,
);
