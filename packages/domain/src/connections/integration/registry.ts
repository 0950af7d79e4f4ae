import { defineFamily } from '../../family/index.ts';
import { badRequest } from '../../kernel/index.ts';
import type { Destination } from './destination.ts';
import { awsParameterStore } from './destinations/aws-parameter-store/index.ts';
import { awsSecretManager } from './destinations/aws-secret-manager/index.ts';
import { github } from './destinations/github/index.ts';
import { hashicorpVault } from './destinations/hashicorp-vault/index.ts';
import { published } from './published.ts';

/** Every destination. To add one: write it in `destinations/`, and name it here. */
export const destinations = defineFamily<'slug', Destination>(
  [awsParameterStore, awsSecretManager, github, hashicorpVault],
  'slug',
  (slug, offered) => badRequest('integration.not_offered', `Nothing is synced to ${slug} yet; offered are ${offered}`),
);

/** @throws DomainError 400 for a name that is not even published. */
export function requirePublished(slug: string): void {
  if (!Object.hasOwn(published, slug)) throw badRequest('integration.unknown', 'There is no such integration');
}
