import type { EntitySchema } from '@mikro-orm/core';
import { MembershipEntity, MembershipRoleEntity } from '../access/membership/membership.entity.ts';
import { PrivilegeEntity } from '../access/privilege/privilege.entity.ts';
import { RoleEntity } from '../access/role/role.entity.ts';
import { AuthMethodEntity } from '../identities/auth-method/auth-method.entity.ts';
import { IdentityEntity } from '../identities/identity/identity.entity.ts';
import { IncidentContactEntity } from '../organizations/incident-contact/incident-contact.entity.ts';
import { GroupEntity } from '../organizations/group/group.entity.ts';
import { OrganizationEntity } from '../organizations/organization/organization.entity.ts';
import { AuthorityEntity } from '../pki/authority/authority.entity.ts';
import { CertificateTemplateEntity } from '../pki/template/template.entity.ts';
import { AlertEntity } from '../pki/alert/alert.entity.ts';
import { PkiCollectionEntity } from '../pki/collection/collection.entity.ts';
import { EnvironmentEntity } from '../secrets/environment/environment.entity.ts';
import { AppConnectionEntity } from '../connections/connection/connection.entity.ts';
import { SecretRotationEntity } from '../connections/rotation/secret-rotation.entity.ts';
import { SecretSyncEntity } from '../connections/sync/sync.entity.ts';
import { ProjectEntity } from '../projects/project/project.entity.ts';
import { TagEntity } from '../secrets/tag/tag.entity.ts';
import { TrustedIpEntity } from '../projects/trusted-ip/trusted-ip.entity.ts';
import { ProjectTemplateEntity } from '../projects/template/template.entity.ts';
import { DynamicSecretEntity } from '../secrets/dynamic/dynamic-secret.entity.ts';
import { FolderEntity } from '../secrets/folder/folder.entity.ts';
import { SecretImportEntity } from '../secrets/import/import.entity.ts';
import { WebhookEntity } from '../secrets/webhook/webhook.entity.ts';
import { SessionEntity } from '../users/session/session.entity.ts';
import { UserEntity } from '../users/user/user.entity.ts';

/** All entities, for the database to know. */
export const entities: readonly EntitySchema[] = [
  OrganizationEntity,
  UserEntity,
  SessionEntity,
  IncidentContactEntity,
  IdentityEntity,
  AuthMethodEntity,
  ProjectEntity,
  ProjectTemplateEntity,
  EnvironmentEntity,
  TagEntity,
  TrustedIpEntity,
  FolderEntity,
  SecretImportEntity,
  WebhookEntity,
  DynamicSecretEntity,
  AppConnectionEntity,
  SecretSyncEntity,
  SecretRotationEntity,
  AuthorityEntity,
  CertificateTemplateEntity,
  RoleEntity,
  MembershipEntity,
  MembershipRoleEntity,
  PrivilegeEntity,
  GroupEntity,
  PkiCollectionEntity,
  AlertEntity,
];
