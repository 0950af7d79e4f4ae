import { p } from '@mikro-orm/core';
import { v7 } from 'uuid';
import type { Actor } from './context.ts';

/** A new id: a UUID of version 7 (RFC 9562), so that rows of one time lie together in their indexes. */
export const newId = (): string => v7();

/** The columns that every entity has. */
export const base = {
  id: p.uuid().primary().onCreate(newId),
  createdAt: p.datetime().onCreate(() => new Date()),
  updatedAt: p
    .datetime()
    .onCreate(() => new Date())
    .onUpdate(() => new Date()),
};

/** Who made it. The id is not a reference: an actor may be gone while its work stays. */
export const authorship = {
  createdBy: p.uuid().nullable(),
  createdByActorType: p.text().nullable(),
};

export const authoredBy = (actor: Actor) => ({
  createdBy: 'id' in actor ? actor.id : null,
  createdByActorType: actor.type,
});
