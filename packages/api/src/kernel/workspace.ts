import { Id } from '@coffer/domain';
import { z } from 'zod';

/** Older operations name the project of which they are `workspaceId`. */
export const Workspace = z.object({ workspaceId: Id.describe('The ID of the project') });

/** The input of such an operation with the name that the domain has for it. */
export const fromWorkspace = <Input extends { workspaceId: string }>({ workspaceId, ...input }: Input) => ({
  ...input,
  projectId: workspaceId,
});
