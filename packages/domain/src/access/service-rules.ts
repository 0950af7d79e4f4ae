import type { Rule, ServiceActor } from '../kernel/index.ts';

const SUBJECTS = ['secrets', 'secret-folders', 'secret-imports'];
const WRITE = ['create', 'edit', 'delete'];

/** A path of a folder, in which nothing is special to a glob. */
const isPlain = (secretPath: string): boolean => /^[\w/-]*$/.test(secretPath);

/**
 * The rules that a service token stands for. In each of its scopes `write` allows to create, change and delete secrets,
 * folders and imports, and `read` to read them, values included; `readValue` alone shows secrets with their values, but
 * neither folders nor imports. Scopes name environments by their slugs, as the conditions of rules do.
 *
 * Deleting outside of them is forbidden rather than just not allowed: a folder may lie in a scope and what is in it
 * outside, and the right to delete the folder is then no way to that.
 */
export function serviceRules({ scopes, permissions }: Pick<ServiceActor, 'scopes' | 'permissions'>): Rule[] {
  const [canRead, canWrite] = [permissions.includes('read'), permissions.includes('write')];
  const canReadValue = canRead || permissions.includes('readValue');
  const outside = canWrite ? SUBJECTS.map((subject): Rule => ({ subject, action: ['delete'], inverted: true })) : [];
  const within = scopes.flatMap(({ environment, secretPath }) => {
    const conditions = { environment, secretPath: isPlain(secretPath) ? secretPath : { $glob: secretPath } };
    return SUBJECTS.flatMap((subject): Rule[] => {
      const read = subject === 'secrets' ? canReadValue && ['describeSecret', 'readValue'] : canRead && ['read'];
      const action = [...(read || []), ...(canWrite ? WRITE : [])];
      return action.length > 0 ? [{ subject, action, conditions }] : [];
    });
  });
  return [...outside, ...within];
}

/** The one folder that a service token is for, where its only scope is no glob. */
export function onlyFolder({ scopes }: Pick<ServiceActor, 'scopes'>): ServiceActor['scopes'][number] | undefined {
  const [first, ...others] = scopes;
  return first && others.length === 0 && isPlain(first.secretPath) ? first : undefined;
}
