import { isGlob } from '../../access/condition.ts';
import { text } from '../../kernel/schema.ts';

const MAX_PATTERN = 512;

const isPattern = (path: string): boolean => path.startsWith('/') && isGlob(path);

/** The folders of a subscription: a path, or a glob over paths, without a slash at its end. */
export const FolderPattern = text(MAX_PATTERN)
  .transform((given) => {
    const path = given.trim() || '/';
    return /[^/]\/$/.test(path) ? path.slice(0, -1) : path;
  })
  .refine(isPattern, 'Expected a path such as /app, or a glob such as /app/**')
  .describe('The path of a folder, or a glob of paths: /app/** is /app and all levels below');
