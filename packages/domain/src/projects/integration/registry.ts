import { badRequest } from '../../kernel/index.ts';
import type { Destination } from './destination.ts';
import { awsParameterStore } from './destinations/aws-parameter-store.ts';
import { awsSecretManager } from './destinations/aws-secret-manager/index.ts';
import { github } from './destinations/github/index.ts';
import { hashicorpVault } from './destinations/hashicorp-vault/index.ts';
import { published } from './published.ts';

/** Every destination. To add one: write it in `destinations/`, and name it here. */
export const destinations: readonly Destination[] = [awsParameterStore, awsSecretManager, github, hashicorpVault];

const bySlug = new Map(destinations.map((destination) => [destination.slug, destination]));

/** A destination by its published name; `undefined` where it is not offered. */
export const findDestination = (slug: string): Destination | undefined => bySlug.get(slug);

/** @throws DomainError 400 for a destination that is not offered. */
export function requireDestination(slug: string): Destination {
  const found = findDestination(slug);
  if (found) return found;
  const offered = destinations.map((one) => one.slug).join(', ');
  throw badRequest('integration.not_offered', `Nothing is synced to ${slug} yet; offered are ${offered}`);
}

/** @throws DomainError 400 for a name that is not even published. */
export function requirePublished(slug: string): void {
  if (!Object.hasOwn(published, slug)) throw badRequest('integration.unknown', 'There is no such integration');
}
