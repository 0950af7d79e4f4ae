import { m0001Ground } from './0001-ground.ts';
import { m0002People } from './0002-people.ts';
import { m0003Secrets } from './0003-secrets.ts';
import { m0004Access } from './0004-access.ts';
import { m0005ServiceTokens } from './0005-service-tokens.ts';
import { m0006ProjectTemplates } from './0006-project-templates.ts';
import { m0007ProjectIdentities } from './0007-project-identities.ts';
import { m0008PasswordResets } from './0008-password-resets.ts';
import { m0009History } from './0009-history.ts';
import { m0010DynamicSecrets } from './0010-dynamic-secrets.ts';
import { m0011Integrations } from './0011-integrations.ts';
import { m0012ChangePolicies } from './0012-change-policies.ts';
import { m0013Webhooks } from './0013-webhooks.ts';
import { m0014Replication } from './0014-replication.ts';
import { m0015Certificates } from './0015-certificates.ts';
import { m0016Revocation } from './0016-revocation.ts';
import { m0017CertificateProfiles } from './0017-certificate-profiles.ts';
import { m0018CertificateCollections } from './0018-certificate-collections.ts';
import { m0019Acme } from './0019-acme.ts';
import { m0020Est } from './0020-est.ts';
import { m0021Subscribers } from './0021-subscribers.ts';
import { m0022PoliciesForMachines } from './0022-policies-for-machines.ts';
import { m0023AccessPoliciesTogether } from './0023-access-policies-together.ts';
import { m0026LeaseOwners } from './0026-lease-owners.ts';
import { m0028FormerSlugs } from './0028-former-slugs.ts';
import { m0030UsedLoginProofs } from './0030-used-login-proofs.ts';
import { m0031KnownClients } from './0031-known-clients.ts';
import { m0032RefreshRotation } from './0032-refresh-rotation.ts';
import { m0033Proof } from './0033-proof.ts';
import { m0034CertificateEnds } from './0034-certificate-ends.ts';
import { m0035EstPassphrases } from './0035-est-passphrases.ts';
import { m0036DatabaseRoles } from './0036-database-roles.ts';
import { m0037KeyUses } from './0037-key-uses.ts';
import { m0038EnvironmentRestore } from './0038-environment-restore.ts';
import { m0039TrustedIps } from './0039-trusted-ips.ts';
import { m0040Uniqueness } from './0040-uniqueness.ts';
import { m0041RateLimits } from './0041-rate-limits.ts';
import { m0042ApiKeys } from './0042-api-keys.ts';
import { m0043KeptIssuers } from './0043-kept-issuers.ts';
import { m0044PlacesOfRequests } from './0044-places-of-requests.ts';
import { m0045CompromisedKeys } from './0045-compromised-keys.ts';
import { m0046AlertRunAs } from './0046-alert-run-as.ts';
import { m0047NamesOfAccessRequests } from './0047-names-of-access-requests.ts';
import { m0048Connections } from './0048-connections.ts';
import { m0050LeaseClaims } from './0050-lease-claims.ts';
import { m0051StandardNames } from './0051-standard-names.ts';
import { m0052FormerProjectSlugs } from './0052-former-project-slugs.ts';
import { m0054QueryPlans } from './0054-query-plans.ts';
import { m0055AlertDeliveries } from './0055-alert-deliveries.ts';
import { m0059AuditLimit } from './0059-audit-limit.ts';
import { m0060AuditBytes } from './0060-audit-bytes.ts';
import { m0062SizeOfRules } from './0062-size-of-rules.ts';
import { m0063Kms } from './0063-kms.ts';
import { m0064Ssh } from './0064-ssh.ts';
import { m0065SshHosts } from './0065-ssh-hosts.ts';
import { m0066NameFragments } from './0066-name-fragments.ts';
import { m0068SshRevocation } from './0068-ssh-revocation.ts';
import { m0069AppConnections } from './0069-app-connections.ts';
import { m0070SecretSyncs } from './0070-secret-syncs.ts';
import { m0072SecretRotations } from './0072-secret-rotations.ts';
import { m0074ConnectionChecks } from './0074-connection-checks.ts';
import { m0077PkiSyncs } from './0077-pki-syncs.ts';
import { m0079LostSshCertificates } from './0079-lost-ssh-certificates.ts';
import { m0082ManagedPasswords } from './0082-managed-passwords.ts';
import { m0084AccountBudgets } from './0084-account-budgets.ts';
import { m0088Requesters } from './0088-requesters.ts';
import { m0089KeyEnvironments } from './0089-key-environments.ts';
import { m0093CommandLine } from './0093-command-line.ts';
import { m0103StandingOrders } from './0103-standing-orders.ts';
import { m0104OpenedSessions } from './0104-opened-sessions.ts';
import { m0105ImpliedReferences } from './0105-implied-references.ts';
import { m0107MailCounts } from './0107-mail-counts.ts';
import { m0112CertificateNames } from './0112-certificate-names.ts';
import { m0113NamedFolders } from './0113-named-folders.ts';
import { m0114ImportKeys } from './0114-import-keys.ts';
import { m0115SshCertificatesOfAuthorities } from './0115-ssh-certificates-of-authorities.ts';
import { m0116DailyCounts } from './0116-daily-counts.ts';
import { m0117RevokedOrders } from './0117-revoked-orders.ts';
import { m0120FormerEnvironmentSlugs } from './0120-former-environment-slugs.ts';
import { m0121DynamicSecretsOfOrganization } from './0121-dynamic-secrets-of-organization.ts';
import { m0125WebhookRunAs } from './0125-webhook-run-as.ts';
import { m0126UnprovedAcme } from './0126-unproved-acme.ts';
import { m0127WebhookChangedPath } from './0127-webhook-changed-path.ts';
import { m0128SshLoginsOfOrganizations } from './0128-ssh-logins-of-organizations.ts';
import { m0132ProvedAcmeAccounts } from './0132-proved-acme-accounts.ts';
import { m0136FormerTagColors } from './0136-former-tag-colors.ts';
import { m0118ParametersInUse } from './0118-parameters-in-use.ts';
import { m0076ExternalAuthorities } from './0076-external-authorities.ts';
import { m0086SecretNames } from './0086-secret-names.ts';
import { m0056OriginProjects } from './0056-origin-projects.ts';
import { m0057PublishedPlaces } from './0057-published-places.ts';
import { m0058AuditSegments } from './0058-audit-segments.ts';
import { m0098OfflineCache } from './0098-offline-cache.ts';

