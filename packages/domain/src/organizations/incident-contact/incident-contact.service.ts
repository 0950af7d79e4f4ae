import { LockMode } from '@mikro-orm/core';
import { authorize, organizationPermissions } from '../../access/index.ts';
import {
  explainConstraint,
  fewIn,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  type Context,
} from '../../kernel/index.ts';
import { ownOrganization, type OrganizationRef } from '../organization/index.ts';
import { IncidentContactEntity } from './incident-contact.entity.ts';
import {
  incidentContactCreated,
  incidentContactDeleted,
  type CreateIncidentContact,
  type IncidentContact,
  type IncidentContactRef,
} from './incident-contact.ts';

explainConstraint('incident_contacts_email_unique', 'This address is already a contact');

const contacts = organizationPermissions('incident-contact');

const requireFewContacts = fewIn('organization', {
  table: 'incident_contacts',
  most: 500,
  code: 'incident_contact.too_many',
  of: 'incident contacts',
});

export async function listIncidentContacts(ctx: Context, input: OrganizationRef): Promise<IncidentContact[]> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, contacts.read);
  const rows = await ctx.em.find(IncidentContactEntity, { organizationId }, { orderBy: { email: 'asc' } });
  return rows.map(publish);
}

export async function createIncidentContact(ctx: Context, input: CreateIncidentContact): Promise<IncidentContact> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, contacts.create);
  return inTransaction(ctx, async (tx) => {
    const contact = tx.em.create(IncidentContactEntity, { id: newId(), organizationId, email: input.email });
    await tx.em.persist(contact).flush();
    await requireFewContacts(tx, organizationId);
    record(tx, incidentContactCreated, { incidentContactId: contact.id, email: contact.email });
    return publish(contact);
  });
}

export async function deleteIncidentContact(
  ctx: Context,
  { organizationId, incidentContactId: id }: IncidentContactRef,
): Promise<IncidentContact> {
  const own = ownOrganization(ctx, organizationId);
  await authorize(ctx, contacts.delete);
  return inTransaction(ctx, async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const contact = isId(id) ? await tx.em.findOne(IncidentContactEntity, { id, organizationId: own }, lock) : null;
    if (!contact) throw notFound('incident contact');
    await tx.em.remove(contact).flush();
    record(tx, incidentContactDeleted, { incidentContactId: contact.id, email: contact.email });
    return publish(contact);
  });
}

const publish = (row: IncidentContactEntity): IncidentContact => ({
  id: row.id,
  email: row.email,
  orgId: row.organizationId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
