import { allowsNothing, filterInTurns, projectPermissions } from '../../access/index.ts';
import { statement, type Ability, type Transaction } from '../../kernel/index.ts';
import { abilityOfRunAs, RunAs } from '../../secrets/import/replication/index.ts';
import { authorityPermissions } from '../authority/index.ts';
import { allowsCertificate, certificatePermissions } from '../certificate/index.ts';
import { collectionPermissions } from '../collection/index.ts';
import type { AltName, Subject } from '../x509.ts';
import type { NotificationItem } from './message.ts';

/** An item for notifications, with the fields that rules use. */
export interface AlertedItem {
  readonly id: string;
  readonly type: 'certificate' | 'ca';
  readonly commonName: string;
  readonly names: readonly AltName[];
  readonly subject: Subject;
  readonly friendlyName: string;
  readonly status: string;
  readonly serialNumber: string;
  /** Of an authority. */
  readonly name: string;
}

/** The actor as whom an alert runs: the last one who changed what it does. */
interface AlertRunAs {
  readonly organizationId: string;
  readonly projectId: string;
  /** Absent for alerts of earlier releases that were not saved since. */
  readonly runAs: unknown;
  /** It tells which certificates are in this collection. */
  readonly pkiCollectionId: string | null;
}

/** What an alert may disclose now. */
export interface Visibility {
  /** Whether it may disclose anything. */
  readonly seesAny: boolean;
  readonly sees: (thing: AlertedItem) => boolean;
  readonly seesProfile: (slug: string) => boolean;
}

export const NOTHING_VISIBLE =
  'The user who last saved this alert may no longer read certificates here, or the collection that it is about; a user who may has to save it again, with its filters or channels';

const EVERYTHING: Visibility = { seesAny: true, sees: () => true, seesProfile: () => true };
const NOTHING: Visibility = { seesAny: false, sees: () => false, seesProfile: () => false };

/** An alert notifies only of what the actor that it runs as may read at that time. */
export async function visibilityOf(
  tx: Transaction,
  { organizationId, projectId, runAs: stored, pkiCollectionId }: AlertRunAs,
): Promise<Visibility> {
  const runAs = RunAs.nullable().parse(stored);
  if (!runAs) return EVERYTHING;
  const ability = await abilityOfRunAs(tx, { organizationId, projectId }, runAs);
  const seesAbout = ability && (pkiCollectionId === null || ability.can(collectionPermissions.read));
  return seesAbout ? visibilityBy(ability) : NOTHING;
}

const readCertificate = certificatePermissions.read;
const readAuthority = authorityPermissions.read;
const readProfile = projectPermissions('certificate-profiles').read;

function visibilityBy(ability: Ability): Visibility {
  return {
    seesAny: !allowsNothing(ability, readCertificate) || !allowsNothing(ability, readAuthority),
    sees: (thing) =>
      thing.type === 'ca'
        ? ability.can(readAuthority, { name: thing.name })
        : allowsCertificate(ability, readCertificate, thing),
    seesProfile: (slug) => ability.can(readProfile, { slug }),
  };
}

const THINGS = statement(
  'pki_alerts.things',
  `select c.id, 'certificate' as type, c.common_name as "commonName", c.names, c.subject,
     c.friendly_name as "friendlyName", c.status, c.serial_number as "serialNumber", '' as name
   from certificates c where c.project_id = $1 and c.id = any ($2::uuid[])
   union all
   select a.id, 'ca', '', '[]'::jsonb, '{}'::jsonb, '', a.status, '', a.name
   from certificate_authorities a where a.project_id = $1 and a.id = any ($2::uuid[])`,
);

interface Found {
  readonly certificates: NotificationItem[];
  readonly total: number;
}

/** Items that were found earlier, without those that must not be disclosed any more and deleted ones. */
export async function stillVisible<T extends Found & AlertRunAs>(tx: Transaction, notification: T): Promise<T> {
  const visibility = await visibilityOf(tx, notification);
  if (visibility === EVERYTHING) return notification;
  if (!visibility.seesAny) return { ...notification, certificates: [], total: 0 };
  const ids = notification.certificates.map(({ id }) => id);
  const things = await tx.sql<AlertedItem>(THINGS, [notification.projectId, ids]);
  const seen = new Set((await filterInTurns(things, visibility.sees)).map(({ id }) => id));
  const left = notification.certificates.flatMap((one) => (seen.has(one.id) ? [withProfile(visibility, one)] : []));
  return { ...notification, certificates: left, total: notification.total - (ids.length - left.length) };
}

/** The same without the name of a profile that may not be read. */
export const withProfile = <T extends { readonly profileName: string | null }>(visibility: Visibility, thing: T): T =>
  thing.profileName === null || visibility.seesProfile(thing.profileName) ? thing : { ...thing, profileName: null };