/** In the order in which they run. */
export const migrations = [
  m0001Ground,
  m0002People,
  m0003Secrets,
  m0004Access,
  m0005ServiceTokens,
  m0006ProjectTemplates,
  m0007ProjectIdentities,
  m0008PasswordResets,
  m0009History,
  m0010DynamicSecrets,
  m0011Integrations,
  m0012ChangePolicies,
  m0013Webhooks,
  m0014Replication,
  m0015Certificates,
  m0016Revocation,
  m0017CertificateProfiles,
  m0018CertificateCollections,
  m0019Acme,
  m0020Est,
  m0021Subscribers,
  m0022PoliciesForMachines,
  m0023AccessPoliciesTogether,
  m0026LeaseOwners,
  m0028FormerSlugs,
  m0030UsedLoginProofs,
  m0031KnownClients,
  m0032RefreshRotation,
  m0033Proof,
  m0034CertificateEnds,
  m0035EstPassphrases,
  m0036DatabaseRoles,
  m0037KeyUses,
  m0038EnvironmentRestore,
  m0039TrustedIps,
  m0040Uniqueness,
  m0041RateLimits,
  m0042ApiKeys,
  m0043KeptIssuers,
  m0044PlacesOfRequests,
  m0045CompromisedKeys,
  m0046AlertRunAs,
  m0047NamesOfAccessRequests,
  m0048Connections,
  m0050LeaseClaims,
  m0051StandardNames,
  m0052FormerProjectSlugs,
  m0054QueryPlans,
  m0055AlertDeliveries,
  m0056OriginProjects,
  m0057PublishedPlaces,
  m0058AuditSegments,
  m0059AuditLimit,
  m0060AuditBytes,
  m0062SizeOfRules,
  m0063Kms,
  m0064Ssh,
  m0065SshHosts,
  m0066NameFragments,
  m0068SshRevocation,
  m0069AppConnections,
  m0070SecretSyncs,
  m0072SecretRotations,
  m0074ConnectionChecks,
  m0076ExternalAuthorities,
  m0077PkiSyncs,
  m0079LostSshCertificates,
  m0082ManagedPasswords,
  m0084AccountBudgets,
  m0086SecretNames,
  m0088Requesters,
  m0089KeyEnvironments,
  m0093CommandLine,
  m0098OfflineCache,
  m0103StandingOrders,
  m0104OpenedSessions,
  m0105ImpliedReferences,
  m0107MailCounts,
  m0112CertificateNames,
  m0113NamedFolders,
  m0114ImportKeys,
  m0115SshCertificatesOfAuthorities,
  m0116DailyCounts,
  m0117RevokedOrders,
  m0118ParametersInUse,
  m0120FormerEnvironmentSlugs,
  m0121DynamicSecretsOfOrganization,
  m0125WebhookRunAs,
  m0126UnprovedAcme,
  m0127WebhookChangedPath,
  m0128SshLoginsOfOrganizations,
  m0132ProvedAcmeAccounts,
  m0136FormerTagColors,
];
