import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, defineUpdate, Id, Instant, LeftElsewhere, slug, text, Uuid } from '../../kernel/schema.ts';

export const environmentPermissions = projectPermissions('environments');

export const Environment = z.object({
  id: Uuid,
  name: z.string(),
  slug: z.string(),
  position: z.number().int().describe('Starts at 1'),
  projectId: Uuid,
  createdAt: Instant,
  updatedAt: Instant,
});
export type Environment = z.output<typeof Environment>;

const name = text(255).trim().min(1);
const MAX_POSITION = 2_147_483_647;

export const CreateEnvironment = z.object({
  projectId: Id,
  name,
  slug: slug(1, 64),
  position: z.int().min(1).max(MAX_POSITION).optional().describe('1 is the first. Default, or if too high: the last'),
});
export type CreateEnvironment = z.output<typeof CreateEnvironment>;

export const UpdateEnvironment = z.object({
  projectId: Id,
  id: Id,
  name: name.optional(),
  slug: slug(1, 64).optional(),
  position: z.int().min(0).max(MAX_POSITION).optional().describe('1 is the first; 0 keeps the position'),
});
export type UpdateEnvironment = z.output<typeof UpdateEnvironment>;

export const NamedEnvironment = z.object({ projectId: Id, id: Id });
export type NamedEnvironment = z.output<typeof NamedEnvironment>;

/** How long a deleted environment can be restored, in days. */
export const RESTORABLE_DAYS = 30;

/** An environment that was deleted and can still be restored. */
export const DeletedEnvironment = Environment.pick({ id: true, name: true, slug: true, projectId: true }).extend({
  deletedAt: Instant,
  restorableUntil: Instant.describe(`${RESTORABLE_DAYS} days after the deletion`),
});
export type DeletedEnvironment = z.output<typeof DeletedEnvironment>;

export const EnvironmentsOfProject = z.object({ projectId: Id });

const named = { environmentId: z.string(), slug: z.string() };
export const environmentCreated = defineEvent(
  'environment.created',
  'create-environment',
  z.object({ ...named, name: z.string() }),
);
export const environmentUpdated = defineUpdate(
  'environment.updated',
  'update-environment',
  z.object({ ...named, previousSlug: z.string(), name: z.string(), position: z.number().int() }),
);
export const environmentDeleted = defineEvent(
  'environment.deleted',
  'delete-environment',
  z.object({ ...named, name: z.string(), left: LeftElsewhere.optional() }),
);
export const environmentRestored = defineEvent(
  'environment.restored',
  'restore-environment',
  z.object({ ...named, name: z.string(), revision: z.number().int() }),
);
