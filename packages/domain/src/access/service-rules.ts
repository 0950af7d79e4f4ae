import type { Rule, ServiceActor } from '../kernel/index.ts';

const SUBJECTS = ['secrets', 'secret-folders', 'secret-imports'];
const WRITE = ['create', 'edit', 'delete'];

/** A path of a folder, in which nothing is special to a glob. */
export const isPlainPath = (secretPath: string): boolean => /^[\w/-]*$/.test(secretPath);

/**
 * The rules of a service token. In each of its scopes, `write` allows to create, update and delete secrets, folders and
 * imports, and `read` allows to read them with their values; `readValue` alone allows to read secrets with their
 * values, but not folders and imports. Scopes name environments by their slugs, as conditions of rules do.
 * Deletion outside of the scopes is explicitly forbidden: a folder may be in a scope while its contents are not, and
 * the right to delete the folder must not include them.
 */
export function serviceRules({ scopes, permissions }: Pick<ServiceActor, 'scopes' | 'permissions'>): Rule[] {
  const [canRead, canWrite] = [permissions.includes('read'), permissions.includes('write')];
  const canReadValue = canRead || permissions.includes('readValue');
  const outside = canWrite ? SUBJECTS.map((subject): Rule => ({ subject, action: ['delete'], inverted: true })) : [];
  const within = scopes.flatMap(({ environment, secretPath }) => {
    const conditions = { environment, secretPath: isPlainPath(secretPath) ? secretPath : { $glob: secretPath } };
    return SUBJECTS.flatMap((subject): Rule[] => {
      const read = subject === 'secrets' ? canReadValue && ['describeSecret', 'readValue'] : canRead && ['read'];
      const action = [...(read || []), ...(canWrite ? WRITE : [])];
      return action.length > 0 ? [{ subject, action, conditions }] : [];
    });
  });
  return [...outside, ...within];
}

/** The folder of a service token whose only scope is not a glob. */
export function onlyFolder({ scopes }: Pick<ServiceActor, 'scopes'>): ServiceActor['scopes'][number] | undefined {
  const [first, ...others] = scopes;
  return first && others.length === 0 && isPlainPath(first.secretPath) ? first : undefined;
}
