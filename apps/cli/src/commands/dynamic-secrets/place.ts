import type { CofferClient } from '@coffer/client';
import { environmentFor, placeOfCommand, projectOf } from '../../place.ts';
import type { Invocation } from '../../table/command.ts';
import type { dynamicFlags } from './flags.ts';

/** The folder as operations of dynamic secrets name it: by the slug of the project. */
export async function dynamicPlace(invocation: Invocation<typeof dynamicFlags>, client: CofferClient) {
  const { 'project-slug': slug } = invocation.flags;
  if (slug) return { projectSlug: slug, environmentSlug: environmentFor(invocation), path: invocation.flags.path };
  const projectId = await projectOf(invocation, client);
  const [{ project }, { environment, secretPath }] = await Promise.all([
    client.projects.get.query({ projectId }),
    placeOfCommand(invocation, client),
  ]);
  return { projectSlug: project.slug, environmentSlug: environment, path: secretPath };
}
